// A change of class: the old seat helps to pay the new one, and ends in the transaction that sells it
// and nowhere else (settle.ts). What it is worth is always all that is to come: the family stays.
import { type Change, quoteLeaving } from '../../../contract/checkout/leaving.ts';
import {
  type Price,
  type PriceLine,
  priceOf,
  smallest,
} from '../../../contract/checkout/pricing.ts';
import { type Db, query, queryOne } from '../../platform/db/connection.ts';
import { activeEnrolment, onSale } from '../../platform/db/states.ts';
import { fitsAge } from '../../people/participants.ts';
import { fail, refuseField } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import type { Services } from '../../platform/services.ts';
import { ownSeat, readSeat, type Seat } from '../leaving.ts';
import { back, post, swapped } from '../ledger.ts';
import { endSeats } from '../refunds/end.ts';
import { followPayment, leftOf, type PaymentLine, raiseBack, readLines } from '../refunds/rows.ts';
import type { Basket } from './basket.ts';
import { lockPayment } from './rows.ts';

export interface Swap {
  seat: Seat;
  /** What the old seat is worth: for the new one, and what is left as credit. */
  worthCents: number;
}

/** What of it pays the new seat, and what becomes credit. */
export interface SwapMoney {
  swapCents: number;
  swapBackCents: number;
}
export const noSwap: SwapMoney = { swapCents: 0, swapBackCents: 0 };

export async function readSwap(db: Db, who: Caller, enrolmentId: string): Promise<Swap> {
  await ownSeat(db, who, enrolmentId);
  const seat = await readSeat(db, enrolmentId);
  if (!seat.active || seat.left === 0) fail('ENDED');
  return { seat, worthCents: quoteLeaving(seat, [], {}, 100).back };
}

/** One class, for whose seat it is. */
export function refuseOther(
  { seat }: Swap,
  wanted: readonly { classId: string; participantId: string }[],
) {
  const [one, another] = wanted;
  if (another || one?.participantId !== seat.nowFor || one.classId === seat.classId)
    refuseField('items', 'must be one other class, for whose seat it is');
}

/** The new seat among those that were paid with the old one: a second child stays a second child. */
export function priceInstead<Line extends PriceLine>(
  { seat: { others, rules }, worthCents }: Swap,
  wanted: Line,
): SwapMoney & { price: Price<Line> } {
  const line = priceOf<PriceLine>([...others, wanted], rules).lines.at(-1);
  if (!line) throw new Error('a line has no price');
  const swapCents = Math.min(worthCents, line.amount);
  const small = line.amount - swapCents;
  const rest = small < smallest ? small : 0;
  const why =
    rest > 0 ? [...line.why, { rule: null, kind: 'small' as const, cents: rest }] : line.why;
  const amount = line.amount - rest;
  const discount = line.discount + rest;
  const priced = Object.assign({}, wanted, { discount, amount, why });
  return {
    price: { lines: [priced], total: amount, saved: discount },
    swapCents,
    swapBackCents: worthCents - swapCents,
  };
}

interface OldSeat {
  enrolmentId: string;
  line: PaymentLine;
  classId: string;
  /** It has ended, or its money was given back meanwhile. */
  problem: string | null;
}

/** Locks what pays a part, before the classes. Null: the basket is no change of class. */
export async function lockOldSeat(db: Db, basket: Basket): Promise<OldSeat | null> {
  const { swapOf: enrolmentId, swapCents, swapBackCents } = basket;
  if (enrolmentId === null) return null;
  const found = await queryOne<{ paymentId: string; lineId: string; classId: string }>(db)`
    select payment_id, line_id, class_id from enrolment where id = ${enrolmentId}`;
  const payment = found && (await lockPayment(db, { id: found.paymentId }));
  const line = payment && (await readLines(db, payment.id)).find(({ id }) => id === found.lineId);
  if (!found || !line) throw new Error('a seat has no line');
  const row = await queryOne<{ active: boolean }>(db)`
    select ${activeEnrolment()} as active from enrolment where id = ${enrolmentId} for update`;
  const isThere = row?.active && payment.status !== 'disputed';
  const isWorth = leftOf(line) >= swapCents + swapBackCents;
  const problem = isThere && isWorth ? null : 'The seat that you wanted to change has ended.';
  return { enrolmentId, line, classId: found.classId, problem };
}

/** Ends the old seat, whose class is locked, and gives its worth to the new line. */
export async function moveSeat(
  db: Db,
  { enrolmentId, line }: OldSeat,
  newLine: string,
  { swapCents, swapBackCents }: SwapMoney,
  deps: Pick<Services, 'jobs'>,
): Promise<void> {
  await endSeats(db, { id: enrolmentId }, 'moved', deps);
  await raiseBack(db, line.id, swapCents + swapBackCents);
  await post(db, swapped(line, newLine, swapCents));
  await followPayment(db, line.paymentId);
}

/** What is left of it. Credit is locked last. */
export const creditRest = (db: Db, { line }: OldSeat, { swapBackCents }: SwapMoney) =>
  post(db, back(line, 'swap', swapBackCents));

/** Classes for which the seat can be changed, and the difference. */
export async function changesFor(db: Db, swap: Swap): Promise<Change[]> {
  const { nowFor, classId, oneself = false } = swap.seat;
  const rows = await query<Omit<Change, 'payCents' | 'backCents'> & PriceLine>(db)`
    select class.id as class_id, class.name, class.schedule, class.place, class.sport, class.now_cents as cents,
      class.free < 1 as full, participant.id as participant_id, ${oneself}::boolean as oneself
    from class join participant on participant.id = ${nowFor}
    where class.shelf = 'approved' and ${onSale} and class.id <> ${classId}
      and class.sport = (select sport from class where id = ${classId}) and ${fitsAge}
      and not exists (select from enrolment e where e.participant_id = participant.id
        and e.class_id = class.id and ${activeEnrolment('e')})
    order by (select min(lower(meeting.during)) from meeting where meeting.class_id = class.id
      and meeting.state = 'on' and lower(meeting.during) > now()), class.name, class.id limit 200`;
  return rows.map((row) => {
    const { price, swapCents, swapBackCents: backCents } = priceInstead(swap, row);
    const { name, schedule, place, full } = row;
    const payCents = price.total - swapCents;
    return { classId: row.classId, name, schedule, place, full, payCents, backCents };
  });
}
