// The model of the checkout: three students with one to three participants each, of whom one child
// has two guardians; two classes, two processes that may die, a provider that may not answer, an admin who changes decisions, in any order. It knows only facts that must
// never be undone, and checks after every step what must always be true. Handlers are called
// directly, without HTTP, so that thousands of steps fit into a test. The steps are in
// modelsteps.ts.
import { createFrame } from '../../server/platform/db/write.ts';
import type { AnyCall, Answer, Parsed } from '../../contract/platform/call.ts';
import { checkBooks } from '../../server/checkout/books.ts';
import type { Config } from '../../server/platform/config.ts';
import type { Database } from '../../server/platform/db/connection.ts';
import type { Jobs } from '../../server/platform/db/jobs.ts';
import { createEnds } from '../../server/platform/ends.ts';
import { type Checkout, checkout } from '../../server/checkout/index.ts';
import { Refusal } from '../../server/platform/http/fail.ts';
import type { Caller, Handler } from '../../server/platform/http/on.ts';
import { type Cards, ProviderError } from '../../server/platform/cards.ts';
import type { cardProvider } from '../../server/testing/checkout.ts';

type Provider = ReturnType<typeof cardProvider>;

export interface Ground {
  database: Database;
  cards: Cards;
  provider: Provider;
  jobs: Jobs;
  config: Config;
}

/** A fault for the next request to the provider, or the next commit. */
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
  /** For jobs and handlers: a process that dies is replaced and returns nothing. */
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
        const struck = take(
          'question lost',
          'answer lost',
          'failed inside',
          'dies before',
          'dies after',
        );
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

  const transaction: typeof database.transaction = async (work) => {
    if (dead) return forever();
    const done = await database.transaction(work);
    return take('dies after commit') ? forever() : done;
  };
  const money = await checkout({
    on: (call, handler) => void handlers.set(call.id, handler),
    onRaw: () => undefined,
    db: database.db,
    ...createFrame(transaction),
    // Jobs are always lost here: what must be true must be true without them.
    jobs: { ...jobs, work: () => Promise.resolve(), every: () => undefined },
    cards: faulty,
    academy: undefined as never,
    ends: createEnds(),
    config,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });

  const self: Process = {
    strike: null,
    money,
    async call(call, input, who) {
      const handler = handlers.get(call.id);
      if (!handler) throw new Error(`${call.id} has no handler`);
      const context = {
        who,
        request: {} as never,
        status: () => undefined,
        setCookie: () => undefined,
        takeOver: undefined as never,
      };
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
  /** Of each student: oneself and the children. */
  readonly families: string[][];
  readonly classes: Klass[];
  readonly started = new Date();
  processes: Process[] = [];
  /** What students were given, the latest last. */
  readonly secrets: { who: number; secret: string; intent: string }[] = [];
  /** By the seats of a payment: a hold that is paid in another basket has another secret. */
  readonly secretOf = new Map<string, string>();
  readonly acknowledged = new Map<string, string>();
  readonly denied = new Set<string>();
  readonly refundedByAdmin = new Set<string>();
  readonly erased = new Set<string>();

  constructor(ground: Ground, students: Caller[], families: string[][], classes: Klass[]) {
    this.ground = ground;
    this.students = students;
    this.families = families;
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

  participant(who: number, index: number): string {
    const family = this.families[who % this.families.length] ?? [];
    return family[index % family.length] ?? '';
  }

  klass(index: number): Klass {
    const found = this.classes[index % this.classes.length];
    if (!found) throw new Error('no class');
    return found;
  }

  /** The secret of an open basket never changes. */
  handOut(who: number, basketId: string, secret: string): void {
    const before = this.secretOf.get(basketId);
    if (before !== undefined && before !== secret)
      throw new Error('a second secret for one basket');
    this.secretOf.set(basketId, secret);
    if (before === undefined)
      this.secrets.push({ who, secret, intent: secret.split('_secret_')[0] ?? '' });
  }

  /** 0 is the latest. */
  handed(pick: number) {
    return this.secrets.at(-1 - (pick % Math.max(this.secrets.length, 1)));
  }

  /** A process that died is replaced by a new one without memory. */
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
  // Every act of a person asks for the session.
  await pool.query(
    `insert into session (id, secret_hash, user_id, expires_at) select id, sha256(id::text::bytea), id, now() + interval '1 day' from "user" where id = any ($1::uuid[])`,
    [people.rows.map(({ id }) => id)],
  );
  const students = people.rows.map(({ id, name, email }) => ({
    id,
    name,
    email,
    role: 'student' as const,
    proven: true,
    sessionId: id,
  }));
  const made = await pool.query<Klass>(
    `insert into class (instructor_id, name, img, price_cents, capacity, status)
     select $1, 'Model class', '/x', 1000 + n * 999, 2 * n - 1, 'approved' from generate_series(1, 2) n returning id, price_cents as cents`,
    [students[0]?.id],
  );
  const children = await pool.query<{ id: string }>(
    `insert into participant (name, born) values ('Shared', '2018-01-01'), ('Only', '2019-01-01') returning id`,
  );
  const [one, two, three] = students.map(({ id }) => id);
  const [shared, only] = children.rows.map(({ id }) => id);
  const families = [[one], [two, shared], [three, shared, only]].map((family) =>
    family.filter((id) => id !== undefined),
  );
  const pairs = families.flatMap((family) => family.map((id) => [family[0], id] as const));
  const ofPairs = [pairs.map(([student]) => student), pairs.map(([, id]) => id)];
  await pool.query(
    `insert into guardian (user_id, participant_id) select * from unnest($1::uuid[], $2::uuid[]) on conflict do nothing`,
    ofPairs,
  );
  await pool.query(
    `insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
     select student, participant, c.id, c.price_cents
     from unnest($1::uuid[], $2::uuid[]) family (student, participant), class c where c.id = any($3::uuid[])`,
    [...ofPairs, made.rows.map(({ id }) => id)],
  );
  const world = new World(ground, students, families, made.rows);
  world.processes = [await startProcess(ground), await startProcess(ground)];
  return world;
}

// ---- what must be true after every step ---------------------------------------------------------------------------------

export async function alwaysTrue(world: World): Promise<void> {
  const ids = world.classes.map(({ id }) => id);
  const [row] = await world.query<{ wrong: number; astray: number; lost: number }>(
    `select
      (select count(*)::int from class where id = any($1::uuid[]) and (
        held <> (select count(*) from hold where class_id = class.id and state in ('held', 'releasing'))
        or sold <> (select count(*) from enrolment where class_id = class.id and state = 'active')
        or held + sold > capacity)) as wrong,
      (select count(*)::int from hold where student_id = any($3::uuid[])
        and (state = 'released' and basket_id is not null or state = 'consumed' and basket_id is null)) as astray,
      (select count(*)::int from unnest($2::uuid[]) p where not exists (select from payment where payment.id = p)) as lost`,
    [ids, [...world.acknowledged.values()], world.students.map(({ id }) => id)],
  );
  if (row?.wrong !== 0) throw new Error('the seats do not add up');
  if (row.astray !== 0) throw new Error('a seat was freed in a basket, or sold outside of one');
  if (row.lost !== 0) throw new Error('an acknowledged payment is gone');
}

/**
 * A receipt for each payment with an enrolment, and each refund in one mail, once, waiting to be sent. They are
 * deleted: nothing sends them here.
 */
async function oneMailEach(world: World): Promise<void> {
  const students = world.students.map(({ id }) => id);
  const mails = await world.query<{ kind: string; told: number }>(
    `delete from pgboss.job where name = 'send-mail' and data->'ids'->>'to' = any($1) returning data->>'kind' as kind,
       coalesce(jsonb_array_length(data->'ids'->'refundIds'), 1) as told`,
    [students],
  );
  const [due] = await world.query<{ receipts: number; refunds: number }>(
    `select (select count(distinct payment_id)::int from enrolment where student_id = any($1::uuid[])) as receipts,
      (select count(*)::int from refund join payment on payment.id = payment_id where student_id = any($1::uuid[]) and state = 'succeeded') as refunds`,
    [students],
  );
  // The other guardians of a child are told, too.
  const count = (wanted: string) =>
    mails.reduce((sum, { kind, told }) => (kind === wanted ? sum + told : sum), 0);
  if (count('receipt') !== due?.receipts || count('refunded') !== due.refunds)
    throw new Error('a mail is missing or twice');
}

/** No more faults, and time passes: within a few rounds everything must have ended well. */
export async function endsWell(world: World): Promise<void> {
  const { database, cards, config } = world.ground;
  for (const process of world.processes) process.strike = null;
  const process = world.process(0);
  const pass = async () => {
    await world.query(`update hold set next_try = now() where state = 'releasing'`);
    await world.query(`update basket set next_try = now() where state = 'closing'`);
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
  await oneMailEach(world);
  const since = new Date(world.started.getTime() - 2_000);
  // The provider's clock may be ahead of ours, so nothing counts as recent.
  const lines = await checkBooks(database.db, cards, { ...config, graceSeconds: -1e9, since });
  if (lines.length > 0) throw new Error(lines.join('\n'));
  const left = await world.query<{
    id: string;
    class_id: string;
    participant_id: string;
    status: string;
    kept: boolean;
    enrolled: boolean;
  }>(
    `select payment.id, line.class_id, line.participant_id, status, line.back_cents < line.worth_cents as kept,
       exists (select from enrolment where line_id = line.id and state = 'active') as enrolled
     from payment join payment_line line on line.payment_id = payment.id where line.class_id = any($1::uuid[])`,
    [world.classes.map(({ id }) => id)],
  );
  for (const { id, class_id: klass, participant_id: participant, status, kept, enrolled } of left) {
    if (!['succeeded', 'refunded', 'part_refunded'].includes(status))
      throw new Error(`a payment ends as ${status}`);
    // N5: every line has its seat, or its money is back.
    if (kept !== enrolled) throw new Error('a line has neither or both of its seat and its money');
    const expected =
      world.denied.has(klass) || world.refundedByAdmin.has(id) || world.erased.has(participant);
    if (!kept && !expected) throw new Error('a refund without a cause');
  }
}
