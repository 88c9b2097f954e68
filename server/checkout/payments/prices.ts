// What seats cost a student now: the prices of the classes, or of the holds, after the discounts.
// An open basket keeps its prices.
import {
  type Price,
  type PriceLine,
  priceOf,
  type PriceRules,
} from '../../../contract/checkout/pricing.ts';
import { type Db, type RowOf, query } from '../../platform/db/connection.ts';
import { liveHold } from '../../platform/db/states.ts';
import { fail } from '../../platform/http/fail.ts';
import { rulesFor } from '../pricing.ts';
import { type Basket, contentsOf, readBasket } from './basket.ts';
import type { Found } from './look.ts';
import { noSwap, priceInstead, type Swap, type SwapMoney } from './swap.ts';

type Seat = Pick<Found, 'participantId' | 'classId' | 'sport' | 'nowCents'> & {
  holdAmountCents?: number | null;
};
export type Coupon = NonNullable<PriceRules['coupon']>;

interface Given {
  coupon: Coupon | null;
  credit?: number;
  /** Of a change of class. */
  swap?: Swap | null;
}

export interface Quote extends SwapMoney {
  price: Price<Found & PriceLine>;
  rules: PriceRules;
  /** The open basket with exactly these seats, this coupon and this credit. */
  basket: Basket | null;
}

/** A held seat keeps the price of its hold. */
const lineOf = <One extends Seat>(studentId: string, seat: One): One & PriceLine => ({
  ...seat,
  oneself: seat.participantId === studentId,
  cents: seat.holdAmountCents ?? seat.nowCents,
});

/** The price of seats that are paid together. */
export async function quote(
  db: Db,
  studentId: string,
  seats: readonly Found[],
  { coupon, credit = 0, swap = null }: Given,
): Promise<Quote> {
  const lines = seats.map((seat) => lineOf(studentId, seat));
  const [id, another] = new Set(seats.map(({ holdBasketId }) => holdBasketId));
  const basket = id && another === undefined ? await readBasket(db, { id }) : null;
  const kept = basket?.state === 'open' ? await contentsOf(db, basket.id) : null;
  const old = swap?.seat.enrolmentId ?? null;
  const isSame = kept?.seats === seats.length && kept.swapOf === old;
  if (isSame && kept.couponId === (coupon?.id ?? null)) {
    const { rules, creditCents, swapCents, swapBackCents } = kept;
    const price = priceAsHeld(lines);
    return {
      price,
      rules,
      swapCents,
      swapBackCents,
      basket: creditCents === credit ? basket : null,
    };
  }
  const [line] = lines;
  // The coupon of the old basket is not used again.
  if (swap && line)
    return {
      ...priceInstead(swap, line),
      rules: { ...swap.seat.rules, coupon: null },
      basket: null,
    };
  const rules = { ...(await rulesFor(db, studentId)), ...(coupon && { coupon }) };
  return { price: priceOf(lines, rules), rules, ...noSwap, basket: null };
}

function priceAsHeld(lines: readonly (Found & PriceLine)[]): Quote['price'] {
  const priced = lines.map((line) => {
    const { cents, holdDiscountCents, holdWhy } = line;
    const discount = holdDiscountCents ?? 0;
    return Object.assign(line, { discount, amount: cents - discount, why: holdWhy ?? [] });
  });
  return {
    lines: priced,
    total: priced.reduce((sum, { amount }) => sum + amount, 0),
    saved: priced.reduce((sum, { discount }) => sum + discount, 0),
  };
}

/** What each seat costs when it is paid alone. */
export const pricesAlone = (
  studentId: string,
  seats: readonly Seat[],
  rules: PriceRules,
): number[] => seats.map((seat) => priceOf([lineOf(studentId, seat)], rules).total);

/** Clients of the specification send only a price. It selects the one cart item with that price. */
export async function cartItemOfPrice(db: Db, studentId: string, seen: number): Promise<string> {
  const rows = await query<RowOf<'cartItem', 'id'> & Seat>(db)`
    select item.id, item.class_id, item.participant_id, class.sport, class.now_cents, hold.list_cents as hold_amount_cents
    from cart_item item join class on class.id = item.class_id
    left join hold on hold.student_id = item.student_id and hold.participant_id = item.participant_id
      and hold.class_id = item.class_id and ${liveHold()}
    where item.student_id = ${studentId}`;
  const prices = pricesAlone(studentId, rows, await rulesFor(db, studentId));
  const [item, another] = rows.filter((_, place) => prices[place] === seen);
  if (!item) fail('NOT_IN_CART');
  if (another) fail('ITEM_REQUIRED');
  return item.id;
}
