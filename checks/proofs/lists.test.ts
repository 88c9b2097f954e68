// Twenty buyers hammer a full class while seats are added one by one for five families in line: nobody
// jumps, and every family has its offer within a second.
import { afterAll, expect, it } from 'vitest';
import { createClaims } from '../../server/checkout/seats/claim.ts';
import { connect } from '../../server/platform/db/connection.ts';
import { aShop, balanced, type Class, until } from '../../server/testing/checkout.ts';
import { aUser, type TestUser } from '../../server/testing/factories.ts';
import { lengthOf } from '../../server/testing/length.ts';
import { patient } from '../../server/testing/patient.ts';
import { aFullClass, join } from '../../server/testing/waiting.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
// Two processes have two pools.
const databases = [connect(app.url, patient), connect(app.url, patient)];
const processes = databases.map(({ db }) => createClaims(db));
afterAll(async () => {
  await balanced(shop);
  await Promise.all(databases.map((database) => database.close()));
});

const [families, crowd] = [5, 20];
type Buy = (who: TestUser, klass: Class, n: number) => Promise<boolean>;

const claim: Buy = async ({ id: studentId }, { id: classId, priceCents: amountCents }, n) => {
  const seat = { studentId, participantId: studentId, classId, cartItemId: null, amountCents };
  return (await processes[n % 2]?.({ claims: [seat], most: 3 })) != null;
};

/** A claim that reads the seats that are left, whoever waits for them. */
const ignoring: Buy = async ({ id }, klass) => {
  const { rowCount } = await app.pool
    .query(
      `with room as (select id from class where id = $2 and seats_left > 0 for no key update), made as (
      insert into hold (student_id, participant_id, class_id, list_cents, slot)
      select $1, $1, id, 1999, 1 from room on conflict do nothing returning class_id)
     update class set held = held + 1 from made where class.id = made.class_id`,
      [id, klass.id],
    )
    .catch(() => ({ rowCount: 0 }));
  return rowCount === 1;
};

/** How many buyers got a seat, how many families an offer, and after how many ms. */
async function hammered(buy: Buy) {
  const klass = await aFullClass(shop);
  const [waiting, buyers] = await Promise.all(
    [families, crowd].map((count) => Promise.all(Array.from({ length: count }, () => aUser(app)))),
  );
  for (const who of waiting ?? []) await join(app, who, [klass]);
  const heldFor = async (reason: string) => {
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from hold where class_id = $1 and reason = $2 and state = 'held'`,
      [klass.id, reason],
    );
    return rows[0]?.n ?? 0;
  };
  const state = { over: false };
  const hammers = (buyers ?? []).map(async (who, n) => {
    while (!state.over) await buy(who, klass, n);
  });
  const late: number[] = [];
  for (let n = 1; n <= families; n++) {
    const added = performance.now();
    await app.pool.query('update class set capacity = capacity + 1 where id = $1', [klass.id]);
    await until(async () => (await heldFor('offer')) + (await heldFor('cart')) >= n);
    late.push(performance.now() - added);
  }
  state.over = true;
  await Promise.all(hammers);
  return { jumped: await heldFor('cart'), offered: await heldFor('offer'), late };
}

const rounds = lengthOf(1);

it('20 buyers, 5 in line: nobody jumps', async () => {
  const late: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const told = await hammered(claim);
    expect(told).toMatchObject({ jumped: 0, offered: families });
    late.push(...told.late);
  }
  const p99 = late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)] ?? 0;
  console.log(`${late.length} offers, p99 ${Math.round(p99)} ms after the seat`);
  expect(p99).toBeLessThan(1_000);
});

it('control: buyers who do not look at the flag jump', async () => {
  expect((await hammered(ignoring)).jumped).toBeGreaterThan(0);
});
