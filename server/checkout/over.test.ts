// TP6: no seat is sold of a class whose last meeting has begun, also before the chore has said so.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart } from '../../contract/checkout/cart.ts';
import { extendHold } from '../../contract/checkout/payments.ts';
import { sql } from '../platform/db/connection.ts';
import { aShop, aShopper, balanced, openIntent, seats } from '../testing/checkout.ts';
import { aClass, aUser } from '../testing/factories.ts';
import { aMeetingRow } from '../testing/family.ts';
import { createClaims } from './seats/claim.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

/** The meeting began a minute ago. The chore, which sets `over`, has not run. */
async function itBegins(klass: { id: string; instructorId: string }) {
  await aMeetingRow(app, klass, { inMinutes: -1, minutes: 60 });
  await app.pool.query('update class set over = false where id = $1', [klass.id]);
}

const claimOf = (klass: { id: string; priceCents: number }, id: string) => ({
  studentId: id,
  participantId: id,
  classId: klass.id,
  cartItemId: null,
  amountCents: klass.priceCents,
});

describe('a class whose last meeting has begun', () => {
  it('cannot be selected', async () => {
    const klass = await aClass(app);
    await itBegins(klass);
    const who = await aUser(app);
    const { status, body } = await app.send(addToCart, { itemId: klass.id }, who.token);
    expect([status, body.code]).toEqual([409, 'CLASS_OVER']);
  });

  it('cannot be paid for by those who have it in the cart', async () => {
    const { who, klass } = await aShopper(app);
    await itBegins(klass);
    const { status, body } = await openIntent(app, who, klass);
    expect([status, body.code]).toEqual([409, 'CLASS_OVER']);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('gives up a seat that was held before', async () => {
    const { who, klass } = await aShopper(app);
    expect((await openIntent(app, who, klass)).status).toBe(200);
    await itBegins(klass);
    expect((await openIntent(app, who, klass)).body.code).toBe('CLASS_OVER');
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('has held no seat longer than until then, extended or not', async () => {
    const { who, klass } = await aShopper(app);
    await aMeetingRow(app, klass, { inMinutes: 5, minutes: 60 });
    expect((await openIntent(app, who, klass)).status).toBe(200);
    const until = async () => {
      const { rows } = await app.pool.query<{ id: string; same: boolean }>(
        `select hold.id, expires_at = closes_at as same from hold join class on class.id = class_id
          where class_id = $1`,
        [klass.id],
      );
      return rows[0];
    };
    const hold = await until();
    expect(hold?.same).toBe(true);
    await app.send(extendHold, { id: hold?.id ?? '' }, who.token);
    expect((await until())?.same).toBe(true);
  });

  it('is hidden like any other while it is not approved', async () => {
    const who = await aUser(app);
    const denied = await aClass(app, { status: 'denied' });
    await itBegins(denied);
    const answer = await app.send(addToCart, { itemId: denied.id }, who.token);
    expect(answer.status).toBe(404);
  });

  it('is refused by the claim itself, to everybody who asks at that minute', async () => {
    const klass = await aClass(app);
    await itBegins(klass);
    const students = await Promise.all(Array.from({ length: 5 }, () => aUser(app)));
    const claim = createClaims(app.db);
    const claims = await Promise.all(students.map(({ id }) => claim(claimOf(klass, id))));
    expect(claims).toEqual(students.map(() => null));
  });

  it('control: would be granted if the claim asked only for the shelf', async () => {
    const klass = await aClass(app);
    await itBegins(klass);
    const who = await aUser(app);
    const undone = new Error('undone');
    const granted: unknown[] = [];
    const run = app.db.transaction().execute(async (db) => {
      await sql`create or replace function on_sale(class) returns boolean language sql stable as
        $$ select $1.shelf = 'approved' $$`.execute(db);
      granted.push(await createClaims(db)(claimOf(klass, who.id)));
      throw undone;
    });
    await expect(run).rejects.toBe(undone);
    expect(granted).toEqual([expect.objectContaining({ amountCents: 1_999 })]);
  });
});
