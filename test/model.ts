// The model of the checkout: three students, two classes, two processes that may die, a provider that may lie silent, an admin who changes
// their mind, in any order. It knows only facts that must never be undone, and checks after every step what must always be true.
// Handlers are called directly, past HTTP, so that thousands of steps fit into a test. Not for: running it (model.test.ts).
import * as fc from 'fast-check';
import type { AnyCall, Answer, Parsed } from '../contract/call.ts';
import { addToCart, removeFromCart } from '../contract/cart.ts';
import { createIntent, recordPayment, refundPayment } from '../contract/payments.ts';
import { dollars } from '../contract/rules.ts';
import { checkBooks } from '../server/books.ts';
import type { Config } from '../server/config.ts';
import type { Database } from '../server/db/connection.ts';
import type { Jobs } from '../server/db/jobs.ts';
import { type Checkout, checkout } from '../server/features/checkout.ts';
import { Refusal } from '../server/http/fail.ts';
import type { Caller, Handler } from '../server/http/on.ts';
import { type Cards, ProviderError } from '../server/outside/cards.ts';
import type { cardProvider } from '../server/testing/checkout.ts';

type Provider = ReturnType<typeof cardProvider>;

export interface Ground {
  database: Database;
  cards: Cards;
  provider: Provider;
  jobs: Jobs;
  config: Config;
}

/** What strikes the next question to the provider, or the next commit. */
export type Strike =
  | 'question lost'
  | 'answer lost'
  | 'failed inside'
  | 'dies before'
  | 'dies after'
  | 'dies after commit';

class Dead extends Error {}

interface Process {
  call<C extends AnyCall>(call: C, input: Parsed<C>, who: Caller): Promise<Answer<C> | string>;
  money: Checkout;
  /** Chores and handlers alike: a process that dies is replaced and says nothing more. */
  survives<T>(work: (money: Checkout) => Promise<T>): Promise<T | 'dead'>;
  strike: Strike | null;
}

async function startProcess({ database, cards, jobs, config }: Ground): Promise<Process> {
  const handlers = new Map<string, Handler<AnyCall>>();
  const { promise: death, reject: die } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  let dead = false;
  const forever = () => {
    dead = true;
    die(new Dead());
    return new Promise<never>(() => undefined);
  };
  const take = (...kinds: Strike[]) => {
    const found = self.strike !== null && kinds.includes(self.strike) ? self.strike : null;
    if (found) self.strike = null;
    return found;
  };

  const faulty = new Proxy(cards, {
    get(target, name: keyof Cards) {
      const real = target[name];
      if (typeof real !== 'function' || name === 'readEvent') return real;
      if (name === 'intentsSince' || name === 'undeliveredSince') return real;
      return async (...question: unknown[]) => {
        if (dead) return forever();
        const struck = take('question lost', 'answer lost', 'failed inside', 'dies before', 'dies after');
        if (struck === 'dies before') return forever();
        if (struck === 'question lost') throw new ProviderError('silent', 'lost', null);
        const answer = await (real as (...given: unknown[]) => Promise<unknown>)(...question);
        if (struck === 'dies after') return forever();
        if (struck === 'answer lost') throw new ProviderError('silent', 'lost', null);
        if (struck === 'failed inside') throw new ProviderError('broken', 'saved', null);
        return answer;
      };
    },
  });

  const money = await checkout({
    on: (call, handler) => void handlers.set(call.id, handler),
    onRaw: () => undefined,
    sql: database.sql,
    transaction: async (work) => {
      if (dead) return forever();
      const done = await database.transaction(work);
      return take('dies after commit') ? forever() : done;
    },
    // Hints are always lost here: what must be true must be true without them.
    jobs: { ...jobs, work: () => Promise.resolve(), every: () => undefined },
    cards: faulty,
    mail: { send: () => Promise.resolve() },
    config,
    log: { warn: () => undefined, error: () => undefined },
  });

  const self: Process = {
    strike: null,
    money,
    async call(call, input, who) {
      const handler = handlers.get(call.id);
      if (!handler) throw new Error(`${call.id} has no handler`);
      const context = { who, request: {} as never, status: () => undefined };
      try {
        const answer = await Promise.race([handler(input, context), death]);
        return answer as Answer<typeof call>;
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        if (error instanceof Dead) return 'DEAD';
        throw error;
      }
    },
    async survives(work) {
      try {
        return await Promise.race([work(money), death]);
      } catch (error) {
        if (error instanceof Dead) return 'dead';
        throw error;
      }
    },
  };
  return self;
}

// ---- the world of one run ---------------------------------------------------------------------------------------------

interface Klass {
  id: string;
  cents: number;
}

export class World {
  readonly ground: Ground;
  readonly students: Caller[];
  readonly classes: Klass[];
  readonly started = new Date();
  processes: Process[] = [];
  /** What students were given, the latest last. */
  readonly secrets: { who: number; secret: string; intent: string }[] = [];
  readonly secretOfHold = new Map<string, string>();
  readonly acknowledged = new Map<string, string>();
  readonly denied = new Set<string>();
  readonly refundedByAdmin = new Set<string>();

  constructor(ground: Ground, students: Caller[], classes: Klass[]) {
    this.ground = ground;
    this.students = students;
    this.classes = classes;
  }

  process(index: number): Process {
    const found = this.processes[index % this.processes.length];
    if (!found) throw new Error('no process');
    return found;
  }

  student(index: number): Caller {
    const found = this.students[index % this.students.length];
    if (!found) throw new Error('no student');
    return found;
  }

  klass(index: number): Klass {
    const found = this.classes[index % this.classes.length];
    if (!found) throw new Error('no class');
    return found;
  }

  handOut(who: number, holdId: string, secret: string): void {
    const before = this.secretOfHold.get(holdId);
    if (before !== undefined && before !== secret) throw new Error('a second secret for one hold');
    this.secretOfHold.set(holdId, secret);
    if (before === undefined) this.secrets.push({ who, secret, intent: secret.split('_secret_')[0] ?? '' });
  }

  /** 0 is the latest. */
  handed(pick: number) {
    return this.secrets.at(-1 - (pick % Math.max(this.secrets.length, 1)));
  }

  /** A process that has died is replaced by a new one, which knows nothing. */
  async restart(process: Process): Promise<void> {
    this.processes[this.processes.indexOf(process)] = await startProcess(this.ground);
  }

  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.ground.database.pool.query<T & Record<string, unknown>>(text, values)).rows;
  }
}

export async function aWorld(ground: Ground): Promise<World> {
  const { pool } = ground.database;
  const people = await pool.query<{ id: string; name: string; email: string }>(
    `insert into "user" (name, email) select 'Model ' || n, gen_random_uuid() || '@example.com' from generate_series(1, 3) n returning id, name, email`,
  );
  const students = people.rows.map(({ id, name, email }) => ({
    id,
    name,
    email,
    role: 'student' as const,
    sessionId: id,
  }));
  const made = await pool.query<Klass>(
    `insert into class (instructor_id, instructor, name, img, price_cents, capacity, status)
     select $1, 'I', 'Model class', '/x', 1000 + n * 999, n, 'approved' from generate_series(1, 2) n returning id, price_cents as cents`,
    [students[0]?.id],
  );
  await pool.query(
    `insert into cart_item (student_id, class_id, seen_price_cents)
     select u, c.id, c.price_cents from unnest($1::uuid[]) u, class c where c.id = any($2::uuid[])`,
    [students.map(({ id }) => id), made.rows.map(({ id }) => id)],
  );
  const world = new World(ground, students, made.rows);
  world.processes = [await startProcess(ground), await startProcess(ground)];
  return world;
}

// ---- what must be true after every step ---------------------------------------------------------------------------------

export async function alwaysTrue(world: World): Promise<void> {
  const ids = world.classes.map(({ id }) => id);
  const [row] = await world.query<{ wrong: number; lost: number }>(
    `select
      (select count(*)::int from class where id = any($1::uuid[]) and (
        held <> (select count(*) from hold where class_id = class.id and state in ('held', 'releasing'))
        or sold <> (select count(*) from enrolment where class_id = class.id and state = 'active')
        or held + sold > capacity)) as wrong,
      (select count(*)::int from unnest($2::uuid[]) p where not exists (select from payment where payment.id = p)) as lost`,
    [ids, [...world.acknowledged.values()]],
  );
  if (row?.wrong !== 0) throw new Error('the seats do not add up');
  if (row.lost !== 0) throw new Error('an acknowledged payment is gone');
}

/** Nobody strikes any more, everybody lets time pass: within a few rounds all must have ended well. */
export async function endsWell(world: World): Promise<void> {
  const { database, cards, config } = world.ground;
  for (const process of world.processes) process.strike = null;
  const process = world.process(0);
  const pass = async () => {
    await world.query(`update hold set next_try = now() where state = 'releasing'`);
    await world.query(`update stripe_event set next_try = now() where state <> 'done'`);
    await world.query(`update refund set next_try = now() where state in ('due', 'sent')`);
    await process.money.sweep();
    await process.money.reconcile(-1);
  };
  await pass();
  await world.query(`update hold set expires_at = now() where state = 'held'`);
  await pass();
  await process.money.lookBack();
  await pass();
  await alwaysTrue(world);
  const since = new Date(world.started.getTime() - 2_000);
  // The provider's clock may be ahead of ours, so nothing counts as young.
  const lines = await checkBooks(database.sql, cards, { ...config, graceSeconds: -1e9, since });
  if (lines.length > 0) throw new Error(lines.join('\n'));
  const left = await world.query<{ id: string; intent_id: string; class_id: string; status: string }>(
    'select id, intent_id, class_id, status from payment where class_id = any($1::uuid[])',
    [world.classes.map(({ id }) => id)],
  );
  for (const { id, class_id: klass, status } of left) {
    if (!['succeeded', 'refunded'].includes(status)) throw new Error(`a payment ends as ${status}`);
    const expected = world.denied.has(klass) || world.refundedByAdmin.has(id);
    if (status === 'refunded' && !expected) throw new Error('a refund that nobody caused');
  }
}

// ---- the steps ------------------------------------------------------------------------------------------------------------

export type Step = fc.AsyncCommand<object, World>;

function step(name: string, run: (world: World) => Promise<void>): Step {
  return {
    check: () => true,
    toString: () => name,
    run: async (_model, world) => {
      await run(world);
      await alwaysTrue(world);
    },
  };
}

async function asked<C extends AnyCall>(
  world: World,
  at: number,
  who: number,
  call: C,
  input: Parsed<C>,
): Promise<Answer<C> | string> {
  const process = world.process(at);
  const answer = await process.call(call, input, world.student(who));
  if (answer === 'DEAD') await world.restart(process);
  if (answer === 'INTERNAL') throw new Error(`${call.id} answered 500`);
  return answer;
}

async function chore(world: World, at: number, work: (money: Checkout) => Promise<unknown>): Promise<void> {
  const process = world.process(at);
  if ((await process.survives(work)) === 'dead') await world.restart(process);
}

const hold = (at: number, who: number, what: number) =>
  step(`hold(${at},${who},${what})`, async (world) => {
    const klass = world.klass(what);
    const answer = await asked(world, at, who, createIntent, { price: dollars(klass.cents), itemId: klass.id });
    if (typeof answer !== 'string') world.handOut(who, answer.holdId, answer.clientSecret);
  });

const confirm = (pick: number, card: string) =>
  step(`confirm(${pick},${card})`, async (world) => {
    const handed = world.handed(pick);
    if (!handed) return;
    const { body } = await world.ground.provider.confirm(handed.secret, card);
    if (body.status !== 'succeeded') return;
    const [row] = await world.query<{ state: string }>('select state from hold where intent_id = $1', [body.id]);
    if (row?.state !== 'held' && row?.state !== 'releasing') throw new Error(`paid for a hold that is ${row?.state}`);
  });

const challenge = (pick: number, outcome: 'pass' | 'fail') =>
  step(`challenge(${pick},${outcome})`, async (world) => {
    const handed = world.handed(pick);
    if (handed) await world.ground.provider.answerChallenge(handed.intent, outcome);
  });

const record = (at: number, pick: number) =>
  step(`record(${at},${pick})`, async (world) => {
    const handed = world.handed(pick);
    if (!handed) return;
    const answer = await asked(world, at, handed.who, recordPayment, { transactionId: handed.intent });
    if (typeof answer === 'string') return;
    const { insertedId } = answer.insertResult;
    const before = world.acknowledged.get(handed.intent);
    if (before !== undefined && before !== insertedId) throw new Error('one payment, two ids');
    world.acknowledged.set(handed.intent, insertedId);
  });

const webhook = (at: number, pick: number, times: number) =>
  step(`webhook(${at},${pick},${times})`, async (world) => {
    const events = (await world.ground.provider.list('events?limit=12')) as unknown as {
      id: string;
      type: string;
      data: { object: { id: string; object: string; payment_intent?: string } };
    }[];
    const event = events[pick % Math.max(events.length, 1)];
    if (!event) return;
    const { id, object, payment_intent: named } = event.data.object;
    const intentId = object === 'payment_intent' ? id : (named ?? null);
    for (let time = 0; time < times; time++) {
      await chore(world, at + time, async ({ events: told }) => {
        await told.note({ id: event.id, type: event.type, intentId });
        await told.work(event.id);
      });
    }
  });

const expire = (who: number, what: number) =>
  step(`expire(${who},${what})`, async (world) => {
    await world.query(`update hold set expires_at = now() where student_id = $1 and class_id = $2 and state = 'held'`, [
      world.student(who).id,
      world.klass(what).id,
    ]);
  });

const remove = (at: number, who: number, what: number) =>
  step(`delete(${at},${who},${what})`, async (world) => {
    const [item] = await world.query<{ id: string }>(
      'select id from cart_item where student_id = $1 and class_id = $2',
      [world.student(who).id, world.klass(what).id],
    );
    if (item) await asked(world, at, who, removeFromCart, { id: item.id });
  });

const select = (at: number, who: number, what: number) =>
  step(`select(${at},${who},${what})`, async (world) => {
    await asked(world, at, who, addToCart, { itemId: world.klass(what).id });
  });

const decide = (what: number, status: 'approved' | 'denied') =>
  step(`${status}(${what})`, async (world) => {
    if (status === 'denied') world.denied.add(world.klass(what).id);
    await world.query('update class set status = $2 where id = $1', [world.klass(what).id, status]);
  });

const payBack = (at: number, who: number, what: number) =>
  step(`refund(${at},${who},${what})`, async (world) => {
    const [payment] = await world.query<{ id: string }>(
      `select id from payment where student_id = $1 and class_id = $2 and status in ('pending', 'succeeded') limit 1`,
      [world.student(who).id, world.klass(what).id],
    );
    if (!payment) return;
    world.refundedByAdmin.add(payment.id);
    await asked(world, at, who, refundPayment, { id: payment.id, reason: 'model' });
  });

const strike = (at: number, how: Strike) =>
  step(`${how}(${at})`, async (world) => {
    world.process(at).strike = how;
  });

const kill = (at: number) => step(`restart(${at})`, async (world) => world.restart(world.process(at)));

const later = (hours: number) =>
  step(`later(${hours}h)`, async (world) => void (await world.ground.provider.advance(hours * 3_600)));

const together = (at: number, who: number, what: number) =>
  step(`together(${who},${what})`, async (world) => {
    // Whatever can happen at once: two tabs, the sweeper, the reconciler.
    const klass = world.klass(what);
    const ask = async (side: number) => {
      const answer = await asked(world, side, who, createIntent, { price: dollars(klass.cents), itemId: klass.id });
      if (typeof answer !== 'string') world.handOut(who, answer.holdId, answer.clientSecret);
    };
    await Promise.all([
      ask(at),
      ask(at + 1),
      chore(world, at, (money) => money.sweep()),
      chore(world, at + 1, (money) => money.reconcile(-1)),
    ]);
  });

export function steps(maxCommands: number) {
  const at = fc.nat(1);
  const who = fc.nat(2);
  const what = fc.nat(1);
  const where = [at, who, what] as const;
  const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5));
  const cards = fc.constantFrom('visa', 'visa', 'visa', 'visa_chargeDeclined', 'threeDSecure2Required');
  const strikes = fc.constantFrom<Strike>(
    'question lost',
    'answer lost',
    'failed inside',
    'dies before',
    'dies after',
    'dies after commit',
  );
  const often = fc.tuple(...where).map(([a, b, c]) => hold(a, b, c));
  const paying = fc.tuple(pick, cards).map(([which, card]) => confirm(which, card));
  return fc.commands(
    [
      often,
      often,
      paying,
      paying,
      fc.tuple(at, pick).map(([a, which]) => record(a, which)),
      fc
        .tuple(pick, fc.constantFrom('pass' as const, 'fail' as const))
        .map(([which, outcome]) => challenge(which, outcome)),
      fc.tuple(at, fc.nat(11), fc.integer({ min: 1, max: 3 })).map(([a, pick, times]) => webhook(a, pick, times)),
      fc.tuple(who, what).map(([b, c]) => expire(b, c)),
      fc.tuple(...where).map(([a, b, c]) => remove(a, b, c)),
      fc.tuple(...where).map(([a, b, c]) => select(a, b, c)),
      fc
        .tuple(what, fc.constantFrom('approved' as const, 'approved' as const, 'denied' as const))
        .map(([c, status]) => decide(c, status)),
      fc.tuple(...where).map(([a, b, c]) => payBack(a, b, c)),
      fc.tuple(at, strikes).map(([a, how]) => strike(a, how)),
      fc.tuple(at, strikes).map(([a, how]) => strike(a, how)),
      at.map((a) => kill(a)),
      fc.constantFrom(1, 25).map((hours) => later(hours)),
      fc.tuple(...where).map(([a, b, c]) => together(a, b, c)),
      at.map((a) => step(`sweep(${a})`, (world) => chore(world, a, (money) => money.sweep()))),
      at.map((a) => step(`reconcile(${a})`, (world) => chore(world, a, (money) => money.reconcile(-1)))),
      at.map((a) => step(`lookBack(${a})`, (world) => chore(world, a, (money) => money.lookBack()))),
    ],
    { maxCommands, size: 'max' },
  );
}
