// Announcements: to whom, how often, who may, and what families see.
import { describe, expect, it } from 'vitest';
import {
  announce,
  countFamilies,
  listAnnouncements,
} from '../../contract/classes/announcements.ts';
import { listAudit } from '../../contract/people/users.ts';
import { sql, execute, query } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { mailsAbout } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);
const words = { subject: 'Another court', words: 'We play on court 5.\nSee evil.example' };

async function aClassWithFamilies() {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { instructor });
  const [mother, father, student] = [await aUser(app), await aUser(app), await aUser(app)];
  await enrol(app, klass.id, mother, await aChild(app, [mother, father]));
  await enrol(app, klass.id, mother, await aChild(app, [mother]));
  await enrol(app, klass.id, student);
  return { instructor, klass, mother, father, student };
}

describe('an instructor', () => {
  it('writes to each family of an own class once', async () => {
    const { instructor, klass, mother, father, student } = await aClassWithFamilies();
    const to = { classIds: [klass.id] };
    const counted = await app.send(countFamilies, to, instructor.token);
    expect(counted.body).toEqual({ families: 3 });
    const subject = `Another court of ${klass.name}`;
    const sent = await app.send(announce, { ...to, ...words, subject }, instructor.token);
    expect([sent.status, sent.body]).toEqual([201, { families: 3 }]);
    const mails = await mailsAbout(app, subject);
    const emails = [mother, father, student].map(({ email }) => email);
    expect(mails.map(({ to }) => to)).toEqual(emails.toSorted());
    for (const mail of mails) {
      expect(mail.replyTo).toBe(instructor.email);
      // A mail program makes no link of it.
      expect(mail.text).toContain('We play on court 5.\nSee evil.example');
    }
    const seen = await app.send(listAnnouncements, {}, father.token);
    const from = { classId: klass.id, className: klass.name, from: instructor.name };
    const asFamily = { _id: expect.any(String), at: expect.any(String), ...from };
    expect(seen.body).toEqual([{ ...asFamily, ...words, subject }]);
    const own = await app.send(listAnnouncements, { classId: klass.id }, instructor.token);
    expect(own.body).toMatchObject([{ subject, families: 3 }]);
    const { body: log } = await app.send(listAudit, { search: 'announcement' }, admin.token);
    expect(log[0]).toMatchObject({ action: 'announcement', subject: klass.id });
  });

  it('is refused for a class of another like for an unknown one', async () => {
    const { klass } = await aClassWithFamilies();
    const stranger = await anInstructor(app);
    const unknown = '00000000-0000-4000-8000-000000000000';
    const said: unknown[] = [];
    for (const id of [klass.id, unknown]) {
      const to = { classIds: [id] };
      for (const { status, body } of [
        await app.send(announce, { ...to, ...words }, stranger.token),
        await app.send(countFamilies, to, stranger.token),
        await app.send(listAnnouncements, { classId: id }, stranger.token),
      ])
        said.push([status, body.message]);
    }
    expect(said).toEqual(said.map(() => [404, expect.any(String)]));
    expect(new Set(said.map(String)).size).toBe(1);
    // All classes are the admin's to write to.
    expect((await app.send(announce, words, stranger.token)).status).toBe(404);
    const rows = await query(app.db)`select from announcement where class_id = ${klass.id}`;
    expect(rows).toEqual([]);
  });

  it('writes five times a day and class, also at the same moment', async () => {
    const { instructor, klass } = await aClassWithFamilies();
    const write = () => app.send(announce, { classIds: [klass.id], ...words }, instructor.token);
    const answers = await Promise.all(Array.from({ length: 7 }, write));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect((await write()).body.code).toBe('ANNOUNCED_ENOUGH');
    // The guard is the table's: without the check a sixth row would fit.
    const sixth =
      sql`insert into announcement (act, class_id, author_id, day, place, subject, words, families)
      select act, class_id, author_id, day, 6, subject, words, families from announcement
      where class_id = ${klass.id} limit 1`.execute(app.db);
    await expect(sixth).rejects.toThrow('announcement_five_a_day');
    await execute(app.db)`update announcement set day = day - 1 where class_id = ${klass.id}`;
    expect((await write()).status).toBe(201);
  });
});

describe('an admin', () => {
  it('writes to several classes and to all, one mail a family', async () => {
    const [one, other] = [await aClassWithFamilies(), await aClassWithFamilies()];
    await enrol(app, other.klass.id, one.student);
    const classIds = [one.klass.id, other.klass.id];
    const { body } = await app.send(countFamilies, { classIds }, admin.token);
    expect(body).toEqual({ families: 6 });
    const subject = `To both ${one.klass.name}`;
    await app.send(announce, { classIds, ...words, subject }, admin.token);
    expect(await mailsAbout(app, subject)).toHaveLength(6);
    const over = await aClassWithFamilies();
    await execute(app.db)`update class set over = true where id = ${over.klass.id}`;
    const all = `To all ${one.klass.name}`;
    const toAll = await app.send(announce, { ...words, subject: all }, admin.token);
    const told = (await mailsAbout(app, all)).map(({ to }) => to);
    expect(toAll.body.families).toBe(told.length);
    expect(told).toContain(one.father.email);
    expect(told).not.toContain(over.father.email);
  });
});
