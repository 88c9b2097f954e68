// The words of dates are made by the database and by contract/classes/slots.ts: they are the same.
import { array, constantFrom, integer, record, sample, tuple, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../contract/platform/days.ts';
import {
  describeDates,
  describePlan,
  type Plan,
  type Slot,
  weekly,
} from '../../contract/classes/slots.ts';
import { sql } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';

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
  const cases = sample(plans, { numRuns: 400, seed: 18 }).map(({ plan, first, days }) => ({
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

const asSent = ({ day, starts, minutes }: Slot) => [day, starts, minutes];

const runs = record({
  weekdays: uniqueArray(integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
  from: integer({ min: 0, max: 800 }).map((days) => addDays('2026-01-01', days)),
  days: integer({ min: 0, max: 40 }),
  moved: array(
    record({
      nth: integer({ min: 0, max: 9 }),
      by: integer({ min: -2, max: 2 }),
      starts: constantFrom('07:00', '16:00', '23:30'),
      minutes: constantFrom(60, 90),
    }),
    { maxLength: 5 },
  ),
}).map(({ weekdays, from, days, moved }) => {
  const slots = weekly({
    weekdays,
    from,
    until: addDays(from, days),
    starts: '16:00',
    minutes: 90,
  });
  for (const { nth, by, ...time } of moved) {
    const slot = slots[nth];
    if (slot) slots[nth] = { ...time, day: addDays(slot.day, by) };
  }
  return slots;
});

it('of dates are the same in both, with single meetings', async () => {
  const cases = sample(runs, { numRuns: 400, seed: 34 });
  const asked = cases.map((slots) => slots.map(asSent));
  const { rows } = await sql<{ words: string | null }>`
    select dates_words(c) as words
    from jsonb_array_elements(${JSON.stringify(asked)}::jsonb) with ordinality as given (c, n)
    order by n`.execute(app.db);
  const ours = cases.map((slots) => describeDates(slots));
  expect(rows.map(({ words }) => words ?? '')).toEqual(ours);
  // Control: the cases have all kinds of words.
  expect(ours.filter((words) => / and \d+ more · /.test(words)).length).toBeGreaterThan(10);
  expect(ours.filter((words) => /; \w{3} \d+ \w{3} · /.test(words)).length).toBeGreaterThan(100);
  expect(ours.filter((words) => !words.includes(';')).length).toBeGreaterThan(60);
});
