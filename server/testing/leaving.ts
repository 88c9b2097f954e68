// Pia with Tom and Ana, who bought Tennis and Chess together: ten meetings each, 90.00 and 80.00, and
// ten percent for the second child.
import { addToCart } from '../../contract/checkout/cart.ts';
import { openBasket } from '../../contract/checkout/checkout.ts';
import {
  changeLeavingTerms,
  type LeavingTerms,
  quoteSeat,
} from '../../contract/checkout/leaving.ts';
import { addDays } from '../../contract/platform/days.ts';
import { type Class, secretOf, type Shop } from './checkout.ts';
import { aClass, anAdmin, aUser } from './factories.ts';
import { aChild } from './family.ts';
import { aMeeting, inDays } from './meetings.ts';

export const someTerms: LeavingTerms = {
  withdraw: 0,
  steps: [
    { days: 14, card: 100, credit: 100 },
    { days: 3, card: 50, credit: 70 },
  ],
  begun: { card: 80, credit: 100 },
  resold: 0,
};

export async function setTerms({ app }: Pick<Shop, 'app'>, terms: LeavingTerms | null, of?: Class) {
  const { token } = await anAdmin(app);
  const classId = of && { classId: of.id };
  return app.send(changeLeavingTerms, { terms, ...classId }, token);
}

/** An approved class that meets every week, first after so many days. */
export async function aDatedClass(
  { app }: Pick<Shop, 'app'>,
  { name, cents, first = 20, count = 10, capacity = 10 }: Dated,
) {
  const klass = await aClass(app, { cents, capacity, ...(name && { name }) });
  for (let week = 0; week < count; week++)
    await aMeeting(app, klass, { day: addDays(inDays(first), 7 * week) });
  return klass;
}
interface Dated {
  name?: string;
  cents: number;
  first?: number;
  count?: number;
  capacity?: number;
}

export async function secondChild({ app }: Pick<Shop, 'app'>) {
  const rule = await app.db
    .insertInto('discount')
    .values({ kind: 'siblings', name: 'Siblings' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('discountStep')
    .values({ discountId: rule.id, rank: 2, percent: 10 })
    .execute();
}

type Wanted = { klass: Class; child?: { id: string } }[];

/** Buys them with one card payment; the enrolments in the order given. */
export async function buyTogether(
  { app, provider }: Pick<Shop, 'app' | 'provider'>,
  who: { token: string },
  wanted: Wanted,
  totalCents: number,
) {
  const items: string[] = [];
  for (const { klass, child } of wanted) {
    const item = { itemId: klass.id, ...(child && { participantId: child.id }) };
    items.push((await app.send(addToCart, item, who.token)).body.insertedId);
  }
  const { body } = await app.send(openBasket, { items, totalCents }, who.token);
  const { intent } = secretOf(body.clientSecret ?? '');
  await provider.confirm(body.clientSecret ?? '');
  const settled = await app.money.settle(intent);
  if (settled.outcome !== 'recorded') throw new Error(`a basket is ${settled.outcome}`);
  const { rows } = await app.pool.query<{ id: string; line_id: string }>(
    `select enrolment.id, line_id from enrolment join payment_line line on line.id = line_id
     where line.payment_id = $1 order by place`,
    [settled.payment.id],
  );
  return { intent, paymentId: settled.payment.id, seats: rows };
}

export async function tomAndAna(shop: Pick<Shop, 'app' | 'provider'>, given: Partial<Dated> = {}) {
  const { app } = shop;
  const pia = await aUser(app, { name: 'Pia' });
  const tom = await aChild(app, [pia], { name: 'Tom' });
  const ana = await aChild(app, [pia], { name: 'Ana' });
  const tennis = await aDatedClass(shop, { ...given, name: 'Tennis', cents: 9_000 });
  const chess = await aDatedClass(shop, { ...given, name: 'Chess', cents: 8_000 });
  const wanted = [
    { klass: tennis, child: tom },
    { klass: chess, child: ana },
  ];
  const bought = await buyTogether(shop, pia, wanted, 16_200);
  const [first, second] = bought.seats;
  const seats = { tom: first?.id ?? '', ana: second?.id ?? '' };
  const quote = (id: string) => app.send(quoteSeat, { id }, pia.token);
  return { ...bought, pia, tom, ana, tennis, chess, seats, quote };
}

/** So many days pass for these classes and their seats. */
export async function daysPass({ app }: Pick<Shop, 'app'>, classes: Class[], days: number) {
  const ids = [classes.map(({ id }) => id), days];
  await app.pool.query(
    `update enrolment set created_at = created_at - make_interval(days => $2) where class_id = any ($1)`,
    ids,
  );
  await app.pool.query('update meeting set day = day - $2::int where class_id = any ($1)', ids);
}
