// settle(intent): the only function that creates payments and enrolments. The browser, the webhook
// and the reconciler all call it. It asks the provider and does not trust the caller.
import { spread } from '../../../contract/checkout/spread.ts';
import type { Cards } from '../../platform/cards.ts';
import type { Some } from '../../platform/services.ts';
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment, isClosed, isLive } from '../../platform/db/states.ts';
import { own } from '../../platform/db/write.ts';
import type { Intent } from '../../platform/cards.ts';
import { fail } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import { mail } from '../../mail/kinds.ts';
import { audit } from '../../people/audit.ts';
import {
  consume,
  type Hold,
  lockHolds,
  lockRivals,
  rebuildHold,
  startRelease,
} from '../seats/holds.ts';
import { isGuardian, lockOrder } from '../../people/participants.ts';
import { seatResold } from '../resale.ts';
import { post, type PostedLine, refused, sale, spent, unspent } from '../ledger.ts';
import { oweRefund } from '../refunds/rows.ts';
import { freeSeat, lockClasses, type Seats, sellSeat } from '../seats/counters.ts';
import { endPaid, lockWaitsFor } from '../waiting/rows.ts';
import { type Basket, lockBasket, readBasket, rebuildBasket, setPaid } from './basket.ts';
import { isOurs, linesOf } from './metadata.ts';
import { creditRest, lockOldSeat, moveSeat } from './swap.ts';
import {
  enrol,
  insertLines,
  insertPayment,
  type SoldLine,
  paymentOf,
  type PaymentRow,
  type Recorded,
} from './rows.ts';

export type Settled =
  | ({ outcome: 'recorded' } & Done)
  | { outcome: 'unpaid'; intent: Intent | null }
  /** Paid with our metadata, but student or class is unknown. */
  | { outcome: 'quarantined' }
  /** Not ours: another product on the same account. */
  | { outcome: 'foreign' };

export type Settle = (intentId: string) => Promise<Settled>;

type Done = { payment: Recorded; fresh: boolean };

/** Books a basket for which nothing is to be paid. */
export type SettleFree = (basketId: string, who: Caller) => Promise<Done>;

/** What the provider received, or nothing for a basket that costs nothing. */
interface Received {
  intentId: string | null;
  cents: number;
  currency: string;
  at: Date | null;
}

type Settling = Some<'db' | 'system' | 'write' | 'jobs' | 'log', 'brand' | 'publicUrl'> & {
  cards: Pick<Cards, 'intent'>;
};

export function createSettle(deps: Settling): { settle: Settle; settleFree: SettleFree } {
  const { db, system, write, cards, jobs, config, log } = deps;
  const settle: Settle = async (intentId) => {
    const intent = await cards.intent(intentId);
    if (intent?.status !== 'succeeded') return { outcome: 'unpaid', intent };
    const known = await readBasket(db, { intentId });
    if (!known && !isOurs(config, intent)) return { outcome: 'foreign' };
    const payer = known?.studentId ?? (await payerOf(db, intent));
    if (payer === null) return quarantine(db, intent);
    return system([payer], async (db) => {
      const basket = (await lockBasket(db, { intentId })) ?? (await rebuild(db, intent, payer));
      if (!basket) return quarantine(db, intent);
      if (basket.state === 'paid')
        return { outcome: 'recorded', payment: await paymentOf(db, basket), fresh: false };
      const { receivedCents: cents, currency, charged: at } = intent;
      const received = { intentId, cents, currency, at };
      // The holds of a closed basket are loose, and may be in another one.
      const isWhole = (await lockHolds(db, basket.id)).length > 0;
      const rebuilt = isWhole ? [] : await rebuildHolds(db, basket, intent);
      if (!rebuilt) return quarantine(db, intent);
      const payment = await settleHolds(db, basket, received, rebuilt);
      return { outcome: 'recorded', payment, fresh: true };
    });
  };

  const settleFree: SettleFree = (id, who) =>
    write<Done>(who, async (db) => {
      const basket = await lockBasket(db, { id });
      if (basket?.studentId !== who.id) fail('NOT_FOUND');
      if (basket.cardCents > 0) fail('PAYMENT_MISMATCH');
      if (basket.state === 'paid')
        return own({ payment: await paymentOf(db, basket), fresh: false });
      if (basket.state !== 'open' || (await hasEnded(db, basket))) fail('HOLD_EXPIRED');
      // The seat, and the use of the coupon, would stay with the owner of the address.
      if (!who.proven && basket.totalCents === 0) fail('EMAIL_NOT_CONFIRMED');
      const received = { intentId: null, cents: 0, currency: basket.currency, at: null };
      return own({ payment: await settleHolds(db, basket, received), fresh: true });
    });

  return { settle, settleFree };

  async function settleHolds(
    db: Db,
    basket: Basket,
    received: Received,
    rebuilt: Hold[] = [],
  ): Promise<Recorded> {
    const ids = rebuilt.map(({ id }) => id);
    const locked = await lockRivals(db, { basketId: basket.id, ids });
    const own = locked.filter(({ id, basketId }) => basketId === basket.id || ids.includes(id));
    const payment = await record(db, basket, own.toSorted(bySlot), received);
    // After the restore of an older backup another payment for the same participant and class may
    // be open. It must not be charged too.
    for (const other of locked)
      if (!own.includes(other)) await startRelease(db, { id: other.id }, 'paid already');
    return payment;
  }

  async function record(
    db: Db,
    basket: Basket,
    holds: Hold[],
    received: Received,
  ): Promise<Recorded> {
    const old = await lockOldSeat(db, basket);
    const ids = [...holds, ...(old ? [old] : [])].map(({ classId }) => classId);
    const classes = await lockClasses(db, ids);
    const waits = await lockWaitsFor(db, holds);
    const fault = faultOf(basket, received);
    const facts = await factsOf(db, holds);
    const worths = spread(
      received.cents + basket.creditCents + basket.swapCents,
      holds.map(({ listCents, discountCents }) => listCents - discountCents),
    );
    const byCredit = spread(basket.creditCents, worths);
    const bySwap = spread(basket.swapCents, worths);
    const lines = holds.map((hold, place): SoldLine => {
      const seats = classes.get(hold.classId);
      if (!seats) throw new Error('the class of a hold does not exist');
      const problem = fault ?? old?.problem ?? problemWith(hold, seats, facts.get(hold.id));
      // The next hold of this class finds one seat less.
      if (problem === null && !isLive(hold)) seats.free -= 1;
      const [worth = 0, creditCents = 0, swap = 0] = [worths, byCredit, bySwap].map(
        (parts) => parts[place],
      );
      // A seat that is refused was not changed: the old one keeps its money.
      const worthCents = problem === null ? worth : worth - swap;
      const money = { worthCents, creditCents, cardCents: worth - creditCents - swap };
      return { hold, itemName: seats.name, ...money, problem };
    });
    const sold = lines.filter(({ problem }) => problem === null);
    // No money is under way. The next request for this basket gets the reason.
    if (received.intentId === null && sold.length < lines.length) fail('HOLD_EXPIRED');
    // The seats in the order of the classes (docs/locking.md).
    for (const { hold, problem } of lines.toSorted(byClass)) {
      if (problem === null) await sellSeat(db, hold.classId, isLive(hold) ? 'held' : 'free');
      else if (isLive(hold)) await freeSeat(db, hold.classId);
    }
    await seatResold(
      db,
      jobs,
      sold.map(({ hold }) => hold.classId),
    );
    const backCents = lines.reduce(
      (sum, { problem, cardCents }) => (problem === null ? sum : sum + cardCents),
      0,
    );
    const payment = await insertPayment(db, basket, {
      intentId: received.intentId,
      amountCents: received.cents,
      creditCents: basket.creditCents,
      swapCents: sold.length > 0 ? basket.swapCents : 0,
      backCents,
      seats: sold.length,
      itemName: nameOf(lines),
      currency: received.currency,
      chargedAt: received.at,
      status: backCents > 0 ? 'refund_due' : received.intentId === null ? 'succeeded' : 'pending',
    });
    const lineIds = await insertLines(db, payment.id, lines);
    const of = { paymentId: payment.id, studentId: basket.studentId, basketId: basket.id };
    const written = lines.map((line, place) =>
      Object.assign(line, of, { id: lineIds[place] ?? '' }),
    );
    for (const line of written) await finish(db, line);
    const enrolled = written.filter(({ problem }) => problem === null);
    for (const line of enrolled)
      await post(db, sale(line, line.cardCents), spent(line, line.creditCents));
    await enrol(
      db,
      enrolled.map(({ id }) => id),
    );
    const [changed] = enrolled;
    if (old && changed) await moveSeat(db, old, changed.id, basket, deps);
    await tell(db, payment, enrolled);
    await consume(db, basket.id, holds);
    await endPaid(
      db,
      jobs,
      waits,
      enrolled.map(({ hold }) => hold),
    );
    await setPaid(db, basket);
    // Credit is locked last.
    for (const line of written)
      if (line.problem !== null) await post(db, unspent(line, line.creditCents));
    if (old && changed) await creditRest(db, old, basket);
    return { id: payment.id, status: payment.status };
  }

  function faultOf(basket: Basket, { intentId, cents, currency }: Received): string | null {
    if (cents === basket.cardCents && currency === basket.currency) return null;
    log.error(
      { intentId, basketId: basket.id },
      'SECURITY: the amount at the card provider is not the amount of the basket',
    );
    return 'The amount paid was not the amount asked for.';
  }

  /** What is owed for a line without a seat, and the audit. */
  async function finish(db: Db, line: SoldLine & PostedLine): Promise<void> {
    const { id: lineId, paymentId, problem, cardCents: amountCents, itemName } = line;
    if (problem !== null && amountCents > 0) {
      const refundId = await oweRefund(db, { paymentId, lineId, amountCents, reason: problem });
      await post(db, refused(line, refundId, amountCents));
      await jobs.send(db, 'pay-back', { refundId });
      log.warn({ paymentId, problem }, 'a payment is being refunded');
    }
    await audit(db, {
      actorId: line.studentId,
      action: problem ? 'payment to be refunded' : 'payment recorded',
      subject: paymentId,
      detail: problem ?? itemName,
    });
  }

  /** The payer gets the receipt, the other guardians of a child what was booked, without the price. */
  async function tell(db: Db, { id: paymentId, studentId }: PaymentRow, sold: SoldLine[]) {
    // Who gets all of it back is told when it is sent.
    if (sold.length === 0) return;
    await jobs.send(db, 'send-mail', mail('receipt', { to: studentId, paymentId }));
    const others = await query<{ to: string }>(db)`
      select distinct user_id as to from told_guardian
      where participant_id = any (${sold.map(({ hold }) => hold.participantId)}::uuid[])
        and participant_id <> ${studentId} and user_id <> ${studentId} order by user_id`;
    const mails = others.map(({ to }) => mail('booked', { to, paymentId }));
    await jobs.sendAll(db, 'send-mail', mails);
  }

  /** Null when what was paid for is unknown. A basket that another process rebuilt is returned. */
  async function rebuild(db: Db, intent: Intent, studentId: string): Promise<Basket | null> {
    const lines = await knownLines(db, intent);
    if (!lines) return null;
    const { id: intentId, currency } = intent;
    // Where credit had paid a part, that is more than the card has brought, and is refunded.
    const totalCents = lines.reduce((sum, { listCents }) => sum + listCents, 0);
    const made = await rebuildBasket(db, { studentId, totalCents, currency, intentId });
    if (made) log.warn({ intentId }, 'a hold was rebuilt from what the card provider knows');
    return made ?? lockBasket(db, { intentId });
  }

  async function quarantine(db: Db, intent: Intent): Promise<Settled> {
    const noted = await execute(db)`
      insert into quarantine (intent_id, amount_cents, currency, reason)
      values (${intent.id}, ${intent.receivedCents}, ${intent.currency}, 'The student or the class it was paid for is unknown.')
      on conflict do nothing`;
    if (noted === 1) log.error({ intentId: intent.id }, 'ALARM: a payment that belongs to nobody');
    return { outcome: 'quarantined' };
  }
}

/** Null when the student is unknown. */
async function payerOf(db: Db, { metadata }: Intent): Promise<string | null> {
  const found = await queryOne<RowOf<'user', 'id'>>(db)`
    select id from "user" where id::text = ${metadata['student'] ?? ''}`;
  return found?.id ?? null;
}

/**
 * A seat of the basket is being given up, its time is over, or the student no longer looks after the
 * participant.
 */
async function hasEnded(db: Db, { id, studentId }: Basket): Promise<boolean> {
  const ended = await queryOne(db)`
    select from hold where basket_id = ${id} and (state <> 'held' or expires_at <= now()
      or not ${isGuardian(studentId, sql`hold.participant_id`)}) limit 1`;
  return ended !== null;
}

const bySlot = (a: Hold, b: Hold) => (a.slot ?? 0) - (b.slot ?? 0) || (a.id < b.id ? -1 : 1);
const byClass = ({ hold: a }: SoldLine, { hold: b }: SoldLine) => (a.classId < b.classId ? -1 : 1);

const nameOf = (lines: readonly SoldLine[]) =>
  lines.length === 1
    ? (lines[0]?.itemName ?? '')
    : `${lines.length} classes: ${[...new Set(lines.map(({ itemName }) => itemName))].join(', ')}`;

interface Facts {
  erased: boolean;
  enrolled: boolean;
}

/** KEY SHARE: an erasure of the participant waits, and a change of the name does not. */
async function factsOf(db: Db, holds: readonly Hold[]): Promise<Map<string, Facts>> {
  await execute(db)`
    select from participant where id = any (${holds.map(({ participantId }) => participantId)}::uuid[])
    ${lockOrder} for key share`;
  const rows = await query<Facts & { id: string }>(db)`
    select hold.id, participant.erased_at is not null as erased,
      exists (select from enrolment e where e.participant_id = hold.participant_id and e.class_id = hold.class_id and ${activeEnrolment('e')}) as enrolled
    from hold join participant on participant.id = hold.participant_id
    where hold.id = any (${holds.map(({ id }) => id)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

function problemWith(hold: Hold, seats: Seats, facts: Facts | undefined): string | null {
  // A class that is pending again was approved when the seat was held. The sale is valid.
  if (isClosed(seats)) return 'The class is no longer offered.';
  if (!facts || facts.erased) return 'The participant is no longer known here.';
  if (facts.enrolled) return 'You were enrolled already.';
  if (!isLive(hold) && seats.free < 1) return 'No seat was left.';
  return null;
}

async function rebuildHolds(db: Db, basket: Basket, intent: Intent): Promise<Hold[] | null> {
  const lines = await knownLines(db, intent);
  if (!lines) return null;
  const { studentId } = basket;
  const holds: Hold[] = [];
  for (const { participantId, classId, listCents } of lines)
    holds.push(await rebuildHold(db, { studentId, participantId, classId, listCents }));
  return holds;
}

/**
 * What an intent says was paid for. Null when that is nothing, when a class is unknown, or when two
 * lines would be for the same seat. A participant whom a restored backup does not know is the student.
 */
async function knownLines(db: Db, intent: Intent) {
  const lines = linesOf(intent);
  const rows = await query<Pick<Hold, 'participantId' | 'classId'> & { place: number }>(db)`
    select line.place::int, class.id as class_id, coalesce(participant.id, "user".id) as participant_id
    from unnest(
      ${lines.map(({ participantId }) => participantId)}::text[], ${lines.map(({ classId }) => classId)}::text[]
    ) with ordinality as line (participant, class, place)
    join class on class.id::text = line.class
    join "user" on "user".id::text = ${intent.metadata['student'] ?? ''}
    left join participant on participant.id::text = line.participant order by line.place`;
  // Two unknown participants of one class would be the same seat.
  const seats = new Set(rows.map(({ participantId, classId }) => `${participantId} ${classId}`));
  if (seats.size === 0 || seats.size < lines.length) return null;
  return rows.map(({ participantId, classId }, place) => ({
    participantId,
    classId,
    listCents: lines[place]?.cents ?? 0,
  }));
}
