import { describe, expect, it } from 'vitest';
import { type Class, classSorts, listClasses } from '../../../contract/classes.ts';
import { testApp } from '../../testing/app.ts';
import { anInstructor } from '../../testing/factories.ts';
import { query } from '../../testing/postgres.ts';

const app = await testApp();
const teacher = await anInstructor(app);

// Enough classes that a word in all of them ("always") is not counted and a word in a third of them
// ("late") is. Both are found by a scan in sort order. "seldom" and "once" use the index of words.
// The classes of every word are spread over all sort orders.
await query(
  app.url,
  `insert into class (instructor_id, name, img, price_cents, capacity, sold, status, created_at, place)
   select $1, 'Class ' || abs(hashint4(n) % 700), '/x.webp', 1000 + abs(hashint4(n + 1) % 90), 20 + n % 3, abs(hashint4(n + 2) % 15),
     'approved', now() - abs(hashint4(n + 3) % 800) * interval '1 minute',
     concat_ws(' ', 'always', case when n > 8000 then 'late' end, case when n % 45 = 0 then 'seldom' end, case when n = 9000 then 'once' end)
   from generate_series(1, 12000) n`,
  [teacher.id],
);
// Thirty students hold three seats each in forty classes: in the twenty with the most unsold seats,
// which therefore do not have the most free seats, and in twenty that only now are on the first
// pages of the fewest free seats.
await app.pool.query(`
  with students as (
    insert into "user" (name, email, role) select 'Holder ' || n, 'holder' || n || '@example.com', 'student' from generate_series(1, 30) n returning id
  ), numbered as (select id, row_number() over () as n from students),
  ranked as (select id, row_number() over (order by capacity - sold, id) as n from class),
  chosen as (select id, row_number() over () - 1 as n from ranked where n between 151 and 170 or n > 11980)
  insert into hold (student_id, participant_id, class_id, list_cents, slot)
    select numbered.id, numbered.id, chosen.id, 1000, slot from numbered, generate_series(1, 3) slot, chosen where chosen.n = (numbered.n + 13 * slot) % 40`);
await app.pool.query(`
  update class set held = open.n from (select class_id, count(*) as n from hold group by 1) open where open.class_id = class.id`);

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
  const words = {
    nothing: '',
    'what all have': 'always',
    'what a third has': 'late',
    'what few have': 'seldom',
  };
  const ways = Object.entries(words).flatMap(([kind, word]) =>
    classSorts.map((sort) => ({ kind, word, sort })),
  );

  it.each(ways)('is kept from page to page: $sort, searched for $kind', async ({ word, sort }) => {
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

  it('keeps a class whose counter of held seats has drifted from its holds', async () => {
    const only = classes.find((one) => one.place.includes('once'));
    await app.pool.query('update class set held = 1 where id = $1', [only?.id]);
    const rows = [`${only?.id} ${only ? free(only) - 1 : 0}`];
    await expect.poll(() => listed({ search: 'once', sort: 'seat' })).toEqual({ total: 1, rows });
    await app.pool.query('update class set held = 0 where id = $1', [only?.id]);
  });

  it('finds the only class with a word, combined with every other filter', async () => {
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
