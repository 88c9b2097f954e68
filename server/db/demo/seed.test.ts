import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { seed } from './seed.ts';

const app = await testApp();
const plain = (password: string) => Promise.resolve(`hash of ${password}`);

it('fills an empty database once, also when called repeatedly and concurrently', async () => {
  const written = await Promise.all([seed(app, plain), seed(app, plain), seed(app, plain)]);
  expect(written.filter(Boolean)).toHaveLength(1);
});

it('has enough classes, one sold out, one with a single seat, two pending, one denied with feedback', async () => {
  const rows = await app.db.selectFrom('class').selectAll().execute();
  const approved = rows.filter((row) => row.status === 'approved');
  expect(approved.length).toBeGreaterThanOrEqual(14);
  expect(new Set(approved.map((row) => row.sport)).size).toBeGreaterThan(8);
  expect(approved.filter((row) => row.sold === row.capacity)).toHaveLength(1);
  expect(approved.filter((row) => row.capacity - row.sold === 1).length).toBeGreaterThanOrEqual(1);
  expect(rows.filter((row) => row.status === 'pending')).toHaveLength(2);
  expect(
    rows.filter((row) => row.status === 'denied').map((row) => row.feedback.length > 20),
  ).toEqual([true]);
});

it('leaves balanced books: every sold seat is an enrolment with its payment', async () => {
  const sold = await app.db
    .selectFrom('class')
    .select((all) => all.fn.sum<string>('sold').as('n'))
    .executeTakeFirstOrThrow();
  const enrolled = await app.db
    .selectFrom('enrolment')
    .select((all) => all.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(Number(sold.n)).toBe(enrolled.n);
  expect(enrolled.n).toBeGreaterThan(50);
});
