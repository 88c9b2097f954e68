// The words of dates are made by the database and by contract/classes/slots.ts: they are the same.
import { array, constantFrom, integer, record, sample, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../contract/platform/days.ts';
import { describeDates, type Slot, weekly } from '../../contract/classes/slots.ts';
import { sql } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';

const app = await testApp();

const asSent = ({ day, starts, minutes }: Slot) => [day, starts, minutes];

const weekdays = (minLength: number) =>
  uniqueArray(integer({ min: 1, max: 7 }), { minLength, maxLength: 7 });

/** Two weekly times, the second one perhaps on no day, with some meetings moved. */
const runs = record({
  afternoons: weekdays(1),
  evenings: weekdays(0),
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
}).map(({ afternoons, evenings, from, days, moved }) => {
  const run = { from, until: addDays(from, days), minutes: 90 };
  const slots = weekly({ ...run, weekdays: afternoons, starts: '16:00' });
  slots.push(...weekly({ ...run, weekdays: evenings, starts: '18:05' }));
  for (const { nth, by, ...time } of moved) {
    const slot = slots[nth];
    if (slot) slots[nth] = { ...time, day: addDays(slot.day, by) };
  }
  return slots;
});

it('are the same in the database and in the editor', async () => {
  const cases = sample(runs, { numRuns: 800, seed: 34 });
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
