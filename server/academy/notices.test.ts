// The digests to admins and the reminders to families: who gets them, when, and only once.
import { beforeEach, describe, expect, it } from 'vitest';
import { setMails } from '../../contract/signin/account.ts';
import { approveClass } from '../../contract/classes/classes.ts';
import { addDays } from '../../contract/platform/days.ts';
import { blockUser } from '../../contract/people/staff.ts';
import { execute, queryOne } from '../platform/db/connection.ts';
import { today } from '../platform/db/zone.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aMeeting, aPlace } from '../testing/meetings.ts';
import { aPaymentRow } from '../testing/rows.ts';
import { createNotices } from './notices.ts';
import { createReminders } from './reminders.ts';

const app = await testApp();
const admin = await anAdmin(app);
const quiet = await anAdmin(app);
await app.send(setMails, { digests: false }, quiet.token);
let free = 1;
const tellAdmins = createNotices({ ...app, freeDisk: async () => free });

async function mailsTo(email: string) {
  await app.settled();
  return (await app.mail.messages(email)).toReversed();
}
const forgetMails = async () => {
  await app.settled();
  await execute(app.db)`delete from mailbox`;
};
const anHourLater = () =>
  execute(app.db)`update digest set sent_at = sent_at - interval '61 minutes'`;

describe('digests', () => {
  beforeEach(async () => {
    await forgetMails();
    await execute(app.db)`update class set status = 'denied' where status = 'pending'`;
    await anHourLater();
  });

  it('classes to review: hourly, each once, again when changed', async () => {
    const klass = await aClass(app, { status: 'pending', name: unique('Judo') });
    await Promise.all([tellAdmins(), tellAdmins()]);
    const [mail, ...more] = await mailsTo(admin.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('A class to review');
    expect(mail?.text).toContain(`${klass.name}. Review:`);
    expect(mail?.text).toContain(`/dashboard/manageclasses/${klass.id}`);
    // This admin has turned digests off.
    expect(await mailsTo(quiet.email)).toEqual([]);
    const second = await aClass(app, { status: 'pending', name: unique('Yoga') });
    await tellAdmins();
    expect(await mailsTo(admin.email)).toHaveLength(1);
    await anHourLater();
    await tellAdmins();
    const later = await mailsTo(admin.email);
    expect(later).toHaveLength(2);
    expect(later[1]?.text).toContain(second.name);
    expect(later[1]?.text).not.toContain(klass.name);
    await execute(app.db)`update class set version = version + 1 where id = ${klass.id}`;
    await anHourLater();
    await tellAdmins();
    expect((await mailsTo(admin.email))[2]?.text).toContain(klass.name);
  });

  it('neither digests nor alarms go to a blocked admin', async () => {
    const blocked = await anAdmin(app);
    await app.send(blockUser, { id: blocked.id }, admin.token);
    await aClass(app, { status: 'pending' });
    free = 0.01;
    await tellAdmins();
    free = 1;
    expect((await mailsTo(admin.email)).length).toBe(2);
    expect(await mailsTo(blocked.email)).toEqual([]);
    await execute(app.db)`delete from notice where subject like 'disk %'`;
  });

  it('a class that was decided meanwhile is not news', async () => {
    await aClass(app, { status: 'pending' });
    await tellAdmins();
    const decided = await aClass(app, { status: 'pending' });
    await tellAdmins();
    await app.send(approveClass, { id: decided.id }, admin.token);
    await forgetMails();
    await anHourLater();
    await tellAdmins();
    expect(await mailsTo(admin.email)).toEqual([]);
  });

  it('alarms: all that went wrong in one mail, to every admin', async () => {
    const payment = await aPaymentRow(app);
    await execute(app.db)`insert into refund (payment_id, line_id, amount_cents, reason, state)
      select payment_id, id, 100, 'Rain', 'failed' from payment_line where payment_id = ${payment.id}`;
    await execute(app.db)`insert into quarantine (intent_id, amount_cents, currency, reason)
      values (${unique('pi')}, 100, 'usd', 'unknown')`;
    await app.jobs.send(app.db, 'class-denied', { classId: 'none' }, { afterSeconds: 3_600 });
    await execute(app.db)`update pgboss.job set state = 'failed'
      where name = 'class-denied' and state = 'created'`;
    free = 0.03;
    await tellAdmins();
    free = 1;
    for (const { email } of [admin, quiet]) {
      const [mail, ...more] = await mailsTo(email);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('4 things need attention');
      for (const words of ['A refund failed', 'unknown student', 'class-denied', '3 % are free'])
        expect(mail?.text).toContain(words);
      expect(mail?.text).toContain('/dashboard/attention');
    }
    await anHourLater();
    await tellAdmins();
    expect(await mailsTo(admin.email)).toHaveLength(1);
  });
});

describe('reminders', () => {
  const remind = createReminders({ ...app, fromHour: 0 });

  it('one mail per family, with every meeting of the next day', async () => {
    const now = await queryOne<{ day: string }>(app.db)`select ${today}::text as day`;
    const tomorrow = addDays(now?.day ?? '', 1);
    const place = await aPlace(app, { address: 'Main Street 1' });
    const [klass, other] = [await aClass(app, { name: unique('Judo') }), await aClass(app)];
    await execute(app.db)`update class set bring = 'A towel' where id = ${klass.id}`;
    await aMeeting(app, klass, { day: tomorrow, placeId: place.id });
    await aMeeting(app, other, { day: tomorrow, starts: '18:00' });
    await aMeeting(app, other, { day: tomorrow, starts: '20:00', state: 'cancelled' });
    await aMeeting(app, other, { day: addDays(tomorrow, 1), starts: '07:00' });
    const [mother, father, off] = [await aUser(app), await aUser(app), await aUser(app)];
    const child = await aChild(app, [mother, father, off], { name: 'Mia' });
    await enrol(app, klass.id, mother, child);
    await enrol(app, other.id, mother);
    await app.send(setMails, { reminders: false }, off.token);
    await createReminders({ ...app, fromHour: 24 })();
    expect(await mailsTo(mother.email)).toEqual([]);
    await Promise.all([remind(), remind()]);
    await remind();
    const [mail, ...more] = await mailsTo(mother.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Tomorrow: 2 classes');
    expect(mail?.text).toContain(
      `16:00–17:00 ${klass.name}, Mia\nWhere: ${place.name}, Main Street 1\nInstructor: ${klass.instructor}\nBring: A towel\n\n18:00–19:00 ${other.name}\n`,
    );
    expect(mail?.text).not.toMatch(/20:00|07:00/);
    // It opens a page of the account and changes nothing until the account saves it.
    expect(mail?.text).toContain('Turn these off:\nhttp://localhost:3000/dashboard/account#emails');
    expect((await mailsTo(father.email)).map(({ subject }) => subject)).toEqual([
      `Tomorrow at 16:00: ${klass.name}`,
    ]);
    expect(await mailsTo(off.email)).toEqual([]);
  });
});

it('preferences: each changes alone, a student has no digests', async () => {
  const { status, body } = await app.send(setMails, { reminders: false }, admin.token);
  expect([status, body]).toEqual([200, { reminders: false, digests: true }]);
  const student = await aUser(app);
  expect((await app.send(setMails, { digests: false }, student.token)).body).toEqual({
    reminders: true,
  });
});
