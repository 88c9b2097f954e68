// The words of a plan are made twice: by the database for what is stored, by contract/slots.ts for
// the editor. They must be the same.
import { integer, record, sample, tuple, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../../contract/days.ts';
import { describePlan, type Plan } from '../../../contract/slots.ts';
import { sql } from '../../db/connection.ts';
import { testApp } from '../../testing/app.ts';

const app = await testApp();

const two = (number: number) => String(number).padStart(2, '0');
const time = tuple(integer({ min: 0, max: 287 }), integer({ min: 1, max: 288 }));
const line = tuple(uniqueArray(integer({ min: 1, max: 7 }), { minLength: 1 }), time).map(
  ([weekdays, [start, length]]) =>
    weekdays.map((weekday): Plan[number] => [
      weekday,
      `${two(Math.floor(start / 12))}:${two((start % 12) * 5)}`,
      length * 5,
    ]),
);
const plans = record({
  plan: uniqueArray(line, {
    minLength: 1,
    maxLength: 4,
    selector: (kinds) => String(kinds[0]?.slice(1)),
  }).map((lines) => lines.flat()),
  first: integer({ min: 0, max: 3_650 }).map((days) => addDays('2026-01-01', days)),
  days: integer({ min: 0, max: 500 }),
});

const wordsOf = async (cases: { plan: Plan; first: string; last: string }[]) => {
  const { rows } = await sql<{ words: string }>`
    select plan_words(c -> 'plan', (c ->> 'first')::date, (c ->> 'last')::date) as words
    from jsonb_array_elements(${JSON.stringify(cases)}::jsonb) with ordinality as given (c, n)
    order by n`.execute(app.db);
  return rows.map(({ words }) => words);
};

it('are the same in the database and in the editor', async () => {
  const cases = sample(plans, { numRuns: 2_000, seed: 18 }).map(({ plan, first, days }) => ({
    plan,
    first,
    last: addDays(first, days),
  }));
  const ours = cases.map(({ plan, first, last }) => describePlan(plan, first, last));
  expect(await wordsOf(cases)).toEqual(ours);
  // Control: the comparison notices another order of the lines.
  const other = cases.map(({ plan, first, last }) => {
    const turned = plan.map(([day, ...time]): Plan[number] => [8 - day, ...time]);
    return { plan: turned, first, last };
  });
  expect(await wordsOf(other)).not.toEqual(ours);
});
