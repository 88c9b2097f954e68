// The planner's promises: never a clash, never a full class, never a wrong age.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, weekdayOf } from '../../../../contract/platform/days.ts';
import type { PlannedClass } from '../../../../contract/classes/plans.ts';
import { fitsAge, planWeek, spanOf, type PlannedChild, type Wishes } from './search.ts';

const anything: Wishes = { sports: [], days: [], times: [] };

const usual = {
  day: '2027-01-04',
  starts: '16:00',
  minutes: 60,
  weeks: 4,
  place: 'Court 1',
};
/** A class that meets every week. */
function aClass(_id: string, given: Partial<PlannedClass & typeof usual> = {}): PlannedClass {
  const { day, starts, minutes, weeks, place, ...more } = { ...usual, ...given };
  return {
    _id,
    name: _id,
    sport: 'Tennis',
    level: 'all',
    price: 100,
    seat: 5,
    schedule: '',
    minAge: null,
    maxAge: null,
    firstDay: day,
    week: [{ weekday: weekdayOf(day), starts, minutes }],
    meetings: Array.from({ length: weeks }, (_, week) => ({
      startsAt: `${addDays(day, 7 * week)}T${starts}:00Z`,
      minutes,
      place,
    })),
    ...more,
  };
}

const aChild = (name: string, more: Partial<PlannedChild> = {}): PlannedChild => ({
  id: name,
  name,
  born: '2018-05-04',
  busy: [],
  has: new Set(),
  ...more,
});
const overlap = (one: readonly [number, number], other: readonly [number, number]) =>
  one[0] < other[1] && other[0] < one[1];
const missing = (who: PlannedChild[], what: PlannedClass) =>
  planWeek(who, [what], anything).missing;
const named = (proposal: ReturnType<typeof planWeek>['proposals'][number] | undefined) =>
  proposal?.choices.map(({ child, item }) => `${child.name}: ${item.name}`);

describe('a plan', () => {
  const [mia, leo] = [aChild('Mia'), aChild('Leo', { born: '2015-02-01' })];

  it('puts siblings at the same place at the same time', () => {
    const { proposals } = planWeek(
      [mia, leo],
      [
        aClass('Small, Monday', { maxAge: 9 }),
        aClass('Small, Tuesday', { maxAge: 9, day: '2027-01-05' }),
        aClass('Tall, Tuesday', { minAge: 10, day: '2027-01-05', starts: '16:15' }),
        aClass('Tall, elsewhere', { minAge: 10, place: 'Pool' }),
      ],
      anything,
    );
    expect(named(proposals[0])).toEqual(['Mia: Small, Tuesday', 'Leo: Tall, Tuesday']);
    expect(proposals[0]?.why).toEqual([
      'Mia and Leo are at Court 1 at the same time.',
      'One trip a week: Tue.',
      'Nothing overlaps with a class they have.',
    ]);
  });

  it('says once who is together, however many they are', () => {
    const ada = aChild('Ada');
    const classes = [aClass('Small', { maxAge: 9 }), aClass('Tall', { minAge: 10 })];
    const { proposals } = planWeek([mia, leo, ada], classes, anything);
    expect(proposals[0]?.why[0]).toBe('Mia, Leo and Ada are at Court 1 at the same time.');
    const same = planWeek([mia, leo, ada], [aClass('All')], anything).proposals[0];
    expect(same?.why[0]).toBe('Mia, Leo and Ada are in the same class.');
    expect(same?.why).toHaveLength(3);
  });

  it('says when siblings are at different places at the same time', () => {
    const apart = [aClass('Small', { maxAge: 9 }), aClass('Tall', { minAge: 10, place: 'Pool' })];
    const { proposals } = planWeek([mia, leo], apart, anything);
    expect(proposals.map(({ but }) => but)).toEqual([
      ['Mia and Leo have class at the same time at different places.'],
    ]);
  });

  it('is only of wished sports, days and times of day', () => {
    const classes = [
      aClass('Right'),
      aClass('Sport', { sport: 'Yoga' }),
      aClass('Day', { day: '2027-01-05' }),
      aClass('Time', { starts: '17:00' }),
    ];
    const wishes: Wishes = { sports: ['Tennis'], days: [1], times: ['afternoon'] };
    const { proposals } = planWeek([mia], classes, wishes);
    expect(proposals.map(named)).toEqual([['Mia: Right']]);
  });

  it('says why there is none', () => {
    const older = aClass('Older', { minAge: 12, maxAge: 14 });
    expect([
      ...missing([mia], older),
      ...missing([mia, leo], aClass('One seat', { seat: 1 })),
      ...missing([mia], aClass('Full', { seat: 0 })),
    ]).toEqual([
      'No class that suits is for the age of Mia. They are for 12–14 years.',
      'The classes that suit have too few seats left.',
      'No class with a free seat suits these wishes for Mia.',
    ]);
  });
});

const someDay = fc.integer({ min: 0, max: 20 }).map((days) => addDays('2027-01-04', days));
const someClass = fc.record({
  day: someDay,
  starts: fc.constantFrom('09:00', '09:30', '11:45', '16:00', '16:30', '23:30'),
  minutes: fc.constantFrom(30, 60, 90, 1_440),
  weeks: fc.integer({ min: 0, max: 4 }),
  place: fc.constantFrom('', 'Court 1', 'Pool'),
  seat: fc.integer({ min: 0, max: 2 }),
  price: fc.integer({ min: 1, max: 300 }),
  minAge: fc.constantFrom(null, 0, 6, 9),
  maxAge: fc.constantFrom(null, 9, 12),
  sport: fc.constantFrom('Tennis' as const, 'Yoga' as const),
});
const someChild = fc.record({
  born: fc.constantFrom(null, '2014-01-04', '2014-01-05', '2018-01-11', '2020-12-31'),
  busy: fc.array(
    fc.tuple(someDay, fc.integer({ min: 0, max: 23 })).map(([day, hour]) => {
      const from = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
      return [from, from + 3_600_000] as const;
    }),
    { maxLength: 4 },
  ),
  owned: fc.subarray(['c0', 'c1', 'c2']),
});

it('never clashes, nor takes a full class or another age', () => {
  fc.assert(
    fc.property(
      fc.array(someClass, { maxLength: 12 }),
      fc.array(someChild, { minLength: 1, maxLength: 4 }),
      fc.subarray([1, 2, 3, 4, 5, 6, 7]),
      (given, people, days) => {
        const classes = given.map((facts, at) => aClass(`c${at}`, facts));
        const children = people.map(({ owned, ...person }, at) =>
          aChild(`child ${at}`, { ...person, has: new Set(owned) }),
        );
        const wishes: Wishes = { sports: ['Tennis'], days, times: [] };
        const { proposals, missing } = planWeek(children, classes, wishes);
        expect(proposals.length > 0).toBe(missing.length === 0);
        expect(proposals.length).toBeLessThanOrEqual(3);
        expect(new Set(proposals.map((one) => JSON.stringify(named(one)))).size).toBe(
          proposals.length,
        );
        for (const { choices } of proposals) {
          expect(choices.map(({ child }) => child)).toEqual(children);
          for (const { child, item } of choices) {
            expect(choices.filter((other) => other.item === item).length).toBeLessThanOrEqual(
              item.seat,
            );
            expect(fitsAge(child, item)).toBe(true);
            expect(child.has.has(item._id)).toBe(false);
            expect(item.sport).toBe('Tennis');
            expect(days.length === 0 || days.includes(weekdayOf(item.firstDay))).toBe(true);
            const clashes = item.meetings
              .map(spanOf)
              .some((one) => child.busy.some((other) => overlap(one, other)));
            expect(clashes).toBe(false);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  ['2018-05-04', '2027-05-03', 8],
  ['2018-05-04', '2027-05-04', 9],
  ['2016-02-29', '2027-02-28', 10],
  ['2016-02-29', '2027-03-01', 11],
])('a child born on %s is on %s %i years old', (born, firstDay, age) => {
  const fits = (minAge: number, maxAge: number) => fitsAge({ born }, { firstDay, minAge, maxAge });
  expect([fits(age, age), fits(age + 1, 99), fits(0, age - 1)]).toEqual([true, false, false]);
});
