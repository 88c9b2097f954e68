// The rush of families on three classes at once: N4, an ask gets all its seats or none.
// `npm run proofs -- baskets` sends 500 families at 20 seats in each class; `npm test` sends 60 at 5.
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../../server/platform/db/connection.ts';
import { createClaims } from '../../server/checkout/seats/claim.ts';
import { testApp } from '../../server/testing/app.ts';
import { seats } from '../../server/testing/checkout.ts';
import { aClass } from '../../server/testing/factories.ts';
import { isLong, lengthOf } from '../../server/testing/length.ts';

const families = lengthOf(60);
const capacity = isLong ? 20 : 5;
const app = await testApp();
// Two processes have two pools.
const databases = [connect(app.url), connect(app.url)];
afterAll(() => Promise.all(databases.map((database) => database.close())));

interface Family {
  id: string;
  /** In another order for each family. */
  wants: string[];
}

async function aRush() {
  const classes = [];
  for (let n = 0; n < 3; n++) classes.push(await aClass(app, { capacity }));
  const { rows } = await app.pool.query<{ id: string }>(
    `insert into "user" (name, email) select 'F', gen_random_uuid() || '@example.com' from generate_series(1, $1) returning id`,
    [families],
  );
  const ids = classes.map(({ id }) => id);
  const crowd = rows.map(({ id }, place): Family => {
    const turned = [...ids.slice(place % 3), ...ids.slice(0, place % 3)];
    // A third wants two of the three.
    return { id, wants: place % 3 === 1 ? turned.slice(0, 2) : turned };
  });
  const price = classes[0]?.priceCents ?? 0;
  return { ids, crowd, price };
}

const claimOf = (studentId: string, classId: string, amountCents: number) => ({
  studentId,
  participantId: studentId,
  classId,
  cartItemId: null,
  amountCents,
});

async function heldBy({ id }: Family): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    'select count(*)::int as n from hold where student_id = $1',
    [id],
  );
  return rows[0]?.n ?? 0;
}

const freeOf = async (classId: string) => {
  const { held, sold, capacity: all } = await seats(app, classId);
  return all - held - sold;
};

describe.each([
  ['one process each', true],
  ['two processes', false],
])(`${families} families, three classes, %s`, (_, alone) => {
  it('each get all or none, and nothing is oversold or left', async () => {
    const { ids, crowd, price } = await aRush();
    const doors = databases.map(({ db }) => createClaims(db));
    // As openBasket does: who was refused looks whether the seats are there, and asks again.
    const ask = async ({ id, wants }: Family, place: number) => {
      const { [place % 2]: database } = databases;
      const claimSeats = alone && database ? createClaims(database.db) : doors[place % 2];
      for (let round = 0; round < 5; round++) {
        const claims = wants.map((classId) => claimOf(id, classId, price));
        const granted = await claimSeats?.({ claims, most: 12 });
        if (granted) return granted.length;
        const free = await Promise.all(wants.map(freeOf));
        if (free.some((left) => left < 1)) return 0;
      }
      return 0;
    };
    const got = await Promise.all(crowd.map(ask));
    for (const [place, family] of crowd.entries()) {
      expect([0, family.wants.length]).toContain(got[place]);
      expect(await heldBy(family)).toBe(got[place]);
    }
    for (const id of ids) {
      const { held } = await seats(app, id);
      const live = await app.pool.query(`select from hold where class_id = $1`, [id]);
      expect([held, held <= capacity]).toEqual([live.rowCount, true]);
    }
    // Who has nothing could not have had it: one of the classes is full.
    const free = new Map<string, number>();
    for (const id of ids) free.set(id, await freeOf(id));
    const refused = crowd.filter((_, place) => got[place] === 0);
    expect(refused.filter(({ wants }) => wants.every((id) => (free.get(id) ?? 0) > 0))).toEqual([]);
  }, 600_000);
});

it('control: families that claim one by one get a part', async () => {
  const { crowd, price } = await aRush();
  const [door] = databases.map(({ db }) => createClaims(db));
  await Promise.all(
    crowd.flatMap(({ id, wants }) =>
      wants.map(async (classId) => door?.({ claims: [claimOf(id, classId, price)], most: 12 })),
    ),
  );
  const parts = await Promise.all(crowd.map(heldBy));
  expect(parts.some((n, place) => n > 0 && n < (crowd[place]?.wants.length ?? 0))).toBe(true);
}, 600_000);

it('twelve seats in one ask, and not a thirteenth', async () => {
  const { crowd, price } = await aRush();
  const [one] = crowd;
  const [door] = databases.map(({ db }) => createClaims(db));
  const classes = [];
  for (let n = 0; n < 13; n++) classes.push((await aClass(app, { capacity: 1 })).id);
  const all = (wanted: string[]) =>
    door?.({ claims: wanted.map((id) => claimOf(one?.id ?? '', id, price)), most: 12 });
  expect(await all(classes)).toBeNull();
  const granted = await all(classes.slice(0, 12));
  expect(granted?.map(({ slot }) => slot)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(await all(classes.slice(12))).toBeNull();
});
