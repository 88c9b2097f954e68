// Who comes is changed, before the card is charged and after it.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, changeCartItem, changeWho, listCart } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import { createIntent, getReceipt, listEnrolments } from '../../contract/checkout/payments.ts';
import { aShop, balanced, type Class, record, rowsOf, until } from '../testing/checkout.ts';
import { aClass, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';
import { attach } from './payments/basket.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

type Person = { id: string };
const intoCart = async (who: TestUser, klass: Class, { id: participantId }: Person) =>
  (await app.send(addToCart, { itemId: klass.id, participantId }, who.token)).body.insertedId;
const pay = (who: TestUser, itemId: string) =>
  app.send(createIntent, { price: 19.99, itemId }, who.token);
const buy = async (who: TestUser, item: string) => {
  const { body } = await pay(who, item);
  await provider.confirm(body.clientSecret);
  return record(app, who, body.clientSecret);
};
const change = (who: TestUser, id: string, { id: participantId }: Person) =>
  app.send(changeCartItem, { id, participantId }, who.token);
const give = (who: TestUser, id: string, { id: participantId }: Person) =>
  app.send(changeWho, { id, participantId }, who.token);
const enrolmentsOf = ({ id }: Person) => rowsOf(app, 'enrolment', `participant_id = '${id}'`);
const onlyFor = (klass: Class, minAge: number, maxAge: number) =>
  app.db.updateTable('class').set({ minAge, maxAge }).where('id', '=', klass.id).execute();

/** A family with the class in the cart for Mia. */
async function aFamily(klass?: Class) {
  const [who, rui, chosen] = [await aUser(app), await aUser(app), klass ?? (await aClass(app))];
  const [mia, leo] = [await aChild(app, [who, rui]), await aChild(app, [who])];
  return { who, rui, klass: chosen, mia, leo, item: await intoCart(who, chosen, mia) };
}

/** Such a family that has paid. */
async function booked(klass?: Class) {
  const family = await aFamily(klass);
  const paid = await buy(family.who, family.item);
  const [seat] = await enrolmentsOf(family.mia);
  return { ...family, id: seat?.id ?? '', paymentId: paid.body.insertResult.insertedId };
}

describe('before the card', () => {
  it('a held seat stays held for another child, who is booked', async () => {
    const { who, klass, mia, leo, item } = await aFamily(await aClass(app, { capacity: 1 }));
    const first = await pay(who, item);
    expect((await change(who, item, leo)).body).toEqual({ modifiedCount: 1, clashes: [] });
    const now = await pay(who, item);
    expect(now.body).toMatchObject({ holdId: first.body.holdId, participant: leo.name });
    expect((await provider.confirm(first.body.clientSecret)).status).not.toBe(200);
    await provider.confirm(now.body.clientSecret);
    expect((await record(app, who, now.body.clientSecret)).status).toBe(201);
    expect([await enrolmentsOf(mia), await enrolmentsOf(leo)]).toMatchObject([
      [],
      [{ class_id: klass.id }],
    ]);
  });

  it('the name that was charged stands', async () => {
    const { who, mia, leo, item } = await aFamily();
    const { body } = await pay(who, item);
    await provider.confirm(body.clientSecret);
    expect((await change(who, item, leo)).body.code).toBe('ALREADY_PAID');
    expect([await enrolmentsOf(mia), await enrolmentsOf(leo)]).toMatchObject([[{}], []]);
  });

  it('a seat claimed for the name of before gets no payment', async () => {
    const { who, klass, mia, leo, item } = await aFamily();
    await app.pool.query('update class set held = 1 where id = $1', [klass.id]);
    const { rows } = await app.pool.query<Person>(
      `insert into hold (student_id, participant_id, class_id, item_id, list_cents, slot)
       values ($1, $2, $3, $4, 1999, 1) returning id`,
      [who.id, mia.id, klass.id, item],
    );
    const lines = rows.map(({ id }) => ({ id, participantId: mia.id, discount: 0, why: [] }));
    const attached = async ({ id }: Person) => {
      await app.pool.query('update cart_item set participant_id = $1 where id = $2', [id, item]);
      return app.db.transaction().execute((db) =>
        attach(db, who.id, lines, {
          rules: {},
          creditCents: 0,
          swapOf: null,
          swapCents: 0,
          swapBackCents: 0,
        }),
      );
    };
    expect(await attached(leo)).toBeNull();
    expect(await attached(mia)).not.toBeNull();
  });

  it('a child who cannot have the seat is refused', async () => {
    const { who, klass, leo, item, mia } = await aFamily();
    const partner = await aUser(app);
    const [ana, taken] = [await aChild(app, [who]), await aChild(app, [who, partner])];
    const codes = async (...people: Person[]) =>
      (await Promise.all(people.map((one) => change(who, item, one)))).map(({ body }) => body.code);
    await intoCart(who, klass, leo);
    await pay(partner, await intoCart(partner, klass, taken));
    expect(await codes(leo, taken, await aChild(app, [partner]))).toEqual([
      'ALREADY_IN_CART',
      'BEING_PAID',
      'NOT_FOUND',
    ]);
    await onlyFor(klass, 30, 40);
    expect(await codes(ana)).toEqual(['WRONG_AGE']);
    const { body } = await app.send(listCart, { email: who.email }, who.token);
    expect(body.find(({ _id }) => _id === item)?.participantId).toBe(mia.id);
  });

  it('a specified client pays for a seat whose ages do not fit', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    await onlyFor(klass, 7, 10);
    await app.pool.query(`update participant set born = '1990-01-01' where id = $1`, [who.id]);
    const { body } = await app.send(addToCart, { itemId: klass.id }, who.token);
    const quoted = await app.send(quoteBasket, { items: body.insertedId }, who.token);
    expect(quoted.body.lines).toMatchObject([{ state: 'ok', unfit: true, undated: true }]);
    expect((await pay(who, body.insertedId)).status).toBe(200);
  });

  it('the price that was seen is told after the discounts', async () => {
    const { who, klass } = await aFamily();
    const until = new Date(Date.now() + 60_000);
    const rule = { kind: 'early', name: 'Early', percent: 10, classId: klass.id, until };
    await app.db.insertInto('discount').values(rule).execute();
    await app.pool.query('update class set price_cents = 3000 where id = $1', [klass.id]);
    const { body } = await app.send(listCart, { email: who.email }, who.token);
    expect(body).toMatchObject([{ price: 27, listPrice: 30, seenPrice: 17.99 }]);
  });
});

describe('after the card', () => {
  it('a seat goes to a sibling: all are told, it is audited', async () => {
    const { who, rui, klass, leo, mia, id, paymentId } = await booked();
    const sold = () =>
      app.db.selectFrom('paymentLine').selectAll().where('paymentId', '=', paymentId).execute();
    const before = await sold();
    expect((await give(who, id, leo)).body).toEqual({ modifiedCount: 1, clashes: [] });
    expect(await sold()).toEqual(before);
    expect((await app.send(getReceipt, { id: paymentId }, who.token)).body).toMatchObject({
      lines: [{ participant: mia.name, nowFor: leo.name }],
    });
    const coach = app.db.selectFrom('user').select('email').where('id', '=', klass.instructorId);
    const { email } = await coach.executeTakeFirstOrThrow();
    const both = `${leo.name} comes to ${klass.name} instead of ${mia.name}`;
    for (const [to, subject] of [
      [email, both],
      [who.email, both],
      [rui.email, `${mia.name} does not come to ${klass.name} any more`],
    ] as const)
      await until(async () =>
        (await app.mail.messages(to)).some((mail) => mail.subject === subject),
      ).then((told) => expect(told).toBe(true));
    expect(await rowsOf(app, 'audit', `subject = '${id}'`)).toMatchObject([{ actor_id: who.id }]);
  });

  it('a seat is given by its payer, until a meeting has begun', async () => {
    const { who, rui, klass, mia, leo, id } = await booked();
    const may = async () =>
      (await app.send(listEnrolments, {}, who.token)).body.some((one) => one.mayChangeWho);
    expect((await give(rui, id, mia)).body.code).toBe('NOT_YOURS_TO_END');
    expect((await give(await aUser(app), id, mia)).status).toBe(404);
    await onlyFor(klass, 30, 40);
    expect((await give(who, id, leo)).body.code).toBe('WRONG_AGE');
    await app.pool.query('update class set min_age = null, max_age = null');
    await aMeetingRow(app, klass, { inMinutes: 60 });
    expect(await may()).toBe(true);
    const earlier = `update enrolment set created_at = now() - interval '2 hours' where id = $1`;
    await app.pool.query(earlier, [id]);
    await aMeetingRow(app, klass, { inMinutes: -90 });
    expect([(await give(who, id, leo)).body.code, await may()]).toEqual(['TOO_LATE', false]);
  });

  it('two seats that are given to one child at once: one is', async () => {
    const { who, klass, leo, id } = await booked(await aClass(app, { capacity: 5 }));
    const ana = await aChild(app, [who]);
    await buy(who, await intoCart(who, klass, ana));
    const [other] = await enrolmentsOf(ana);
    const given = await Promise.all([id, other?.id ?? ''].map((one) => give(who, one, leo)));
    const codes = given.map(({ body }) => body.code ?? 'given');
    expect(codes.toSorted()).toEqual(['ALREADY_ENROLLED', 'given']);
    const toLeo = 'update enrolment set participant_id = $1 where class_id = $2';
    const both = app.pool.query(toLeo, [leo.id, klass.id]);
    await expect(both).rejects.toThrow(/enrolment_one_per_class/);
  });

  it('a clash of the new name is told and not refused', async () => {
    const { who, leo, id, klass } = await booked();
    const other = await booked(await aClass(app));
    await aMeetingRow(app, klass);
    await aMeetingRow(app, other.klass);
    await intoCart(who, other.klass, leo);
    expect((await give(who, id, leo)).body.clashes).toMatchObject([{ with: other.klass.name }]);
  });
});
