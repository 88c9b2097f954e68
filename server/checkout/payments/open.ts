// openBasket: holds seats, all or none, and opens one payment for them. A repeated request for the
// same seats returns the same payment; another grouping closes the one before and keeps its seats.
// Recording the payment: payments/routes.ts.
import type { Services } from '../../platform/services.ts';
import { creditFor } from '../../../contract/checkout/credit.ts';
import type { ErrorCode } from '../../../contract/platform/errors.ts';
import { isClosed } from '../../platform/db/states.ts';
import { own } from '../../platform/db/write.ts';
import { fail, refuseField } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import type { Intent } from '../../platform/cards.ts';
import type { ClaimSeats } from '../seats/claim.ts';
import type { GiveUp } from '../seats/release.ts';
import { attach, type Basket } from './basket.ts';
import type { Close } from './close.ts';
import { Gone, inTime, type OpenIntent, refuseUnless } from './intent.ts';
import type { Swap } from './swap.ts';
import { type Found, isReturned, look, namesOfHeld, type Wanted } from './look.ts';
import { type Coupon, quote, type Quote } from './prices.ts';

/** A line that cannot be had, and why. */
export interface Refused {
  found: Found;
  code: ErrorCode;
}

export type Opening =
  | {
      outcome: 'open';
      quote: Quote;
      basketId: string;
      holds: { id: string; expiresAt: Date }[];
      /** Null: nothing is to be paid. */
      intent: Intent | null;
    }
  | { outcome: 'refused'; refused: Refused[] }
  | { outcome: 'changed'; quote: Quote };

/** Or the rows changed meanwhile. */
type Try = Opening | 'look again';

export interface How {
  /** The total that the student saw, in cents. */
  seen: number;
  coupon: Coupon | null;
  /** Of the family's credit, in cents. */
  credit: number;
  /** A change of class: the seat that helps to pay. */
  swap: (Swap & { seenCents: number | null }) | null;
  /** Live holds of the student, these included. */
  most: number;
}

export type OpenBasket = (
  who: Caller,
  wanted: () => Promise<readonly Wanted[]>,
  how: How,
) => Promise<Opening>;

/**
 * New holds and baskets per hour: baskets that were not paid, and holds in all. One account cannot
 * try cards in bulk, and a family can pay for twelve seats in one sitting.
 */
const mostAnHour = { unpaid: 10, holds: 30 };
const rounds = 5;

export function createOpenBasket(
  deps: Services & { claimSeats: ClaimSeats; openIntent: OpenIntent; giveUp: GiveUp; close: Close },
): OpenBasket {
  const { db, write, claimSeats, openIntent, giveUp, close, config } = deps;

  return async (who, wanted, how) => {
    for (let round = 1; round <= rounds; round++) {
      const found = await look(db, who.id, await wanted());
      const tried = await tryOnce(who, found, how);
      if (tried !== 'look again') return tried;
    }
    return fail('HOLD_EXPIRED');
  };

  async function tryOnce(who: Caller, found: Found[], how: How): Promise<Try> {
    const { id: studentId } = who;
    if (await giveUpEnded(found)) return 'look again';
    const refused = await refusals(studentId, found);
    if (refused.length > 0) return { outcome: 'refused', refused };
    const quoted = await quote(db, studentId, found, how);
    // We charge the price at the time of the hold. A student who saw another price is told before
    // paying.
    if (quoted.price.total !== how.seen) return { outcome: 'changed', quote: quoted };
    const worth = quoted.swapCents + quoted.swapBackCents;
    if (how.swap && how.swap.seenCents !== worth) fail('QUOTE_CHANGED');
    if (creditFor(quoted.price.total - quoted.swapCents, how.credit) !== how.credit)
      refuseField('creditCents', 'must leave the card nothing or at least 0.50');
    const full = soldOut(found);
    if (full.length > 0) return { outcome: 'refused', refused: full };
    const held = quoted.basket
      ? { basket: quoted.basket, holds: found.map(holdOf) }
      : await makeBasket(who, found, quoted, how);
    if (held === 'look again') return held;
    const { basket, holds } = held;
    try {
      const intent = basket.cardCents > 0 ? await inTime(openIntent(basket)) : null;
      return { outcome: 'open', quote: quoted, basketId: basket.id, holds, intent };
    } catch (error) {
      if (error instanceof Gone) return 'look again';
      throw error;
    }
  }

  /** The holds that have ended, unless a seat is booked already. */
  async function giveUpEnded(found: readonly Found[]): Promise<boolean> {
    const ended = found.some(({ enrolled }) => enrolled) ? [] : found.filter(hasEnded);
    for (const { holdId, ...one } of ended) {
      const reason = isClosed(one) ? one.status : one.ended ? 'class over' : 'expired';
      const id = holdId ?? '';
      await refuseUnless(db, await giveUp({ id }, reason), [{ id }]);
    }
    return ended.length > 0;
  }

  /** The lines that cannot be had whatever they cost. */
  async function refusals(studentId: string, found: readonly Found[]): Promise<Refused[]> {
    const refused: Refused[] = [];
    for (const one of found) {
      const code = await refusalOf(studentId, one);
      if (code) refused.push({ found: one, code });
    }
    const known = new Set(refused.map((one) => one.found));
    const rest = refused.length > 0 ? soldOut(found.filter((one) => !known.has(one))) : [];
    return [...refused, ...rest];
  }

  async function refusalOf(studentId: string, found: Found): Promise<ErrorCode | null> {
    if (found.enrolled) return 'ALREADY_ENROLLED';
    if (found.holdId) return null;
    if (isClosed(found) && (await isReturned(db, { studentId, ...found })))
      return 'PAYMENT_RETURNED';
    if (isClosed(found) && found.cartItemId) return 'CLASS_CLOSED';
    if (found.status === 'pending' && found.cartItemId) return 'CLASS_IN_REVIEW';
    if (found.status === 'approved' && found.ended) return 'CLASS_OVER';
    if (!found.onSale) return 'NOT_FOUND';
    if (!found.cartItemId) return 'NOT_IN_CART';
    if (found.beingPaid) return 'BEING_PAID';
    return found.rightAge ? null : 'WRONG_AGE';
  }

  /** Takes the held seats out of other baskets, claims the others, and makes a basket of all. */
  async function makeBasket(
    who: Caller,
    found: readonly Found[],
    { price, rules, swapCents, swapBackCents }: Quote,
    { most, credit: creditCents, swap }: How,
  ): Promise<{ basket: Basket; holds: { id: string; expiresAt: Date }[] } | 'look again'> {
    const { id: studentId } = who;
    const missing = found.filter(({ holdId }) => !holdId);
    if (missing.length > 0 && !(await hasSlots(studentId, missing, most))) return 'look again';
    limitRate(found, missing);
    for (const { holdId, holdBasketId } of found) {
      if (!holdId || !holdBasketId) continue;
      await refuseUnless(db, await close(holdBasketId, 'paid in another basket'), [{ id: holdId }]);
    }
    const claims = missing.map(({ participantId, classId, cartItemId, nowCents }) => ({
      studentId,
      participantId,
      classId,
      cartItemId,
      amountCents: nowCents,
    }));
    const claimed = claims.length > 0 ? await claimSeats({ claims, most }) : [];
    if (!claimed) return 'look again';
    const holds = found.map((one) => claimed[missing.indexOf(one)] ?? holdOf(one));
    const lines = price.lines.map(({ participantId, discount, why }, place) => ({
      id: holds[place]?.id ?? '',
      participantId,
      discount,
      why,
    }));
    const swapOf = swap?.seat.enrolmentId ?? null;
    const terms = { rules, creditCents, swapOf, swapCents, swapBackCents };
    const basket = await write(who, async (db) => own(await attach(db, studentId, lines, terms)));
    return basket ? { basket, holds } : 'look again';
  }

  async function hasSlots(
    studentId: string,
    missing: readonly Found[],
    most: number,
  ): Promise<boolean> {
    if ((missing[0]?.liveHolds ?? 0) + missing.length <= most) return true;
    const names = await namesOfHeld(db, studentId);
    // One of the holds was released since.
    if (names.length + missing.length <= most) return false;
    return fail('TOO_MANY_HOLDS', names.length > 1 ? { message: tooMany(names) } : {});
  }

  function limitRate(found: readonly Found[], missing: readonly Found[]): void {
    const [one] = found;
    if (!config.rateLimit || !one) return;
    const tooOften =
      one.unpaidBaskets >= mostAnHour.unpaid || one.recentHolds + missing.length > mostAnHour.holds;
    if (tooOften) fail('RATE_LIMITED', {}, one.nextHour);
  }
}

/** A hold that is being given up, has expired, or is of a class that is no longer offered. */
const hasEnded = ({ holdId, holdState, holdOver, ended, ...found }: Found) =>
  holdId !== null && (holdState === 'releasing' || holdOver || isClosed(found) || ended);

/** Of the seats that are not held: those for which their class has no seat left. */
function soldOut(found: readonly Found[]): Refused[] {
  const wanted = Map.groupBy(
    found.filter(({ holdId }) => !holdId),
    ({ classId }) => classId,
  );
  return [...wanted.values()].flatMap((ofClass) =>
    ofClass
      .filter(({ free }, place) => free <= place)
      .map((one): Refused => ({ found: one, code: 'SOLD_OUT' })),
  );
}

const holdOf = ({ holdId, holdExpiresAt }: Found) => ({
  id: holdId ?? '',
  expiresAt: holdExpiresAt ?? new Date(0),
});

const tooMany = (names: string[]) =>
  `You are paying for ${names.slice(0, -1).join(', ')} and ${names.at(-1)} already. Finish or remove one of them first.`;
