// What the family planner reads.
import { expect, it } from 'vitest';
import { listPlans } from '../../contract/classes/plans.ts';
import { testApp } from '../testing/app.ts';
import { aClass } from '../testing/factories.ts';
import { aMeeting, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp();
const read = async () => (await app.send(listPlans, {})).body;

it('answers classes on sale with their meetings to come', async () => {
  const place = await aPlace(app);
  const klass = await aClass(app, { capacity: 7 });
  for (const day of [inDays(9), inDays(2), inDays(-3)])
    await aMeeting(app, klass, { day, starts: '16:00', minutes: 90, placeId: place.id });
  await aMeeting(app, klass, { day: inDays(5), state: 'cancelled' });
  const [pending, undated] = [await aClass(app, { status: 'pending' }), await aClass(app)];
  await aMeeting(app, pending, { day: inDays(3) });

  const found = await read();
  expect(found.map(({ _id }) => _id)).toEqual([klass.id]);
  expect(found.some(({ _id }) => _id === undated.id)).toBe(false);
  const [plan] = found;
  expect(plan).toMatchObject({ seat: 7, minAge: null, firstDay: inDays(-3) });
  expect(plan?.meetings.map(({ startsAt }) => startsAt.slice(0, 10))).toEqual([
    inDays(2),
    inDays(9),
  ]);
  expect(plan?.meetings[0]).toMatchObject({ minutes: 90, place: place.name });
  expect(new Set(plan?.week.map(({ starts, minutes }) => `${starts} ${minutes}`))).toEqual(
    new Set(['16:00 90']),
  );
});
