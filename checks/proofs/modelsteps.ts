// The steps of the model: what a student, an admin, the provider or the clock may do, crashes, and
// how often.
import * as fc from 'fast-check';
import type { AnyCall, Answer, Parsed } from '../../contract/platform/call.ts';
import { addToCart, getCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../contract/checkout/checkout.ts';
import { creditFor, getCredit, payOutCredit } from '../../contract/checkout/credit.ts';
import { createIntent, recordPayment, refundPayment } from '../../contract/checkout/payments.ts';
import { dollars } from '../../contract/platform/rules.ts';
import type { Checkout } from '../../server/checkout/index.ts';
import { grant, post } from '../../server/checkout/ledger.ts';
import { alwaysTrue, type Strike, type World } from './model.ts';

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

async function chore(
  world: World,
  at: number,
  work: (money: Checkout) => Promise<unknown>,
): Promise<void> {
  const process = world.process(at);
  if ((await process.survives(work)) === 'dead') await world.restart(process);
}

/** Which student, for whom of the family, which class. */
type Which = readonly [who: number, whom: number, what: number];

/** The item in the cart; the class where there is none. */
async function itemOf(world: World, [who, whom, what]: Which): Promise<string> {
  const [item] = await world.query<{ id: string }>(
    'select id from cart_item where student_id = $1 and participant_id = $2 and class_id = $3',
    [world.student(who).id, world.participant(who, whom), world.klass(what).id],
  );
  return item?.id ?? world.klass(what).id;
}

async function open(world: World, at: number, which: Which): Promise<void> {
  const [who, , what] = which;
  const answer = await asked(world, at, who, createIntent, {
    price: dollars(world.klass(what).cents),
    itemId: await itemOf(world, which),
  });
  if (typeof answer === 'string') return;
  const [basket] = await world.query<{ id: string }>('select id from basket where intent_id = $1', [
    answer.clientSecret.split('_secret_')[0],
  ]);
  world.handOut(who, basket?.id ?? '', answer.clientSecret);
}

/**
 * Pays for everything in the cart, or for `most` of it: with seats held for another payment this
 * closes that one. A line that cannot be had is left out, as the page does it.
 */
async function payTogether(
  world: World,
  at: number,
  who: number,
  most: number,
  spends = false,
): Promise<void> {
  const cart = await asked(world, at, who, getCart, {});
  if (typeof cart === 'string' || cart.length === 0) return;
  const all = cart.slice(0, 12).map(({ cartItemId }) => cartItemId);
  const quoted = await asked(world, at, who, quoteBasket, { items: all });
  if (typeof quoted === 'string') return;
  const lines = quoted.lines.filter(({ state }) => state === 'ok').slice(0, most);
  if (lines.length === 0) return;
  const totalCents = lines.reduce((sum, { cents }) => sum + cents, 0);
  const creditCents = spends ? creditFor(totalCents, quoted.creditCents) : 0;
  const items = lines.map(({ cartItemId }) => cartItemId);
  const answer = await asked(world, at, who, openBasket, { items, totalCents, creditCents });
  if (typeof answer === 'string') return;
  if (answer.clientSecret) world.handOut(who, answer.basketId, answer.clientSecret);
  else await asked(world, at, who, payBasket, { id: answer.basketId });
}

const payAll = (at: number, who: number) =>
  step(`payAll(${at},${who})`, (world) => payTogether(world, at, who, 12));

/** With what credit there is: the card pays the rest, or nothing. */
const spend = (at: number, who: number, most: number) =>
  step(`spend(${at},${who},${most})`, (world) => payTogether(world, at, who, most, true));

const give = (who: number, cents: number) =>
  step(`give(${who},${cents})`, async (world) => {
    const given = { once: crypto.randomUUID(), actorId: null, note: 'model' };
    const row = grant(world.student(who).id, cents, given);
    await world.ground.database.transaction((db) => post(db, row));
  });

const payOut = (at: number, who: number) =>
  step(`payOut(${at},${who})`, async (world) => {
    const credit = await asked(world, at, who, getCredit, {});
    if (typeof credit !== 'string' && credit.cents > 0)
      await asked(world, at, who, payOutCredit, { cents: credit.cents });
  });

const regroup = (at: number, who: number, most: number) =>
  step(`regroup(${at},${who},${most})`, (world) => payTogether(world, at, who, most));

/** Removes a seat that is being paid for together with others. */
const removeLine = (at: number, who: number) =>
  step(`removeLine(${at},${who})`, async (world) => {
    const [line] = await world.query<{ id: string }>(
      `select item.id from cart_item item join hold on hold.item_id = item.id
       where hold.student_id = $1 and hold.state = 'held' and hold.basket_id is not null order by hold.slot limit 1`,
      [world.student(who).id],
    );
    if (line) await asked(world, at, who, removeFromCart, { id: line.id });
  });

/** Denies a class that is being paid for. */
const denyOne = () =>
  step('denyOne', async (world) => {
    const [line] = await world.query<{ id: string }>(
      `select class_id as id from hold where class_id = any($1::uuid[]) and state = 'held' and basket_id is not null
       order by created_at desc limit 1`,
      [world.classes.map(({ id }) => id)],
    );
    if (!line) return;
    world.denied.add(line.id);
    await world.query(`update class set status = 'denied' where id = $1`, [line.id]);
  });

const hold = (at: number, which: Which) =>
  step(`hold(${at},${which.join()})`, (world) => open(world, at, which));

const confirm = (pick: number, card: string) =>
  step(`confirm(${pick},${card})`, async (world) => {
    const handed = world.handed(pick);
    if (!handed) return;
    const { body } = await world.ground.provider.confirm(handed.secret, card);
    if (body.status !== 'succeeded') return;
    const [row] = await world.query<{ state: string; loose: number }>(
      `select state, (select count(*)::int from hold where basket_id = basket.id and state not in ('held', 'releasing')) as loose
       from basket where intent_id = $1`,
      [body.id],
    );
    // N3: nothing that was closed or regrouped can be paid.
    if (row?.state !== 'open' && row?.state !== 'closing')
      throw new Error(`paid for a basket that is ${row?.state}`);
    if (row.loose > 0) throw new Error('paid for a seat that is not held');
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
    const answer = await asked(world, at, handed.who, recordPayment, {
      transactionId: handed.intent,
    });
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
    await world.query(
      `update hold set expires_at = now() where student_id = $1 and class_id = $2 and state = 'held'`,
      [world.student(who).id, world.klass(what).id],
    );
  });

const remove = (at: number, which: Which) =>
  step(`delete(${at},${which.join()})`, async (world) => {
    await asked(world, at, which[0], removeFromCart, { id: await itemOf(world, which) });
  });

const select = (at: number, [who, whom, what]: Which) =>
  step(`select(${at},${who},${whom},${what})`, async (world) => {
    const participantId = world.participant(who, whom);
    await asked(world, at, who, addToCart, { itemId: world.klass(what).id, participantId });
  });

/** A child is removed, also while a card is being charged. */
const erase = (who: number, whom: number) =>
  step(`erase(${who},${whom})`, async (world) => {
    const child = world.participant(who, whom);
    if (child === world.student(who).id) return;
    world.erased.add(child);
    await world.query(
      `with locked as materialized (select id from participant where id = $1 for update),
        guardians as (delete from guardian where participant_id in (select id from locked)),
        items as (delete from cart_item where participant_id in (select id from locked))
       update participant set name = 'Removed child', born = null, erased_at = now() where id in (select id from locked)`,
      [child],
    );
  });

const decide = (what: number, status: 'approved' | 'denied') =>
  step(`${status}(${what})`, async (world) => {
    if (status === 'denied') world.denied.add(world.klass(what).id);
    await world.query('update class set status = $2 where id = $1', [world.klass(what).id, status]);
  });

const payBack = (at: number, who: number, what: number) =>
  step(`refund(${at},${who},${what})`, async (world) => {
    const [payment] = await world.query<{ id: string }>(
      `select payment.id from payment join payment_line line on line.payment_id = payment.id
       where payment.student_id = $1 and line.class_id = $2 and status in ('pending', 'succeeded') limit 1`,
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

const kill = (at: number) =>
  step(`restart(${at})`, async (world) => world.restart(world.process(at)));

const later = (hours: number) =>
  step(
    `later(${hours}h)`,
    async (world) => void (await world.ground.provider.advance(hours * 3_600)),
  );

const together = (at: number, which: Which, other: Which) =>
  step(`together(${which.join()},${other.join()})`, async (world) => {
    // What can happen at the same time: two tabs, another buyer, the sweep, the reconciler.
    await Promise.all([
      open(world, at, which),
      open(world, at + 1, which),
      open(world, at + 1, other),
      payTogether(world, at, which[0], 12),
      payTogether(world, at + 1, which[0], 12, true),
      chore(world, at, (money) => money.sweep()),
      chore(world, at + 1, (money) => money.reconcile(-1)),
    ]);
  });

export function steps(maxCommands: number) {
  const at = fc.nat(1);
  const who = fc.nat(2);
  const what = fc.nat(1);
  const where = [at, who, what] as const;
  const which = fc.tuple(who, fc.nat(2), what);
  const there = fc.tuple(at, which);
  const pick = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5));
  const cards = fc.constantFrom(
    'visa',
    'visa',
    'visa',
    'visa_chargeDeclined',
    'threeDSecure2Required',
  );
  const strikes = fc.constantFrom<Strike>(
    'question lost',
    'answer lost',
    'failed inside',
    'dies before',
    'dies after',
    'dies after commit',
  );
  const often = there.map(([a, w]) => hold(a, w));
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
      fc
        .tuple(at, fc.nat(11), fc.integer({ min: 1, max: 3 }))
        .map(([a, pick, times]) => webhook(a, pick, times)),
      fc.tuple(who, what).map(([b, c]) => expire(b, c)),
      fc.tuple(at, who).map(([a, b]) => payAll(a, b)),
      fc.tuple(at, who).map(([a, b]) => payAll(a, b)),
      fc.tuple(at, who, fc.integer({ min: 1, max: 3 })).map(([a, b, most]) => regroup(a, b, most)),
      fc.tuple(at, who, fc.integer({ min: 1, max: 3 })).map(([a, b, most]) => spend(a, b, most)),
      fc.tuple(who, fc.constantFrom(30, 1_200, 9_000)).map(([b, cents]) => give(b, cents)),
      fc.tuple(at, who).map(([a, b]) => payOut(a, b)),
      fc.tuple(at, who).map(([a, b]) => removeLine(a, b)),
      fc.constant(denyOne()),
      there.map(([a, w]) => remove(a, w)),
      there.map(([a, w]) => select(a, w)),
      fc
        .tuple(what, fc.constantFrom('approved' as const, 'approved' as const, 'denied' as const))
        .map(([c, status]) => decide(c, status)),
      fc.tuple(...where).map(([a, b, c]) => payBack(a, b, c)),
      fc.tuple(at, strikes).map(([a, how]) => strike(a, how)),
      fc.tuple(at, strikes).map(([a, how]) => strike(a, how)),
      at.map((a) => kill(a)),
      fc.tuple(who, fc.nat(2)).map(([b, c]) => erase(b, c)),
      fc.constantFrom(1, 25).map((hours) => later(hours)),
      fc.tuple(at, which, which).map(([a, one, other]) => together(a, one, other)),
      at.map((a) => step(`sweep(${a})`, (world) => chore(world, a, (money) => money.sweep()))),
      at.map((a) =>
        step(`reconcile(${a})`, (world) => chore(world, a, (money) => money.reconcile(-1))),
      ),
      at.map((a) =>
        step(`lookBack(${a})`, (world) => chore(world, a, (money) => money.lookBack())),
      ),
    ],
    { maxCommands, size: 'max' },
  );
}
