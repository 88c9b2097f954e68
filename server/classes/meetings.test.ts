// setDates by the state of the class and who asks; what a decision does to the meetings.
import { describe, expect, it } from 'vitest';
import {
  addClass,
  approveClass,
  denyClass,
  getClass,
  handOverClass,
  listClasses,
  updateClass,
} from '../../contract/classes/classes.ts';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor } from '../testing/factories.ts';
import { aMeeting, anEnrolled, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp();
const [coach, admin] = [await anInstructor(app), await anAdmin(app)];

const at = (days: number, starts = '16:00', more: Partial<MeetingInput> = {}): MeetingInput => ({
  day: inDays(days),
  starts,
  minutes: 60,
  ...more,
});

const read = async (id: string) => (await app.send(getClass, { id }, admin.token)).body;

/** The meetings as setDates takes them. */
const asSent = async (id: string): Promise<MeetingInput[]> =>
  ((await read(id)).meetings ?? []).map(({ _id, day, starts, minutes, placeId, state }) => {
    const meeting = { _id, day, starts, minutes, cancelled: state === 'cancelled' };
    return placeId ? Object.assign(meeting, { placeId }) : meeting;
  });

const set = async (id: string, meetings: MeetingInput[], who = coach, tell?: string) =>
  app.send(
    setDates,
    { id, version: (await read(id)).dates ?? 0, meetings, ...(tell && { tell }) },
    who.token,
  );

const states = async (id: string) =>
  ((await read(id)).meetings ?? []).map(({ day, state }) => [day, state]);

/** A class with two meetings that are on, on days of its own. */
let used = 30;
async function aPlannedClass(status: 'pending' | 'approved' | 'denied' = 'approved') {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { instructor, status });
  const first = (used += 20);
  await aMeeting(app, klass, { day: inDays(first) });
  await aMeeting(app, klass, { day: inDays(first + 7) });
  return { id: klass.id, instructor, first };
}

describe('the dates of a class', () => {
  it('make its words, and are read in the order of time', async () => {
    const court = await aPlace(app, { address: 'Rua 1' });
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    const given = [at(15, '16:00', { placeId: court.id }), at(8, '09:30', { placeId: court.id })];
    const { status, body } = await set(id, given);
    expect([status, body]).toEqual([200, { modifiedCount: 2, told: 0 }]);
    const found = await read(id);
    const shown = found.meetings?.map(({ day, starts, ends, place, address, state }) =>
      [day, starts, ends, place, address, state].join(' '),
    );
    expect(shown).toEqual([
      `${inDays(8)} 09:30 10:30 ${court.name} Rua 1 proposed`,
      `${inDays(15)} 16:00 17:00 ${court.name} Rua 1 proposed`,
    ]);
    const { firstDay, lastDay, place } = found;
    expect([firstDay, lastDay, place]).toEqual([inDays(8), inDays(15), court.name]);
    expect(found.schedule).toMatch(/09:30–10:30.*16:00–17:00/);
  });

  it('that are equal to those stored are left alone', async () => {
    const { id, instructor } = await aPlannedClass();
    const before = await read(id);
    const { body } = await set(id, await asSent(id), instructor);
    expect(body).toEqual({ modifiedCount: 0, told: 0 });
    expect(await read(id)).toEqual(before);
  });

  it('may change places with one another', async () => {
    const { id, first } = await aPlannedClass();
    const [one, other] = await asSent(id);
    const swapped = [
      { ...one, day: inDays(first + 7) },
      { ...other, day: inDays(first) },
    ] as MeetingInput[];
    expect((await set(id, swapped, admin)).status).toBe(200);
    const after = (await read(id)).meetings ?? [];
    expect(after.map(({ _id, day }) => [_id, day])).toEqual([
      [other?._id, inDays(first)],
      [one?._id, inDays(first + 7)],
    ]);
  });

  it('are refused when somebody has changed them since', async () => {
    const { id, instructor } = await aPlannedClass('pending');
    const { dates = 0 } = await read(id);
    const meetings = [at(5)];
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.send(setDates, { id, version: dates, meetings }, instructor.token)),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('DATES_CHANGED');
  });
});

describe('a class that nobody has booked', () => {
  it.each(['pending', 'denied'] as const)(
    '%s: new and moved dates are proposed',
    async (status) => {
      const { id, instructor, first } = await aPlannedClass(status);
      const [one, other] = await asSent(id);
      const moved = [{ ...one, starts: '18:00' }, other, at(first + 14)] as MeetingInput[];
      expect((await set(id, moved, instructor)).status).toBe(200);
      expect(await states(id)).toEqual([
        [inDays(first), 'proposed'],
        [inDays(first + 7), 'on'],
        [inDays(first + 14), 'proposed'],
      ]);
      expect((await read(id)).status).toBe('pending');
    },
  );

  it('approved: an admin changes it at once, and removes dates', async () => {
    const { id, first } = await aPlannedClass();
    const [one] = await asSent(id);
    const { body } = await set(id, [{ ...one, starts: '18:00' } as MeetingInput], admin);
    expect(body).toEqual({ modifiedCount: 2, told: 0 });
    expect(await states(id)).toEqual([[inDays(first), 'on']]);
    expect((await read(id)).status).toBe('approved');
  });

  it('approved: its instructor proposes them, and it stays on sale', async () => {
    const { id, instructor, first } = await aPlannedClass();
    const [one] = await asSent(id);
    await set(id, [{ ...one, starts: '18:00' } as MeetingInput], instructor);
    expect(await states(id)).toEqual([[inDays(first), 'proposed']]);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'approved', proposedAt: expect.any(String) });
    expect((await app.send(approveClass, { id }, admin.token)).body.modifiedCount).toBe(1);
    expect(await states(id)).toEqual([[inDays(first), 'on']]);
    expect(await read(id)).not.toHaveProperty('proposedAt');
  });
});

describe('a decision', () => {
  it('books proposed dates, a denial frees them', async () => {
    const klass = await aClass(app, { instructor: coach, status: 'pending' });
    const { day } = await aMeeting(app, klass, { day: inDays(9), state: 'proposed' });
    await app.send(approveClass, { id: klass.id }, admin.token);
    expect(await states(klass.id)).toEqual([[day, 'on']]);
    await app.send(denyClass, { id: klass.id }, admin.token);
    expect(await states(klass.id)).toEqual([[day, 'proposed']]);
  });

  it('against a class with families leaves its meetings on', async () => {
    const { id, first } = await aPlannedClass();
    await anEnrolled(app, id);
    await app.send(denyClass, { id }, admin.token);
    expect(await states(id)).toEqual([
      [inDays(first), 'on'],
      [inDays(first + 7), 'on'],
    ]);
  });

  it('is for the dates that were reviewed', async () => {
    const { id } = await aClass(app, { instructor: coach, status: 'pending' });
    await set(id, [at(10)]);
    const { dates: seen = 0 } = await read(id);
    await set(id, [at(11)]);
    const { dates = 0 } = await read(id);
    const approve = async (number: number) =>
      (await app.send(approveClass, { id, dates: number }, admin.token)).body;
    expect(await approve(seen)).toMatchObject({ code: 'DATES_CHANGED' });
    expect(await approve(dates)).toEqual({ modifiedCount: 1 });
  });
});

describe('a class with dates', () => {
  it('is added with them in one step, proposed', async () => {
    const name = unique('class');
    const form = { name, img: 'https://example.com/a.png', price: 10, seat: 5 };
    const { body } = await app.send(addClass, { ...form, meetings: [at(4), at(6)] }, coach.token);
    const made = await states(body.insertedId);
    expect(made.map(([, state]) => state)).toEqual(['proposed', 'proposed']);
    const overlapping = { ...form, meetings: [at(4, '16:00'), at(4, '16:30')] };
    const refused = await app.send(addClass, overlapping, coach.token);
    expect([refused.status, refused.body.field]).toEqual([400, 'meetings.1.starts']);
    const { body: all } = await app.send(listClasses, { search: name }, admin.token);
    expect(all.outQueryResult).toHaveLength(1);
  });

  it('has the words of its dates: other ones are refused', async () => {
    const { id, instructor } = await aPlannedClass();
    const { schedule } = await read(id);
    const same = await app.send(updateClass, { id, schedule, price: 44 }, instructor.token);
    expect([same.status, same.body]).toEqual([200, { modifiedCount: 1 }]);
    const other = await app.send(updateClass, { id, schedule: 'Mondays' }, instructor.token);
    expect([other.status, other.body.field]).toEqual([400, 'schedule']);
  });

  it('is handed over to an instructor who must be free', async () => {
    const { id, first } = await aPlannedClass();
    const busy = await anInstructor(app);
    const own = await aClass(app, { instructor: busy });
    await aMeeting(app, own, { day: inDays(first), starts: '15:30' });
    const refused = await app.send(handOverClass, { id, to: busy.id }, admin.token);
    expect([refused.status, refused.body.code]).toEqual([409, 'INSTRUCTOR_BUSY']);
    expect(refused.body.clashes?.map(({ classId }) => classId)).toEqual([own.id]);
    const free = await anInstructor(app);
    expect((await app.send(handOverClass, { id, to: free.id }, admin.token)).status).toBe(200);
    const meetings = (await read(id)).meetings ?? [];
    expect(meetings.map(({ instructorId }) => instructorId)).toEqual([free.id, free.id]);
  });
});

it('the ages are a range with words; words are read as a range', async () => {
  const { id } = await aClass(app, { instructor: coach });
  const change = (input: object) => app.send(updateClass, { id, ...input }, admin.token);
  const shown = async () => {
    const { ages, minAge, maxAge } = await read(id);
    return [ages, minAge, maxAge];
  };
  await change({ minAge: 6, maxAge: 8 });
  expect(await shown()).toEqual(['6–8 years', 6, 8]);
  await change({ maxAge: null });
  expect(await shown()).toEqual(['6 years and older', 6, undefined]);
  await change({ ages: '8 to 12' });
  expect(await shown()).toEqual(['8 to 12', 8, 12]);
  expect((await change({ minAge: 13 })).body.field).toBe('maxAge');
});
