import { describe, expect, test } from 'vitest';
import {
  allMeetings,
  listCalendar,
  listOverlaps,
  myCalendar,
  nextMeeting,
} from '../../contract/classes/calendar.ts';
import { addDays } from '../../contract/platform/days.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aMeeting, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp();
const today = inDays(0);
const range = { from: today, to: addDays(today, 20) };
const namesIn = (rows: { name: string }[]) => rows.map(({ name }) => name);

const calendar = async (input: object = {}) => {
  const { status, body } = await app.send(listCalendar, { ...range, ...input });
  return status === 200 ? namesIn(body) : [status, body.field];
};
const mine = async (who: { token: string }, input: object = {}) =>
  (await app.send(myCalendar, { ...range, ...input }, who.token)).body;

describe('the public calendar', () => {
  test('shows meetings of approved classes, cancelled ones too', async () => {
    const court = await aPlace(app, { name: 'Court 1' });
    const tennis = await aClass(app, { name: 'Tennis one', sport: 'Tennis' });
    const meeting = await aMeeting(app, tennis, { placeId: court.id });
    await aMeeting(app, tennis, { starts: '09:00', state: 'cancelled', told: 'Rain' });
    await aMeeting(app, tennis, { starts: '11:00', state: 'proposed' });
    const pending = await aClass(app, { name: 'Pending one', status: 'pending' });
    await aMeeting(app, pending);
    const { body } = await app.send(listCalendar, range);
    expect(body.map(({ name, starts, state }) => [name, starts, state])).toEqual([
      ['Tennis one', '09:00', 'cancelled'],
      ['Tennis one', '16:00', 'on'],
    ]);
    expect(body[1]).toEqual({
      _id: meeting.id,
      classId: tennis.id,
      name: 'Tennis one',
      sport: 'Tennis',
      instructor: tennis.instructor,
      place: 'Court 1',
      day: inDays(7),
      starts: '16:00',
      ends: '17:00',
      zone: 'Europe/Lisbon',
      startsAt: expect.stringContaining('T'),
      state: 'on',
      told: '',
      seat: 10,
    });
    expect(await calendar({ place: court.id })).toEqual(['Tennis one']);
  });

  test('is filtered by instructor, and as the catalogue', async () => {
    const coach = await anInstructor(app);
    const swim = await aClass(app, { instructor: coach, name: 'Swim one', sport: 'Swimming' });
    await aMeeting(app, swim);
    const own = { instructor: coach.id };
    expect(await calendar(own)).toEqual(['Swim one']);
    expect(await calendar({ sport: 'Swimming' })).toEqual(['Swim one']);
    expect(await calendar({ ...own, sport: 'Yoga' })).toEqual([]);
  });

  test('refuses a range that is backwards or too long', async () => {
    expect(await calendar({ to: addDays(today, -1) })).toEqual([400, 'to']);
    expect(await calendar({ to: addDays(today, 41) })).not.toEqual([400, 'to']);
    expect(await calendar({ to: addDays(today, 42) })).toEqual([400, 'to']);
  });

  test('knows the next day with a meeting that is on', async () => {
    const klass = await aClass(app, { sport: 'Cycling' });
    const late = addDays(today, 100);
    await aMeeting(app, klass, { day: addDays(today, 90), state: 'cancelled' });
    await aMeeting(app, klass, { day: late });
    const next = async (after: string) =>
      (await app.send(nextMeeting, { after, sport: 'Cycling' })).body.day;
    expect(await next(today)).toBe(late);
    expect(await next(late)).toBeNull();
  });
});

describe("a person's calendar", () => {
  test('has what they and their children are enrolled in only', async () => {
    const [parent, other] = [await aUser(app, { name: 'Eva' }), await aUser(app)];
    const mia = await aChild(app, [parent, other], { name: 'Mia' });
    const leo = await aChild(app, [other], { name: 'Leo' });
    const yoga = await aClass(app, { name: 'Yoga' });
    const judo = await aClass(app, { name: 'Judo' });
    const chess = await aClass(app, { name: 'Chess' });
    await aMeeting(app, yoga, { starts: '08:00' });
    await aMeeting(app, judo, { starts: '10:00' });
    await aMeeting(app, judo, { starts: '10:00', day: addDays(today, 2), state: 'proposed' });
    await aMeeting(app, chess, { starts: '12:00' });
    await enrol(app, yoga.id, parent);
    await enrol(app, judo.id, parent, mia);
    await enrol(app, chess.id, other, leo);
    const rows = await mine(parent);
    expect(rows.map(({ name, for: people }) => [name, people?.map((one) => one.name)])).toEqual([
      ['Yoga', ['Eva']],
      ['Judo', ['Mia']],
    ]);
    expect(namesIn(await mine(other))).toEqual(['Judo', 'Chess']);
    expect(namesIn(await mine(parent, { participant: mia.id }))).toEqual(['Judo']);
    expect(await mine(parent, { participant: leo.id })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('ends with the enrolment and with the care', async () => {
    const [parent, other] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [parent, other]);
    const klass = await aClass(app);
    await aMeeting(app, klass);
    const { id } = await enrol(app, klass.id, parent, child);
    await app.db.deleteFrom('guardian').where('userId', '=', parent.id).execute();
    expect([await mine(parent), await mine(other)]).toMatchObject([[], [{ classId: klass.id }]]);
    await app.pool.query(
      `update enrolment set state = 'cancelled', end_kind = 'office' where id = $1`,
      [id],
    );
    expect(await mine(other)).toEqual([]);
  });

  test('has what an instructor teaches, also as a substitute', async () => {
    const coach = await anInstructor(app);
    const own = await aClass(app, { instructor: coach, name: 'Own', status: 'pending' });
    await aMeeting(app, own, { starts: '08:00', state: 'proposed' });
    const lent = await aClass(app, { name: 'Lent' });
    await aMeeting(app, lent, { starts: '18:00', instructorId: coach.id });
    await aMeeting(app, lent, { starts: '20:00' });
    const rows = await mine(coach);
    expect(rows.map(({ name, state, teaches }) => [name, state, teaches])).toEqual([
      ['Own', 'proposed', true],
      ['Lent', 'on', true],
    ]);
  });

  test('names the other class where one person should be in two', async () => {
    const parent = await aUser(app);
    const ann = await aChild(app, [parent]);
    const bob = await aChild(app, [parent]);
    const one = await aClass(app, { name: 'One' });
    const two = await aClass(app, { name: 'Two' });
    const three = await aClass(app, { name: 'Three' });
    await aMeeting(app, one, { starts: '09:00' });
    await aMeeting(app, two, { starts: '09:30' });
    await aMeeting(app, three, { starts: '10:30' });
    await enrol(app, one.id, parent, ann);
    await enrol(app, two.id, parent, bob);
    await enrol(app, three.id, parent, ann);
    const clashes = async () =>
      (await mine(parent)).map(({ clashes }) => clashes?.map((clash) => clash.with));
    expect(await clashes()).toEqual([undefined, undefined, undefined]);
    await enrol(app, two.id, parent, ann);
    expect(await clashes()).toEqual([['Two'], ['One'], undefined]);
  });
});

test('names what a class on sale overlaps for a child', async () => {
  const parent = await aUser(app);
  const mia = await aChild(app, [parent]);
  const [judo, yoga, chess, draft, off] = await Promise.all(
    ['Judo', 'Yoga', 'Chess', 'Draft', 'Off'].map((name) =>
      aClass(app, { name, ...(name === 'Draft' && { status: 'pending' }) }),
    ),
  );
  if (!judo || !yoga || !chess || !draft || !off) throw new Error('No class');
  await aMeeting(app, judo, { starts: '16:00' });
  await aMeeting(app, yoga, { starts: '16:30' });
  await aMeeting(app, chess, { starts: '17:00' });
  await aMeeting(app, draft, { starts: '16:00' });
  await aMeeting(app, off, { starts: '16:00', state: 'cancelled' });
  const overlaps = async () => (await app.send(listOverlaps, {}, parent.token)).body;
  expect(await overlaps()).toEqual([]);
  await enrol(app, judo.id, parent, mia);
  const found = await overlaps();
  const ours = found.filter(({ classId }) =>
    [yoga, chess, draft, off].some(({ id }) => id === classId),
  );
  expect(ours).toEqual([{ classId: yoga.id, participantId: mia.id, with: 'Judo' }]);
  expect(found.filter(({ classId }) => classId === judo.id)).toEqual([]);
});

describe("the admin's calendar", () => {
  test('has every meeting, by place and instructor', async () => {
    const admin = await anAdmin(app);
    const coach = await anInstructor(app);
    const hall = await aPlace(app);
    const klass = await aClass(app, { instructor: coach, name: 'Draft', status: 'pending' });
    const day = addDays(today, 60);
    await aMeeting(app, klass, { day, state: 'proposed', placeId: hall.id });
    const all = async (input: object = {}) =>
      (await app.send(allMeetings, { from: day, to: day, ...input }, admin.token)).body;
    expect(await all()).toMatchObject([
      { name: 'Draft', state: 'proposed', status: 'pending', placeId: hall.id },
    ]);
    expect(await all({ place: hall.id, instructor: coach.id })).toHaveLength(1);
    expect(await all({ place: (await aPlace(app)).id })).toEqual([]);
  });
});
