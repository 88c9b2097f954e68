// TP10: a participant's own clashes are told at Select, in the cart and at Pay, and refuse nothing.
import { afterAll, expect, it } from 'vitest';
import { addToCart, listCart } from '../../contract/checkout/cart.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { aShop, balanced, type Class, record } from '../testing/checkout.ts';
import { aClass, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

async function aDatedClass(...inMinutes: number[]): Promise<Class> {
  const klass = await aClass(app);
  for (const start of inMinutes) await aMeetingRow(app, klass, { inMinutes: start });
  return klass;
}
const select = (who: TestUser, klass: Class, participantId: string) =>
  app.send(addToCart, { itemId: klass.id, participantId }, who.token);
const pay = (who: TestUser, itemId: string) =>
  app.send(createIntent, { price: 19.99, itemId }, who.token);
const inCart = async (who: TestUser, id: string) =>
  (await app.send(listCart, { email: who.email }, who.token)).body.find(({ _id }) => _id === id);

it('a pair of classes is told three times, not for a sibling', async () => {
  const who = await aUser(app);
  const [mia, leo] = [await aChild(app, [who]), await aChild(app, [who])];
  // Of the two meetings one overlaps, by ten minutes; the first begins when the other ends.
  const tennis = await aDatedClass(1_000, 3_000);
  const soccer = await aDatedClass(1_060, 3_050);
  const first = await select(who, tennis, mia.id);
  expect(first.body).not.toHaveProperty('clashes');
  const clash = {
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    starts: expect.stringMatching(/^\d\d:\d\d$/) as string,
    kind: 'participant',
    with: tennis.name,
    classId: tennis.id,
  };
  const second = await select(who, soccer, mia.id);
  expect(second).toMatchObject({ status: 201, body: { clashes: [clash] } });
  expect(await inCart(who, second.body.insertedId)).toMatchObject({ clashes: [clash] });
  expect(await inCart(who, first.body.insertedId)).toMatchObject({
    clashes: [{ with: soccer.name }],
  });
  expect((await pay(who, second.body.insertedId)).body.clashes).toEqual([clash]);

  const sibling = await select(who, soccer, leo.id);
  expect(sibling.body).not.toHaveProperty('clashes');
  expect(await inCart(who, sibling.body.insertedId)).not.toHaveProperty('clashes');
  expect((await pay(who, sibling.body.insertedId)).body).not.toHaveProperty('clashes');
});

it('classes booked, or being paid by another, are told too', async () => {
  const [one, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [one, other]);
  const [tennis, soccer, yoga] = [
    await aDatedClass(2_000),
    await aDatedClass(2_000),
    await aDatedClass(2_030),
  ];
  const bought = await pay(one, (await select(one, tennis, child.id)).body.insertedId);
  await provider.confirm(bought.body.clientSecret);
  await record(app, one, bought.body.clientSecret);
  await pay(other, (await select(other, soccer, child.id)).body.insertedId);
  const { clashes = [] } = (await select(one, yoga, child.id)).body;
  expect(clashes.map((clash) => clash.with).toSorted()).toEqual(
    [tennis.name, soccer.name].toSorted(),
  );
});

it('only meetings to come count, and not the cart of another', async () => {
  const [one, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [one, other]);
  const klass = await aDatedClass(-2_000, 2_000);
  const past = await aDatedClass(-2_000, 5_000);
  const cancelled = await aClass(app);
  await aMeetingRow(app, cancelled, { inMinutes: 2_000, state: 'cancelled' });
  await aMeetingRow(app, cancelled, { inMinutes: 7_000 });
  for (const mine of [past, cancelled]) await select(one, mine, child.id);
  await select(other, await aDatedClass(2_000), child.id);
  expect((await select(one, klass, child.id)).body).not.toHaveProperty('clashes');
});

it('a meeting of 24 hours clashes with the day before and after', async () => {
  const who = await aUser(app);
  const [before, after, apart] = [
    await aDatedClass(3 * 1_440 - 59),
    await aDatedClass(4 * 1_440 - 1),
    await aDatedClass(4 * 1_440),
  ];
  for (const klass of [before, after, apart]) await select(who, klass, who.id);
  const camp = await aClass(app);
  await aMeetingRow(app, camp, { inMinutes: 3 * 1_440, minutes: 1_440 });
  const { body } = await select(who, camp, who.id);
  const names = new Set(body.clashes?.map(({ with: name }) => name));
  expect(names).toEqual(new Set([before.name, after.name]));
});
