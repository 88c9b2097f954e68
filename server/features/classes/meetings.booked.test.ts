// A booked class: its dates change only together with one mail to every family, whatever happens on
// the way.
import type { KyselyPlugin } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getClass, updateClass } from '../../../contract/classes.ts';
import { type MeetingInput, setDates } from '../../../contract/meetings.ts';
import { listEnrolments } from '../../../contract/payments.ts';
import type { Database } from '../../db/connection.ts';
import { createFrame } from '../../db/write.ts';
import type { Caller } from '../../http/on.ts';
import { testApp } from '../../testing/app.ts';
import { anAdmin, aUser, type TestUser } from '../../testing/factories.ts';
import { aChild, enrol } from '../../testing/family.ts';
import { aBookedClass, inDays, inSubject, mailsAbout } from '../../testing/meetings.ts';
import { changeDates } from './meetings.ts';

const app = await testApp();
let admin: TestUser;
beforeAll(async () => {
  admin = await anAdmin(app);
});

const read = async (id: string) => (await app.send(getClass, { id }, admin.token)).body;

const asSent = async (id: string): Promise<MeetingInput[]> =>
  ((await read(id)).meetings ?? []).map(({ _id, day, starts, minutes, placeId, state }) => {
    const meeting = { _id, day, starts, minutes, cancelled: state === 'cancelled' };
    return placeId ? Object.assign(meeting, { placeId }) : meeting;
  });

const tell = 'The court is being repaired.';

describe('a booked class', () => {
  it('is moved, cancelled and added to at once by its instructor, and every family is mailed once', async () => {
    const { id, name, instructor, students, place } = await aBookedClass(app);
    const [one, other] = await asSent(id);
    const meetings = [
      { ...one, starts: '18:00' },
      { ...other, cancelled: true },
      { day: inDays(21), starts: '16:00', minutes: 60, placeId: place.id },
    ] as MeetingInput[];
    const { dates: version = 0 } = await read(id);
    const { body } = await app.send(setDates, { id, version, meetings, tell }, instructor.token);
    expect(body).toEqual({ modifiedCount: 3, told: 2 });

    const after = await read(id);
    expect(after.status).toBe('approved');
    expect(after.meetings?.map(({ starts, state, told }) => [starts, state, told])).toEqual([
      ['18:00', 'on', tell],
      ['16:00', 'cancelled', tell],
      ['16:00', 'on', tell],
    ]);
    const mails = await mailsAbout(app, `New dates of ${name}`);
    expect(mails.map(({ to }) => to)).toEqual(
      [admin, ...students].map(({ email }) => email).toSorted(),
    );
    const text = mails.find(({ to }) => to !== admin.email)?.text ?? '';
    expect(text).toMatch(/, 16:00–17:00, Court-.* → .*, 18:00–19:00, Court-/);
    expect(text).toMatch(/^Cancelled: .*, 16:00–17:00/m);
    expect(text).toMatch(/^New: .*, 16:00–17:00/m);
    for (const words of [tell, '/dashboard/calendar', '/dashboard/myenrolledclasses'])
      expect(text).toContain(words);
    expect(text).not.toContain(`/classes/${id}`);
  });

  it('tells everybody where its place is', async () => {
    const { id, place } = await aBookedClass(app);
    const { body: without } = await app.send(getClass, { id });
    expect(without.meetings?.map(({ address }) => address)).toEqual([undefined, undefined]);
    await app.pool.query(`update place set address = 'Rua 1' where id = $1`, [place.id]);
    const { body } = await app.send(getClass, { id });
    expect(body.meetings?.map(({ address }) => address)).toEqual(['Rua 1', 'Rua 1']);
  });

  it('tells what changed in the audit log by ids and counts, without names', async () => {
    const { id, instructor, students, name } = await aBookedClass(app, 1);
    const [one, other] = await asSent(id);
    const meetings = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
    const { dates: version = 0 } = await read(id);
    await app.send(setDates, { id, version, meetings, tell }, instructor.token);
    const lines = await app.db.selectFrom('audit').selectAll().where('subject', '=', id).execute();
    expect(lines.map(({ action, detail }) => [action, detail])).toEqual([
      ['dates changed', '0 added, 1 changed, 0 cancelled, 0 removed; 1 told'],
    ]);
    expect(JSON.stringify(lines)).not.toContain(students[0]?.name);
    expect(JSON.stringify(lines)).not.toContain(name);
  });

  it('is not changed without words, and no meeting is removed', async () => {
    const { id, name, instructor } = await aBookedClass(app);
    const before = await read(id);
    const [one, other] = await asSent(id);
    const version = before.dates ?? 0;
    const moved = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
    const silent = await app.send(setDates, { id, version, meetings: moved }, instructor.token);
    expect([silent.status, silent.body.field]).toEqual([400, 'tell']);
    const removed = await app.send(
      setDates,
      { id, version, meetings: [one as MeetingInput], tell },
      admin.token,
    );
    expect([removed.status, removed.body.code]).toEqual([409, 'FAMILIES_BOOKED']);
    expect(await read(id)).toEqual(before);
    expect(await mailsAbout(app, name)).toEqual([]);
  });

  it('counts as booked while somebody is paying', async () => {
    const { id, instructor } = await aBookedClass(app, 0);
    await app.db.updateTable('class').set({ held: 1 }).where('id', '=', id).execute();
    const { dates: version = 0 } = await read(id);
    const { body } = await app.send(setDates, { id, version, meetings: [] }, instructor.token);
    expect(body.code).toBe('FAMILIES_BOOKED');
    await app.db.updateTable('class').set({ held: 0 }).where('id', '=', id).execute();
  });

  it('whose texts wait shows families the new dates and the old texts', async () => {
    const { id, name, instructor, students } = await aBookedClass(app, 1);
    await app.send(updateClass, { id, name: `${name} renamed` }, instructor.token);
    const [one, other] = await asSent(id);
    const meetings = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
    const { dates: version = 0 } = await read(id);
    await app.send(setDates, { id, version, meetings, tell }, instructor.token);
    expect(await read(id)).toMatchObject({ proposal: { name: `${name} renamed` } });
    const student = students[0] as TestUser;
    const { body } = await app.send(listEnrolments, { email: student.email }, student.token);
    expect(body.map(({ name, schedule }) => [name, schedule])).toEqual([
      [name, expect.stringContaining('18:00–19:00')],
    ]);
    expect((await mailsAbout(app, name)).map(({ subject }) => subject)).toEqual([
      `Moved: ${name}, ${inSubject(inDays(7))} → 18:00`,
      `Moved: ${name}, ${inSubject(inDays(7))} → 18:00`,
    ]);
  });

  it('mails a guardian who did not pay, and an account with two children once', async () => {
    const { id, name, instructor, students } = await aBookedClass(app, 1);
    const guardian = await aUser(app);
    const student = students[0] as TestUser;
    await app.db
      .insertInto('guardian')
      .values({ userId: guardian.id, participantId: student.id })
      .execute();
    // Who paid for a child and no longer looks after it is not told where it will be.
    await enrol(app, id, await aUser(app), await aChild(app, [guardian]));
    const [one, other] = await asSent(id);
    const meetings = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
    const { dates: version = 0 } = await read(id);
    await app.send(setDates, { id, version, meetings, tell }, instructor.token);
    const mails = await mailsAbout(app, name);
    expect(mails.map(({ to }) => to)).toEqual(
      [admin, guardian, student].map(({ email }) => email).toSorted(),
    );
  });
});

/** Throws instead of sending a statement: the process is gone. */
const killedAt = (isLast: (statement: string) => boolean): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (isLast(JSON.stringify(node))) throw new Error('killed');
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
});

/** A transaction whose nth statement never reaches the database. */
const dyingAt =
  (step: number, steps: { count: number }): Database['transaction'] =>
  (work) =>
    app.transaction((db) => work(db.withPlugin(killedAt(() => ++steps.count === step))));

async function attempt(step: number) {
  const { id, name, instructor } = await aBookedClass(app);
  const [one, other] = await asSent(id);
  const { dates: version = 0, schedule } = await read(id);
  const steps = { count: 0 };
  const meetings = [
    { ...one, starts: '18:00' },
    { ...other, cancelled: true },
    { day: inDays(21), starts: '16:00', minutes: 60 },
  ] as MeetingInput[];
  const input = { id, version, meetings, tell };
  const died = await changeDates(
    { ...app, ...createFrame(dyingAt(step, steps)) },
    instructor as unknown as Caller,
    input,
  ).then(
    () => false,
    () => true,
  );
  const mails = (await mailsAbout(app, name)).length;
  const isChanged = (await read(id)).schedule !== schedule;
  return { died, mails, isChanged, steps: steps.count, input, instructor, name };
}

describe('a change that is cut off', () => {
  it('at any step leaves the dates as they were and mails none; otherwise all are mailed', async () => {
    const { steps } = await attempt(0);
    expect(steps).toBeGreaterThan(8);
    for (let step = 1; step <= steps; step++) {
      const { died, mails, isChanged } = await attempt(step);
      expect([step, died, mails, isChanged]).toEqual([step, true, 0, false]);
    }
    const { died, mails, isChanged } = await attempt(steps + 1);
    expect([died, mails, isChanged]).toEqual([false, 3, true]);
  });

  it('after the commit is not done twice: the second try is told that the dates have changed', async () => {
    const { input, instructor, name } = await attempt(0);
    const again = await app.send(setDates, input, instructor.token);
    expect([again.status, again.body.code]).toEqual([409, 'DATES_CHANGED']);
    expect(await mailsAbout(app, name)).toHaveLength(3);
  });

  it('without a transaction would be half done: the control', async () => {
    const { id, name, instructor } = await aBookedClass(app);
    const [one, other] = await asSent(id);
    const { dates: version = 0, schedule } = await read(id);
    // Killed after the dates are written, when the families are looked up.
    const killed = killedAt((statement) => statement.includes('guardian.user_id'));
    const naive: Database['transaction'] = (work) => work(app.db.withPlugin(killed) as never);
    const meetings = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
    const input = { id, version, meetings, tell };
    await expect(
      changeDates({ ...app, ...createFrame(naive) }, instructor as unknown as Caller, input),
    ).rejects.toThrow('killed');
    expect((await read(id)).schedule).not.toBe(schedule);
    expect(await mailsAbout(app, name)).toHaveLength(0);
  });
});
