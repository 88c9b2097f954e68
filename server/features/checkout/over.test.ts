// TP6: no seat is sold of a class whose last meeting has ended, also before the chore has said so.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart } from '../../../contract/cart.ts';
import { sql } from '../../db/connection.ts';
import { aShop, aShopper, balanced, openIntent, seats } from '../../testing/checkout.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aMeetingRow } from '../../testing/family.ts';
import { createClaims } from './seats/claim.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

/** The meeting ended a minute ago. The chore, which sets `over`, has not run. */
async function itEnds(klass: { id: string; instructorId: string }) {
  await aMeetingRow(app, klass, { inMinutes: -61, minutes: 60 });
  await app.pool.query('update class set over = false where id = $1', [klass.id]);
}

const claimOf = (klass: { id: string; priceCents: number }, id: string) => ({
  studentId: id,
  participantId: id,
  classId: klass.id,
  cartItemId: null,
  amountCents: klass.priceCents,
});

describe('a class whose last meeting has ended', () => {
  it('cannot be selected', async () => {
    const klass = await aClass(app);
    await itEnds(klass);
    const who = await aUser(app);
    const { status, body } = await app.send(addToCart, { itemId: klass.id }, who.token);
    expect([status, body.code]).toEqual([409, 'CLASS_OVER']);
  });

  it('cannot be paid for by those who have it in the cart', async () => {
    const { who, klass } = await aShopper(app);
    await itEnds(klass);
    const { status, body } = await openIntent(app, who, klass);
    expect([status, body.code]).toEqual([409, 'CLASS_OVER']);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('gives up a seat that was held before its end', async () => {
    const { who, klass } = await aShopper(app);
    expect((await openIntent(app, who, klass)).status).toBe(200);
    await itEnds(klass);
    expect((await openIntent(app, who, klass)).body.code).toBe('CLASS_OVER');
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('is sold while it goes on, and hidden like any other while it is not approved', async () => {
    const { who, klass } = await aShopper(app);
    await aMeetingRow(app, klass, { inMinutes: -30, minutes: 60 });
    expect((await openIntent(app, who, klass)).status).toBe(200);
    const denied = await aClass(app, { status: 'denied' });
    await itEnds(denied);
    const answer = await app.send(addToCart, { itemId: denied.id }, who.token);
    expect(answer.status).toBe(404);
  });

  it('is refused by the claim itself, to everybody who asks at that minute', async () => {
    const klass = await aClass(app);
    await itEnds(klass);
    const students = await Promise.all(Array.from({ length: 5 }, () => aUser(app)));
    const claim = createClaims(app.db);
    const claims = await Promise.all(students.map(({ id }) => claim(claimOf(klass, id))));
    expect(claims).toEqual(students.map(() => null));
  });

  it('control: would be granted if the claim asked only for the shelf', async () => {
    const klass = await aClass(app);
    await itEnds(klass);
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
