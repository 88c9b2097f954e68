// What the specified calls answer, in the shapes of the specification (docs/spec.md, section 7): decimal
// prices, `_id`, and nothing where there is nothing to say. Our own calls always have all their fields.
import type { CartItem, Booked } from '../../contract/checkout/cart.ts';
import type {
  createIntent,
  Payment,
  PaymentEntity,
  ReceiptLine,
  recordPayment,
} from '../../contract/checkout/payments.ts';
import type { Answer } from '../../contract/platform/call.ts';
import { dollars } from '../../contract/platform/rules.ts';
import type { Caller } from '../platform/http/on.ts';
import type { Found } from './payments/look.ts';
import type { Recorded } from './payments/rows.ts';

type Known<T> = { [K in keyof T]?: Exclude<T[K], null | false> };

/** The fields that say something: neither null, false nor empty. */
export const known = <T extends object>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields as Record<string, { length?: number } | null>).filter(
      ([, value]) => value !== null && (value as unknown) !== false && value.length !== 0,
    ),
  ) as Known<T>;

type InCart = CartItem & { nowCents: number };

export function booked(item: InCart, { email }: Caller): Booked {
  const { classId, name, img, seat, state, cents, nowCents, participant, participantId } = item;
  const { inReview, paying, schedule, place, minAge, maxAge, clashes } = item;
  const listPrice = cents !== nowCents && dollars(nowCents);
  const others = { listPrice, participant, participantId: participant !== null && participantId };
  return {
    _id: item.cartItemId,
    itemId: classId,
    name,
    img,
    email,
    seat,
    state,
    price: dollars(cents),
    seenPrice: dollars(item.seenCents),
    ...known({ ...others, inReview, paying, schedule, place, minAge, maxAge, clashes }),
  };
}

type Opened = { hold: { id: string; expiresAt: Date }; clientSecret: string; cents: number };

export const intentOf = (
  { classId: itemId, name, participant }: Found,
  { hold, clientSecret, cents, clashes }: Opened & Pick<CartItem, 'clashes'>,
): Answer<typeof createIntent> => ({
  clientSecret,
  holdId: hold.id,
  expiresAt: hold.expiresAt.toISOString(),
  itemId,
  name,
  price: dollars(cents),
  ...known({ participant, clashes }),
});

export const paymentEntity = ({
  classId,
  ...of
}: Payment & { classId: string }): PaymentEntity => ({
  _id: of.paymentId,
  email: of.email,
  customer: of.customer,
  itemId: classId,
  transactionId: of.transactionId,
  price: dollars(of.cents),
  date: of.date,
  status: of.status,
  itemName: of.itemName,
  receiptNumber: of.receiptNumber,
  ...(of.seats > 1 && { seats: of.seats }),
  ...(of.backCents > 0 && of.backCents < of.cents && { refunded: dollars(of.backCents) }),
});

/** The answer to a recorded payment. It has lines when there are several. */
export const recorded = (
  { id: insertedId, status }: Recorded,
  lines: readonly ReceiptLine[],
): Answer<typeof recordPayment> => ({
  insertResult: { insertedId },
  status,
  ...(lines.length > 1 && {
    lines: lines.map(({ classId, participant, state }) => ({
      itemId: classId,
      ...known({ participant }),
      outcome: state === 'refused' ? ('refused' as const) : ('enrolled' as const),
    })),
  }),
});
