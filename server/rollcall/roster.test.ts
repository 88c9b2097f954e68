// The roster: who is expected, who sees it, and when care facts are in it.
import { describe, expect, it } from 'vitest';
import { noCare, writeCare } from '../../contract/people/care.ts';
import { myCalendar } from '../../contract/classes/calendar.ts';
import { handOverClass } from '../../contract/classes/classes.ts';
import { removeGuardian } from '../../contract/people/family.ts';
import {
  getRoster,
  listAttendance,
  listRollCalls,
  openRollCall,
  sendMarks,
} from '../../contract/rollcall/rollcall.ts';
import { execute, query, queryOne, type RowOf } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, enrol } from '../testing/family.ts';
import { inDays } from '../testing/meetings.ts';
import { changedMeanwhile } from '../testing/overtaken.ts';

const app = await testApp();
const day = 24 * 60;
const admin = await anAdmin(app);

/** Perhaps with a meeting that begins so many minutes from now. */
async function aCourse(inMinutes?: number, state = 'on') {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { instructor });
  const meeting =
    inMinutes === undefined ? { id: '' } : await aMeetingRow(app, klass, { inMinutes, state });
  return { instructor, klass, meeting };
}

/** A child whose enrolment began so many days ago, and perhaps ended. */
async function anEnrolledChild(
  classId: string,
  { name = 'Mia', since = 100, until = null as number | null, born = '2018-05-04' } = {},
) {
  const parent = await aUser(app);
  const child = await aChild(app, [parent], { name, born });
  const { id } = await enrol(app, classId, parent, child);
  await execute(app.db)`update enrolment set created_at = now() - make_interval(days => ${since}),
      state = ${until === null ? 'active' : 'cancelled'}, end_kind = ${until === null ? null : 'office'}, ended_at = now() - make_interval(days => ${until}::int)
    where id = ${id}`;
  return { parent, child };
}

const read = (who: TestUser, id: string, more: object = {}) =>
  app.send(getRoster, { id, ...more }, who.token);

/** Each mark is a second later than the one before. */
let marked = 0;

async function mark(
  meeting: { id: string },
  child: { id: string } | string,
  status: 'present' | 'late' | 'absent',
) {
  const whom = typeof child === 'string' ? { guest: child } : { participantId: child.id };
  const row = await queryOne<{ at: Date }>(app.db)`
    select lower(during) + make_interval(secs => ${++marked}) as at from meeting where id = ${meeting.id}`;
  const sent = { _id: crypto.randomUUID(), meetingId: meeting.id, status, ...whom };
  const marks = [{ ...sent, at: row?.at.toJSON() ?? '' }];
  const { body } = await app.send(sendMarks, { marks }, admin.token);
  expect(body).toMatchObject([{ result: 'saved' }]);
}

describe('a roster', () => {
  it('has those whose seat was alive at that time', async () => {
    const { instructor, klass, meeting: past } = await aCourse(-9 * day);
    const before = await aMeetingRow(app, klass, { inMinutes: -2 * day });
    const next = await aMeetingRow(app, klass, { inMinutes: 30 });
    const mia = await anEnrolledChild(klass.id, { born: '2018-05-04' });
    await anEnrolledChild(klass.id, { name: 'Leo', since: 1 });
    const gone = await anEnrolledChild(klass.id, { name: 'Gone', until: 5 });
    await mark(past, mia.child, 'late');
    await mark(before, mia.child, 'absent');
    const names = async (meeting?: string) => {
      const { body } = await read(instructor, klass.id, meeting ? { meeting } : {});
      return body.people.map((person) => [person.name, person.new, person.attended, person.of]);
    };
    expect(await names()).toEqual([
      ['Leo', true, 0, 0],
      ['Mia', false, 1, 2],
    ]);
    expect(await names(past.id)).toEqual([
      ['Gone', true, 0, 0],
      ['Mia', true, 0, 0],
    ]);
    const { body } = await read(instructor, klass.id);
    expect(body).toMatchObject({ name: klass.name, meetingId: next.id, guests: [] });
    expect(body.meetings.map(({ taken }) => taken)).toEqual([true, true, false]);
    expect(body.people[1]?.age).toBeGreaterThanOrEqual(8);
    const ends = new Date(body.meetings[2]?.endsAt ?? '');
    expect(new Date(body.until).getTime() - ends.getTime()).toBe(day * 60_000);
    // Marked all the same, a person without a seat is shown too.
    await mark(next, gone.child, 'present');
    expect((await names()).map(([name]) => name)).toEqual(['Gone', 'Leo', 'Mia']);
  });

  it('is of the meeting nearest in time', async () => {
    const { instructor, klass, meeting: morning } = await aCourse(-180);
    const tomorrow = await aMeetingRow(app, klass, { inMinutes: 20 * 60 });
    expect((await read(instructor, klass.id)).body.meetingId).toBe(morning.id);
    await execute(app.db)`update meeting set state = 'cancelled' where id = ${morning.id}`;
    expect((await read(instructor, klass.id)).body.meetingId).toBe(tomorrow.id);
  });

  it('has guests by their words; marked absent, they leave', async () => {
    const { instructor, klass, meeting } = await aCourse(-5);
    await mark(meeting, 'Tom, 0123', 'present');
    await mark(meeting, 'Typo', 'present');
    await mark(meeting, 'Typo', 'absent');
    const { body } = await read(instructor, klass.id);
    expect(body.guests.map(({ guest }) => guest)).toEqual(['Tom, 0123']);
  });

  it('of a class without dates has those enrolled now', async () => {
    const { instructor, klass } = await aCourse();
    await anEnrolledChild(klass.id);
    await anEnrolledChild(klass.id, { name: 'Gone', until: 1 });
    const { body } = await read(instructor, klass.id);
    expect(body).toMatchObject({ meetings: [], meetingId: null, careWindow: null });
    expect(body.people.map(({ name, new: isNew }) => [name, isNew])).toEqual([['Mia', false]]);
  });
});

describe('who sees the people of a class (RC3)', () => {
  it('the instructor and admins all, a substitute their own', async () => {
    const { instructor, klass } = await aCourse();
    const substitute = await anInstructor(app);
    const own = await aMeetingRow(app, klass, { inMinutes: -30 });
    const theirs = { id: klass.id, instructorId: substitute.id };
    const taught = await aMeetingRow(app, theirs, { inMinutes: -day });
    const { parent, child } = await anEnrolledChild(klass.id);
    await mark(own, child, 'present');
    await mark(taught, child, 'late');
    const other = await anInstructor(app);
    await aMeetingRow(app, await aClass(app, { instructor: other }));
    const callers = { instructor, substitute, other, admin, parent, student: await aUser(app) };
    const seen: Record<string, unknown[]> = {};
    for (const [name, who] of Object.entries(callers)) {
      const meetings = (await app.send(listRollCalls, { class: klass.id }, who.token)).body;
      const states = await app.send(listAttendance, { class: klass.id }, who.token);
      const ofChild = await app.send(listAttendance, { participant: child.id }, who.token);
      seen[name] = [
        (await read(who, klass.id)).status,
        (await read(who, klass.id, { meeting: own.id })).status,
        (await read(who, klass.id, { meeting: taught.id })).status,
        Array.isArray(meetings) ? meetings.length : 403,
        states.status === 200 ? states.body.length : states.status,
        ofChild.status === 200 ? ofChild.body.length : ofChild.status,
      ];
    }
    expect(seen).toEqual({
      instructor: [200, 200, 200, 2, 2, 404],
      substitute: [200, 404, 200, 1, 1, 404],
      other: [404, 404, 404, 0, 404, 404],
      admin: [200, 200, 200, 2, 2, 2],
      parent: [403, 403, 403, 403, 404, 2],
      student: [403, 403, 403, 403, 404, 404],
    });
    // The meeting of another class is not one of this class.
    const foreign = await aMeetingRow(app, await aClass(app));
    expect((await read(admin, klass.id, { meeting: foreign.id })).status).toBe(404);
  });

  it('a former instructor nothing after a hand-over', async () => {
    const { instructor, klass } = await aCourse();
    const [heir, substitute] = [await anInstructor(app), await anInstructor(app)];
    const past = await aMeetingRow(app, klass, { inMinutes: -6 * 60 });
    const taught = { id: klass.id, instructorId: substitute.id };
    const theirs = await aMeetingRow(app, taught, { inMinutes: -4 * 60 });
    await aMeetingRow(app, klass, { inMinutes: 10 * 60 });
    const { child } = await anEnrolledChild(klass.id);
    const seen = async (who: TestUser, meeting: { id: string }) => {
      const at = new Date().toJSON();
      const whom = { meetingId: meeting.id, participantId: child.id, status: 'late' as const };
      const marks = [{ _id: crypto.randomUUID(), ...whom, at }];
      const { body } = await app.send(sendMarks, { marks }, who.token);
      const { status } = await read(who, klass.id, { meeting: meeting.id, care: 'true' });
      return [status, body[0]?.reason ?? body[0]?.result];
    };
    // Control: before it they do.
    expect(await seen(instructor, past)).toEqual([200, 'saved']);
    const input = { id: klass.id, to: heir.id };
    expect((await app.send(handOverClass, input, admin.token)).status).toBe(200);
    expect(await seen(instructor, past)).toEqual([404, 'unknown meeting']);
    expect((await read(instructor, klass.id)).status).toBe(404);
    expect((await app.send(listRollCalls, { class: klass.id }, instructor.token)).body).toEqual([]);
    expect(await seen(heir, past)).toEqual([200, 'saved']);
    expect(await seen(substitute, theirs)).toEqual([200, 'saved']);
  });

  it('an instructor nothing of a class handed over meanwhile', async () => {
    const { instructor, klass } = await aCourse(-30);
    const next = await anInstructor(app);
    await anEnrolledChild(klass.id);
    expect((await read(instructor, klass.id)).status).toBe(200);
    const { status } = await changedMeanwhile(app, {
      lock: ['lock table participant'],
      work: () => read(instructor, klass.id),
      change: [
        `with its as (update meeting set instructor_id = $1 where class_id = $2)
        update class set instructor_id = $1 where id = $2`,
        [next.id, klass.id],
      ],
    });
    expect(status).toBe(404);
    expect((await read(next, klass.id)).body.people).toHaveLength(1);
  });

  it('a substitute nothing of a meeting too old to be marked', async () => {
    const [{ instructor, klass }, substitute] = [await aCourse(), await anInstructor(app)];
    const taught = { id: klass.id, instructorId: substitute.id };
    const old = await aMeetingRow(app, taught, { inMinutes: -38 * day });
    const newer = await aMeetingRow(app, taught, { inMinutes: -36 * day });
    const statuses = async (who: TestUser) => {
      const asked = [old, newer].map(({ id }) => read(who, klass.id, { meeting: id }));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(await statuses(substitute)).toEqual([404, 200]);
    expect(await statuses(instructor)).toEqual([200, 200]);
    const { body } = await app.send(listRollCalls, { class: klass.id }, substitute.token);
    expect(body.map(({ meetingId }) => meetingId)).toEqual([newer.id]);
  });

  it.each([
    ['25 hours before the meeting', 25 * 60, 'on', false],
    ['23 hours before it', 23 * 60, 'on', true],
    ['11 hours after it', -12 * 60, 'on', true],
    ['13 hours after it', -14 * 60, 'on', false],
    ['when it is cancelled', 60, 'cancelled', false],
  ])('care facts %s', async (_when, inMinutes, state, open) => {
    const { instructor, klass, meeting } = await aCourse(inMinutes, state);
    const { parent, child } = await anEnrolledChild(klass.id);
    const facts = { ...noCare, allergies: 'Peanuts' };
    await app.send(writeCare, { id: child.id, ...facts }, parent.token);
    const shown = async (who: TestUser, care: 'true' | 'false' = 'true') => {
      const { body } = await read(who, klass.id, { meeting: meeting.id, care });
      return body.people.map(({ care, reach }) => [care?.allergies, reach]);
    };
    const nothing = [[undefined, undefined]];
    expect(await shown(instructor)).toEqual(open ? [['Peanuts', parent.email]] : nothing);
    expect(await shown(instructor, 'false')).toEqual(nothing);
    // Control: an admin, who has no window, sees them.
    expect(await shown(admin)).toEqual([['Peanuts', parent.email]]);
  });

  it('has the address of a guardian: the payer, a proven one', async () => {
    const { instructor, klass } = await aCourse(60);
    const [first, second, payer] = [await aUser(app), await aUser(app), await aUser(app)];
    const child = await aChild(app, [first, second, payer]);
    const { db } = app;
    await execute(
      db,
    )`update guardian set since = now() - interval '1 day' where user_id = ${first.id}`;
    await enrol(app, klass.id, payer, child);
    const reach = async () => {
      const { body } = await read(instructor, klass.id, { care: 'true' });
      return body.people.map((person) => person.reach);
    };
    const seen = [await reach()];
    await app.send(removeGuardian, { id: child.id, who: payer.id }, payer.token);
    seen.push(await reach());
    await execute(app.db)`update "user" set proven_at = null where id = ${first.id}`;
    seen.push(await reach());
    expect(seen).toEqual([[payer.email], [first.email], [second.email]]);
  });

  it('reading them is audited once per reader, class and day', async () => {
    const { instructor, klass } = await aCourse(60);
    const { parent, child } = await anEnrolledChild(klass.id, { name: 'Marguerite' });
    const contacts = [{ name: 'Eva', relation: 'aunt', phone: '+351 912 345 678' }];
    await app.send(writeCare, { id: child.id, ...noCare, contacts }, parent.token);
    for (const who of [instructor, instructor, admin]) {
      const { body } = await read(who, klass.id, { care: 'true' });
      // There is a contact, so nobody needs the payer's address.
      expect(body.people).toMatchObject([{ care: { contacts }, participantId: child.id }]);
      expect(body.people[0]?.reach).toBeUndefined();
    }
    const lines = await query<RowOf<'audit', 'actorId' | 'action'>>(app.db)`
      select * from audit where subject = ${klass.id} order by id`;
    expect(lines.map(({ actorId, action }) => [actorId, action])).toEqual([
      [instructor.id, 'allergies and contacts read'],
      [admin.id, 'allergies and contacts read'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('Marguerite');
  });
});

const openToday = (who: TestUser, id: string) => app.send(openRollCall, { id }, who.token);

async function aCourseWithFacts() {
  const course = await aCourse();
  const { parent, child } = await anEnrolledChild(course.klass.id);
  await app.send(writeCare, { id: child.id, ...noCare, allergies: 'Peanuts' }, parent.token);
  const seen = async (more = {}) => {
    const { body } = await read(course.instructor, course.klass.id, { care: 'true', ...more });
    return [body.mayOpen ?? false, body.people[0]?.care?.allergies, body.people[0]?.mark?.status];
  };
  return { ...course, child, seen };
}

describe('a class without dates (A4)', () => {
  it('shows health facts for 12 hours from a roll call, no longer', async () => {
    const { instructor, klass, child, seen } = await aCourseWithFacts();
    expect(await seen()).toEqual([true, undefined, undefined]);
    const opened = await Promise.all([1, 2].map(() => openToday(instructor, klass.id)));
    expect(new Set(opened.map(({ body }) => body.modifiedCount))).toEqual(new Set([0, 1]));
    const meeting = (await read(instructor, klass.id)).body.meetingId ?? '';
    const hoursAgo = (hours: number) => execute(app.db)`
      update meeting set day = at::date, starts = at::time
      from (select now() at time zone 'Europe/Lisbon' - make_interval(hours => ${hours}) as at) was
      where id = ${meeting}`;
    await hoursAgo(11);
    await mark({ id: meeting }, child, 'present');
    expect(await seen()).toEqual([false, 'Peanuts', 'present']);
    await hoursAgo(13);
    expect(await seen()).toEqual([true, undefined, undefined]);
    expect(await seen({ meeting })).toEqual([true, undefined, 'present']);
  });

  it('is as before after a roll call: on sale, in no calendar', async () => {
    const { instructor, klass } = await aCourseWithFacts();
    const row = () => query(app.db)`select * from class where id = ${klass.id}`;
    const before = await row();
    await openToday(instructor, klass.id);
    expect(await row()).toEqual(before);
    const range = { from: inDays(-1), to: inDays(1) };
    expect((await app.send(myCalendar, range, instructor.token)).body).toEqual([]);
    expect((await app.send(listRollCalls, {}, instructor.token)).body).toHaveLength(1);
  });

  it('leaves out a child whose year in it is over', async () => {
    const { instructor, klass } = await aCourse();
    await anEnrolledChild(klass.id, { since: 367 });
    const seen = async () => (await read(instructor, klass.id, { care: 'true' })).body.people;
    expect(await seen()).toEqual([]);
    await openToday(instructor, klass.id);
    expect(await seen()).toEqual([]);
  });

  it('opens to its coach only, and not when it has dates', async () => {
    const { instructor, klass } = await aCourse();
    expect((await openToday(await anInstructor(app), klass.id)).status).toBe(404);
    await aMeetingRow(app, klass);
    expect((await openToday(instructor, klass.id)).status).toBe(409);
  });
});

it('care facts close while the read waits (RC3)', async () => {
  const { instructor, klass } = await aCourseWithFacts();
  const meeting = await aMeetingRow(app, klass, { inMinutes: 30 });
  const { body } = await changedMeanwhile(app, {
    lock: ['lock table care'],
    work: () => read(instructor, klass.id, { care: 'true' }),
    change: [`update meeting set state = 'cancelled' where id = $1`, [meeting.id]],
  });
  expect(body.people.map(({ care }) => care)).toEqual([undefined]);
});
