// Who is told that a class is taught by another, on one day or from now on, and in which words.
import { beforeAll, expect, it } from 'vitest';
import { getClass, handOverClass } from '../../contract/classes/classes.ts';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { makeInstructor } from '../../contract/people/users.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aBookedClass, inDays, inSubject, mailsAbout } from '../testing/meetings.ts';

const app = await testApp();
let admin: TestUser;
beforeAll(async () => {
  admin = await anAdmin(app);
});

const first = inSubject(inDays(7));

/** The first meeting becomes another; the second one stays. */
async function change(id: string, by: TestUser, to: Partial<MeetingInput>, more = {}) {
  const { meetings = [], dates = 0 } = (await app.send(getClass, { id }, admin.token)).body;
  const sent = meetings.map(({ _id, day, starts, minutes, placeId }, n) =>
    Object.assign({ _id, day, starts, minutes, placeId }, n === 0 ? to : more),
  );
  const input = { id, version: dates, meetings: sent, tell: 'Casey is ill' } as const;
  expect((await app.send(setDates, input, by.token)).status).toBe(200);
  return meetings[0]?._id ?? '';
}
const told = async (name: string) =>
  new Set((await mailsAbout(app, name)).map(({ to, subject }) => `${to} ${subject}`));

it('a substitute is told when, where, why and how many come', async () => {
  const { id, name, place } = await aBookedClass(app);
  const marek = await anInstructor(app);
  const meeting = await change(id, admin, { instructorId: marek.id });
  const [mail, ...more] = (await mailsAbout(app, name)).filter(({ to }) => to === marek.email);
  expect([mail?.subject, more]).toEqual([`You teach ${name} on ${first}, 16:00`, []]);
  expect(mail?.text).toContain(`16:00–17:00, ${place.name}\n\nChildren: 2\n\nCasey is ill\n`);
  expect(mail?.text).toContain(`/dashboard/rollcall/${id}?meeting=${meeting}\n`);
});

it('the replaced coach and the families read who comes', async () => {
  const { id, name, instructor, students } = await aBookedClass(app, 1);
  const marek = await anInstructor(app);
  await change(id, admin, { instructorId: marek.id });
  const mails = await mailsAbout(app, name);
  const to = (email = '') => mails.find((mail) => mail.to === email);
  expect(to(instructor.email)?.text).toContain(`${name}: ${marek.name} takes ${first}, 16:00.`);
  expect(to(students[0]?.email)?.subject).toBe(
    `${name} on ${first}: ${marek.name} instead of ${instructor.name}`,
  );
});

it.each([
  ['cancelled', { cancelled: true }, {}, `Cancelled: NAME, ${first}`],
  ['moved', { starts: '18:00' }, {}, `Moved: NAME, ${first} → 18:00`],
  ['several things', { starts: '18:00' }, { cancelled: true }, 'New dates of NAME'],
])('what is %s is said so, also to the office', async (_, to, other, words) => {
  const { id, name, instructor, students } = await aBookedClass(app, 1);
  await change(id, instructor, to, other);
  const subject = words.replace('NAME', name);
  const expected = [admin.email, students[0]?.email].map((email) => `${email} ${subject}`);
  expect(await told(name)).toEqual(new Set(expected));
  const office = (await mailsAbout(app, name)).find((mail) => mail.to === admin.email);
  expect(office?.text).toContain(`${instructor.name} has changed the dates of ${name}.`);
  expect(office?.text).toContain('\n\nCasey is ill\n');
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
  const [mail, ...more] = (await mailsAbout(app, 'You are an instructor at')).filter(
    ({ to }) => to === email,
  );
  expect(more).toEqual([]);
  expect(mail?.text).toContain('/dashboard/addaclass\n');
});
