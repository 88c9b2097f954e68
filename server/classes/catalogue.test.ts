import { describe, expect, it } from 'vitest';
import { type Class, classSorts, listClasses } from '../../contract/classes/classes.ts';
import { testApp } from '../testing/app.ts';
import { anInstructor } from '../testing/factories.ts';
import { query } from '../testing/postgres.ts';

const app = await testApp();
const teacher = await anInstructor(app);

// The classes of every word are spread over all sort orders.
await query(
  app.url,
  `insert into class (instructor_id, name, img, price_cents, capacity, sold, status, created_at, place)
   select $1, 'Class ' || abs(hashint4(n) % 70), '/x.webp', 1000 + abs(hashint4(n + 1) % 90), 20 + n % 3, abs(hashint4(n + 2) % 15),
     'approved', now() - abs(hashint4(n + 3) % 80) * interval '1 minute',
     concat_ws(' ', case when n > 800 then 'late' end, case when n = 900 then 'once' end)
   from generate_series(1, 1200) n`,
  [teacher.id],
);
// Seats are held in the twenty with the most unsold seats, which therefore do not have the most
// free seats, and in twenty that only now are on the first pages of the fewest free seats.
await app.pool.query(`
  with ranked as (select id, row_number() over (order by capacity - sold, id) as n from class)
  update class set held = 2 + ranked.n % 3 from ranked
  where ranked.id = class.id and (ranked.n between 151 and 170 or ranked.n > 1180)`);

const classes = await app.db.selectFrom('class').selectAll().execute();
type Stored = (typeof classes)[number];

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const free = (one: Stored) => one.capacity - one.held - one.sold;
const orders: Record<(typeof classSorts)[number], (a: Stored, b: Stored) => number> = {
  popular: (a, b) => b.sold - a.sold || byText(a.id, b.id),
  new: (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byText(b.id, a.id),
  name: (a, b) => byText(a.name.toLowerCase(), b.name.toLowerCase()) || byText(a.id, b.id),
  '-name': (a, b) => byText(b.name.toLowerCase(), a.name.toLowerCase()) || byText(b.id, a.id),
  price: (a, b) => a.priceCents - b.priceCents || byText(a.id, b.id),
  '-price': (a, b) => b.priceCents - a.priceCents || byText(b.id, a.id),
  seat: (a, b) => free(a) - free(b) || byText(a.id, b.id),
  '-seat': (a, b) => free(b) - free(a) || byText(b.id, a.id),
  status: (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byText(a.id, b.id),
};

const shown = (hit: Class) => `${hit._id} ${hit.seat}`;
const listed = async (input: object) => {
  const { body } = await app.send(listClasses, { status: 'approved', limit: 40, ...input });
  return { total: body.total, rows: body.result.map(shown) };
};

describe('every order of the catalogue', () => {
  const ways = ['', 'late'].flatMap((word) => classSorts.map((sort) => ({ word, sort })));

  it.each(ways)('is kept from page to page: $sort $word', async ({ word, sort }) => {
    const matching = classes.filter((one) => one.place.includes(word)).toSorted(orders[sort]);
    const total = matching.length;
    for (const page of [1, 2, Math.ceil(total / 40)]) {
      const expected = matching
        .slice((page - 1) * 40, page * 40)
        .map((one) => `${one.id} ${free(one)}`);
      expect(await listed({ sort, page, ...(word && { search: word }) })).toEqual({
        total,
        rows: expected,
      });
    }
  });

  it('finds the only class with a word and every other filter', async () => {
    const only = classes.find((one) => one.place.includes('once'));
    const price = ((only?.priceCents ?? 0) / 100).toFixed(2);
    const found = await listed({
      search: 'late onc',
      minPrice: price,
      maxPrice: price,
      free: 'true',
      sort: '-seat',
    });
    expect(found).toEqual({ total: 1, rows: [`${only?.id} ${only ? free(only) : 0}`] });
  });
});
