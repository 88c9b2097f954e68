// Baskets of several seats: through the API, or without the cart: the rows of its holds, then
// attached, opened and paid as the app does it.
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { DB } from '../platform/db/schema.ts';
import { attach, keepIntent } from '../checkout/payments/basket.ts';
import { metadataOf } from '../checkout/payments/metadata.ts';
import { openBasket } from '../../contract/checkout/checkout.ts';
import type { TestApp } from './app.ts';
import { type Asks, type Class, intoCart, secretOf, type Shop } from './checkout.ts';
import { aClass, aUser, type TestUser } from './factories.ts';

/** A paid and settled basket with a seat in a new class for each price. */
export async function aBoughtBasket(
  { app, provider }: Pick<Shop, 'app' | 'provider'>,
  { prices = [1_999, 1_999], card, who }: { prices?: number[]; card?: string; who?: TestUser } = {},
) {
  const student = who ?? (await aUser(app));
  const holds: Selectable<DB['hold']>[] = [];
  for (const [place, listCents] of prices.entries()) {
    const klass = await aClass(app, { capacity: 5, cents: listCents });
    await app.pool.query('update class set held = 1 where id = $1', [klass.id]);
    const { id: studentId } = student;
    const row = { studentId, participantId: studentId, classId: klass.id, listCents };
    holds.push(
      await app.db
        .insertInto('hold')
        .values({ ...row, slot: place + 1 })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  }
  const seats = holds.map((hold) => ({ ...hold, discount: 0, why: [] }));
  const basket = await app.db.transaction().execute((db) => attach(db, student.id, seats, {}));
  if (!basket) throw new Error('a basket was not made');
  const { id: intent, clientSecret } = await app.cards.openIntent({
    amountCents: basket.totalCents,
    currency: basket.currency,
    metadata: metadataOf(app.config, basket, holds),
    key: `pi:${basket.id}:1`,
  });
  expect(await keepIntent(app.db, basket, intent)).toBe(true);
  await provider.confirm(clientSecret, card);
  const settled = await app.money.settle(intent);
  if (settled.outcome !== 'recorded') throw new Error(`a basket is ${settled.outcome}`);
  const { rows: lines } = await app.pool.query<{ id: string; enrolment: string; class_id: string }>(
    `select line.id, enrolment.id as enrolment, line.class_id from payment_line line
     left join enrolment on enrolment.line_id = line.id where line.payment_id = $1 order by place`,
    [settled.payment.id],
  );
  return { who: student, intent, paymentId: settled.payment.id, lines };
}

export interface Family {
  who: TestUser;
  classes: Class[];
  items: string[];
  totalCents: number;
}

/** A student with classes in the cart, the given ones first. */
export async function aFamily(app: TestApp, count = 3, given: Class[] = []): Promise<Family> {
  const who = await aUser(app);
  const classes = [...given];
  while (classes.length < count) classes.push(await aClass(app, { cents: 1_999 }));
  const items = [];
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
