// A booked class: its dates change only together with one mail to everybody whom it concerns.
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { getClass, handOverClass } from '../../contract/classes/classes.ts';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { makeInstructor } from '../../contract/people/users.ts';
import { createFrame } from '../platform/db/write.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aBookedClass, inDays, inSubject, mailsAbout } from '../testing/meetings.ts';
import { changeDates } from './meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);
const tell = 'Casey is ill';
const first = inSubject(inDays(7));
const moved = { starts: '18:00' };

const read = async (id: string) => (await app.send(getClass, { id }, admin.token)).body;

/** The first meeting becomes another, perhaps the second one too, and some are added. */
async function inputOf(id: string, to: object, more: object = {}, added: MeetingInput[] = []) {
  const { meetings = [], dates: version = 0 } = await read(id);
  const sent = meetings.map(({ _id, day, starts, minutes, placeId }, n): MeetingInput =>
    Object.assign({ _id, day, starts, minutes, placeId }, n === 0 ? to : more),
  );
  return { id, version, meetings: [...sent, ...added], tell };
}
const change = async (id: string, by: TestUser, ...to: [object, object?, MeetingInput[]?]) =>
  app.send(setDates, await inputOf(id, ...to), by.token);
const told = async (name: string) =>
  new Set((await mailsAbout(app, name)).map(({ to, subject }) => `${to} ${subject}`));

it('is changed at once by its instructor, with one mail each', async () => {
  const { id, name, instructor, students, place } = await aBookedClass(app);
  const added = { day: inDays(21), starts: '16:00', minutes: 60, placeId: place.id };
  const { body } = await change(id, instructor, moved, { cancelled: true }, [added]);
  expect(body).toEqual({ modifiedCount: 3, told: 2 });
  const after = await read(id);
  expect(after.status).toBe('approved');
  expect(after.meetings?.map(({ starts, state, told }) => [starts, state, told])).toEqual([
    ['18:00', 'on', tell],
    ['16:00', 'cancelled', tell],
    ['16:00', 'on', tell],
  ]);
  const mails = await mailsAbout(app, `New dates of ${name}`);
  const emails = [admin, ...students].map(({ email }) => email).toSorted();
  expect(mails.map(({ to }) => to)).toEqual(emails);
  const text = mails.find(({ to }) => to !== admin.email)?.text ?? '';
  expect(text).toMatch(/, 16:00–17:00, Court-.* → .*, 18:00–19:00, Court-/);
  expect(text).toMatch(/^Cancelled: .*, 16:00–17:00/m);
  expect(text).toMatch(/^New: .*, 16:00–17:00/m);
  for (const words of [tell, '/dashboard/calendar', '/dashboard/myenrolledclasses'])
    expect(text).toContain(words);
  expect(text).not.toContain(`/classes/${id}`);
});

it('is in the audit log by ids and counts, without names', async () => {
  const { id, instructor, students, name } = await aBookedClass(app, 1);
  await change(id, instructor, moved);
  const lines = await app.db.selectFrom('audit').selectAll().where('subject', '=', id).execute();
  expect(lines.map(({ action, detail }) => [action, detail])).toEqual([
    ['dates changed', '0 added, 1 changed, 0 cancelled, 0 removed; 1 told'],
  ]);
  for (const words of [students[0]?.name, name]) expect(JSON.stringify(lines)).not.toContain(words);
});

it('is not changed without words, and no meeting is removed', async () => {
  const { id, name, instructor } = await aBookedClass(app);
  const before = await read(id);
  const { tell: words, ...silent } = await inputOf(id, moved);
  const refused = await app.send(setDates, silent, instructor.token);
  expect([refused.status, refused.body.field]).toEqual([400, 'tell']);
  const less = { ...silent, meetings: silent.meetings.slice(1), tell: words };
  const removed = await app.send(setDates, less, admin.token);
  expect([removed.status, removed.body.code]).toEqual([409, 'FAMILIES_BOOKED']);
  expect(await read(id)).toEqual(before);
  expect(await mailsAbout(app, name)).toEqual([]);
});

it('counts as booked while somebody is paying', async () => {
  const { id, instructor } = await aBookedClass(app, 0);
  await app.pool.query(`update class set held = 1 where id = $1`, [id]);
  const input = { ...(await inputOf(id, {})), meetings: [] };
  const { body } = await app.send(setDates, input, instructor.token);
  expect(body.code).toBe('FAMILIES_BOOKED');
});

it('mails a guardian who did not pay, and each account once', async () => {
  const { id, name, instructor, students } = await aBookedClass(app, 1);
  const guardian = await aUser(app);
  const student = students[0] as TestUser;
  const row = { userId: guardian.id, participantId: student.id };
  await app.db.insertInto('guardian').values(row).execute();
  // Who paid for a child and no longer looks after it is not told where it will be.
  await enrol(app, id, await aUser(app), await aChild(app, [guardian]));
  await change(id, instructor, moved);
  const mails = await mailsAbout(app, name);
  const emails = [admin, guardian, student].map(({ email }) => email).toSorted();
  expect(mails.map(({ to }) => to)).toEqual(emails);
});

it('a substitute is told when, where, why and how many come', async () => {
  const { id, name, place, instructor, students } = await aBookedClass(app);
  const marek = await anInstructor(app);
  await change(id, admin, { instructorId: marek.id });
  const meeting = (await read(id)).meetings?.[0]?._id;
  const mails = await mailsAbout(app, name);
  const [mail, ...more] = mails.filter(({ to }) => to === marek.email);
  expect([mail?.subject, more]).toEqual([`You teach ${name} on ${first}, 16:00`, []]);
  expect(mail?.text).toContain(`16:00–17:00, ${place.name}\n\nChildren: 2\n\nCasey is ill\n`);
  expect(mail?.text).toContain(`/dashboard/rollcall/${id}?meeting=${meeting}\n`);
  // The replaced coach and the families read who comes.
  const to = (email = '') => mails.find((one) => one.to === email);
  expect(to(instructor.email)?.text).toContain(`${name}: ${marek.name} takes ${first}, 16:00.`);
  const instead = `${name} on ${first}: ${marek.name} instead of ${instructor.name}`;
  expect(to(students[0]?.email)?.subject).toBe(instead);
});

it('a substitute is told when the coach cancels the meeting', async () => {
  const { id, name, instructor } = await aBookedClass(app, 1);
  const marek = await anInstructor(app);
  await change(id, admin, { instructorId: marek.id });
  await change(id, instructor, { cancelled: true });
  const mail = (await mailsAbout(app, name)).findLast(({ to }) => to === marek.email);
  expect(mail?.text).toContain(`${name}: ${first}, 16:00 is cancelled.`);
});

it('a hand-over is told to families, old and new coach once', async () => {
  const { id, name, instructor, students } = await aBookedClass(app, 1);
  const marek = await anInstructor(app);
  await app.send(handOverClass, { id, to: marek.id }, admin.token);
  const families = `${marek.name} teaches ${name} from now on`;
  expect(await told(name)).toEqual(
    new Set([
      `${instructor.email} ${families}`,
      `${students[0]?.email} ${families}`,
      `${marek.email} You teach ${name} from now on`,
    ]),
  );
});

it('who is made an instructor is told what to do first, once', async () => {
  const { id, email } = await aUser(app);
  for (let n = 0; n < 2; n++) await app.send(makeInstructor, { id }, admin.token);
  const mails = await mailsAbout(app, 'You are an instructor at');
  const [mail, ...more] = mails.filter(({ to }) => to === email);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('/dashboard/addaclass\n');
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
  const { schedule } = await read(id);
  const services = { ...app, ...createFrame(transaction) };
  const changing = changeDates(services, instructor, await inputOf(id, moved));
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
