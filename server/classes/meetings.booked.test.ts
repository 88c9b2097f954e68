// A booked class: its dates change only together with one mail to every family, whatever happens on
// the way.
import type { KyselyPlugin } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { getClass, updateClass } from '../../contract/classes/classes.ts';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { createFrame } from '../platform/db/write.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aBookedClass, inDays, inSubject, mailsAbout } from '../testing/meetings.ts';
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

/** The process is gone after the dates are written, when the families are looked up. */
const killed: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (JSON.stringify(node).includes('guardian.user_id')) throw new Error('killed');
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

async function cutOff(transaction: Parameters<typeof createFrame>[0]) {
  const { id, name, instructor } = await aBookedClass(app);
  const [one, other] = await asSent(id);
  const { dates: version = 0, schedule } = await read(id);
  const meetings = [{ ...one, starts: '18:00' }, other] as MeetingInput[];
  const input = { id, version, meetings, tell };
  const services = { ...app, ...createFrame(transaction) };
  const changing = changeDates(services, instructor, input);
  await expect(changing).rejects.toThrow('killed');
  const isChanged = (await read(id)).schedule !== schedule;
  return { isChanged, mails: (await mailsAbout(app, name)).length };
}

it('a change that is cut off leaves the dates and mails nobody', async () => {
  const found = await cutOff((work) => app.system([], (db) => work(db.withPlugin(killed))));
  expect(found).toEqual({ isChanged: false, mails: 0 });
});

it('control: without a transaction it would be half done', async () => {
  const found = await cutOff((work) => work(app.db.withPlugin(killed) as never));
  expect(found).toEqual({ isChanged: true, mails: 0 });
});
