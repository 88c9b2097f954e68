// Baskets of several seats, through the API.
import { expect } from 'vitest';
import { openBasket } from '../../contract/checkout/checkout.ts';
import type { TestApp } from './app.ts';
import { type Asks, type Class, intoCart, secretOf, type Shop } from './checkout.ts';
import { aClass, aUser } from './factories.ts';

export type Family = Awaited<ReturnType<typeof aFamily>>;

/** A student with classes in the cart, the given ones first. */
export async function aFamily(app: TestApp, count = 3, given: Class[] = []) {
  const who = await aUser(app);
  const classes = [...given];
  while (classes.length < count) classes.push(await aClass(app, { cents: 1_999 }));
  const items: string[] = [];
  for (const klass of classes) items.push(await intoCart(app, who, klass));
  const totalCents = classes.reduce((sum, { priceCents }) => sum + priceCents, 0);
  return { who, classes, items, totalCents };
}

export const payAll = (app: Asks, { who, items, totalCents }: Family) =>
  app.send(openBasket, { items, totalCents }, who.token);

/** A basket whose secret was returned. */
export async function anOpenBasket(app: TestApp, family: Family) {
  const { status, body } = await payAll(app, family);
  expect({ status, code: body.code }).toEqual({ status: 200 });
  const secret = body.clientSecret ?? '';
  return { ...body, secret, intent: secretOf(secret).intent };
}

/** A paid and settled basket with a seat in a new class for each price. */
export async function aBoughtBasket(
  { app, provider }: Pick<Shop, 'app' | 'provider'>,
  { prices = [1_999, 1_999], card }: { prices?: number[]; card?: string } = {},
) {
  const classes: Class[] = [];
  for (const cents of prices) classes.push(await aClass(app, { capacity: 5, cents }));
  const family = await aFamily(app, prices.length, classes);
  const { intent, secret } = await anOpenBasket(app, family);
  await provider.confirm(secret, card);
  const settled = await app.money.settle(intent);
  if (settled.outcome !== 'recorded') throw new Error(`a basket is ${settled.outcome}`);
  const { rows: lines } = await app.pool.query<{ id: string; enrolment: string; class_id: string }>(
    `select line.id, enrolment.id as enrolment, line.class_id from payment_line line
     left join enrolment on enrolment.line_id = line.id where line.payment_id = $1 order by place`,
    [settled.payment.id],
  );
  return { who: family.who, intent, paymentId: settled.payment.id, lines };
}
