// Mails that wait for the mail server, or are stored by others, while an account is deleted or gets a
// new address, a guardian is removed or an invitation ends.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { announce } from '../../contract/classes/announcements.ts';
import { inviteGuardian, removeGuardian, removeParticipant } from '../../contract/people/family.ts';
import { overrideEnrolment } from '../../contract/checkout/payments.ts';
import { inviteStaff, withdrawInvitation } from '../../contract/people/staff.ts';
import { createNotices } from '../academy/notices.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { anEnrolled } from '../testing/meetings.ts';
import { dueNow } from '../testing/jobs.ts';
import { waiters, whileLocked } from '../testing/overtaken.ts';
import { findInDatabase } from '../testing/search.ts';
import { startSmtp } from '../testing/smtp.ts';
import { inTheEnd } from '../testing/tidy.ts';
import { aConfirmedMember, goodPassword, idOf, type Visitor } from '../testing/visitor.ts';
import { makeLink } from './links.ts';

const smtp = await startSmtp();
inTheEnd(smtp.close);
const app = await testApp({ smtpUrl: smtp.url });
const admin = await anAdmin(app);
const anAddress = () => `${unique('new')}@example.com`;
const leave = ({ email, token }: TestUser) =>
  app.send(deleteAccount, { email, giveBack: true }, token);
const subjectsTo = (email: string) =>
  smtp.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

/** While the mail server refuses, and a moment after. */
async function withoutMailServer(work: () => Promise<void>) {
  smtp.refuse('451 try again');
  try {
    await work();
  } finally {
    smtp.refuse(null);
  }
  await dueNow(app);
  await app.settled();
}

/** The mail whose job has this id or address was tried once. */
async function hasBeenRefused(which: string) {
  const states = async () => {
    const { rows } = await app.pool.query<{ state: string }>(
      `select state from pgboss.job where name = 'send-mail' and strpos(data::text, $1) > 0`,
      [which],
    );
    return rows.map(({ state }) => state);
  };
  await expect.poll(states).toEqual(['retry']);
}

async function aMember() {
  const { email, visitor } = await aConfirmedMember(app);
  return { id: await idOf(app, email), email, visitor, token: await visitor.token(email) };
}

/** A link to a new address. */
async function asks(visitor: Visitor): Promise<string> {
  const email = anAddress();
  await visitor.auth('change-email', { email, password: goodPassword });
  await app.settled();
  const mail = smtp.mails.find(({ to }) => to === email);
  return /\/newaddress#(\S+)$/m.exec(mail?.text ?? '')?.[1] ?? '';
}

const invite = ({ token }: { token: string }, email: string, ids: string[]) =>
  app.send(inviteGuardian, { email, participantIds: ids }, token);

describe('an account that is deleted', () => {
  it('is named in no waiting mail, and its class is not news', async () => {
    const name = unique('Coach');
    const instructor = await aUser(app, { role: 'instructor', name });
    const klass = await aClass(app, { instructor, status: 'pending' });
    await withoutMailServer(async () => {
      await createNotices(app)();
      expect((await leave(instructor)).status).toBe(200);
      expect(await findInDatabase(app, name)).toEqual([]);
    });
    expect(smtp.mails.filter(({ text }) => text.includes(klass.name))).toEqual([]);
  });

  it('leaves no announcement of its own that waits', async () => {
    const author = await anAdmin(app);
    const { id } = await aClass(app);
    const family = await anEnrolled(app, id);
    await withoutMailServer(async () => {
      const said = { classIds: [id], subject: 'Another court', words: 'Court 5' };
      expect((await app.send(announce, said, author.token)).status).toBe(201);
      expect((await leave(author)).status).toBe(200);
      expect(await findInDatabase(app, author.email)).toEqual([]);
    });
    expect(subjectsTo(family.email)).toEqual([]);
  });

  it('gets no announcement that was being written', async () => {
    const instructor = await anInstructor(app);
    const { id } = await aClass(app, { instructor });
    // Of a seat that stays with the other guardian: a deletion locks no class for it.
    const [stays, leaves] = [await aUser(app), await aUser(app)];
    await enrol(app, id, stays, await aChild(app, [stays, leaves]));
    const said = { classIds: [id], subject: unique('Court'), words: 'Court 5' };
    const insert = `insert into announcement (act, class_id, author_id, day, place, subject, words, families)
      select gen_random_uuid(), $1, $2, (now() at time zone (select coalesce(time_zone, 'UTC') from academy))::date, 1, 'x', 'x', 1`;
    const [saying] = await whileLocked(app, [insert, [id, instructor.id]], async () => {
      const saying = app.send(announce, said, instructor.token);
      await waiters(app, 1);
      expect((await leave(leaves)).status).toBe(200);
      return [saying];
    });
    expect((await saying)?.status).toBe(201);
    await app.settled();
    expect(subjectsTo(stays.email)).toContain(said.subject);
    expect(subjectsTo(leaves.email)).toEqual([]);
    expect(await findInDatabase(app, leaves.email)).toEqual([]);
  });

  it('gets no mail to an address that it asked for', async () => {
    const [{ id, visitor, token }, to] = [await aMember(), anAddress()];
    await withoutMailServer(async () => {
      await visitor.auth('change-email', { email: to, password: goodPassword });
      const left = await app.send(deleteAccount, { password: goodPassword }, token);
      expect(left.status).toBe(200);
    });
    // A mail that is being written meanwhile stores no link.
    await makeLink(app.db, { userId: id, kind: 'address', email: to });
    expect([subjectsTo(to), await findInDatabase(app, to)]).toEqual([[], []]);
  });

  // Of an admin's class, too: a deletion locks all admins.
  it('gets no mail about a seat that an admin ends at that moment', async () => {
    const { id } = await aClass(app, { instructor: admin });
    const student = await anEnrolled(app, id);
    const ofStudent = 'select id from enrolment where student_id = $1';
    const { rows } = await app.pool.query<{ id: string }>(ofStudent, [student.id]);
    const enrolment = rows[0]?.id ?? '';
    await withoutMailServer(async () => {
      const lock = 'select from class where id = $1 for update';
      await whileLocked(app, [lock, [id]], async (holder) => {
        const override = { id: enrolment, cents: 0, end: true, reason: 'Moved away' };
        const ending = app.send(overrideEnrolment, override, admin.token);
        await waiters(app, 1);
        const leaving = leave(student);
        await waiters(app, 2);
        await holder.query('commit');
        expect([(await ending).status, (await leaving).status]).toEqual([200, 200]);
      });
      expect(await findInDatabase(app, student.email)).toEqual([]);
    });
    expect(subjectsTo(student.email)).toEqual([]);
  });
});

it('a deletion and the heir do not lock each other', async () => {
  const [leaves, heir] = [await aUser(app), await aMember()];
  await aChild(app, [leaves, heir]);
  const other = await aChild(app, [heir]);
  await invite(heir, leaves.email, [other.id]);
  const lock = 'select from invitation where email = $1 for update';
  await whileLocked(app, [lock, [leaves.email]], async (holder) => {
    const leaving = leave(leaves);
    await waiters(app, 1);
    const signing = heir.visitor.auth('revoke-other-sessions');
    await waiters(app, 2);
    await holder.query('commit');
    expect([(await leaving).status, (await signing).status]).toEqual([200, 200]);
  });
});

it('the others learn that a guardian left who is deleted then', async () => {
  const [mother, father] = [await aUser(app), await aUser(app)];
  const { id } = await aChild(app, [mother, father]);
  await withoutMailServer(async () => {
    const left = await app.send(removeGuardian, { id, who: father.id }, father.token);
    expect(left.status).toBe(200);
    await leave(father);
  });
  const mails = smtp.mails.filter(({ to }) => to === mother.email);
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('A guardian no longer')]);
});

it('a removed guardian is not told where the child will be', async () => {
  const [mother, father] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [mother, father]);
  const instructor = await anInstructor(app);
  const { id } = await aClass(app, { instructor });
  await enrol(app, id, mother, child);
  const said = { classIds: [id], subject: unique('Gate'), words: 'At the south gate' };
  await withoutMailServer(async () => {
    expect((await app.send(announce, said, instructor.token)).status).toBe(201);
    await hasBeenRefused(father.id);
    await app.send(removeGuardian, { id: child.id, who: father.id }, mother.token);
  });
  const changed = expect.stringMatching(/^The guardians of .* have changed$/);
  expect(subjectsTo(father.email)).toEqual([changed]);
  expect(subjectsTo(mother.email).toSorted()).toEqual([said.subject, changed]);
});

it('two who have invited one another get new addresses at once', async () => {
  for (let round = 0; round < 3; round++) {
    const both = [await aMember(), await aMember()];
    const links: string[] = [];
    for (const [at, one] of both.entries()) {
      const child = await aChild(app, [one]);
      expect((await invite(one, both[1 - at]?.email ?? '', [child.id])).status).toBe(200);
      links.push(await asks(one.visitor));
    }
    const lock = 'select from "user" where id = any ($1) for update';
    await whileLocked(app, [lock, [both.map(({ id }) => id)]], async (holder) => {
      const answers = both.map(({ visitor }, at) =>
        visitor.auth('confirm-new-email', { token: links[at] }),
      );
      await waiters(app, 2);
      await holder.query('commit');
      for (const answer of answers) expect((await answer).status).toBe(200);
    });
  }
});

describe('an invitation of a guardian whose mail waits', () => {
  it('names the children who are left when it is sent', async () => {
    const parent = await aUser(app);
    const children = [await aChild(app, [parent]), await aChild(app, [parent])];
    const [removed, stays] = children;
    const to = anAddress();
    await withoutMailServer(async () => {
      await invite(parent, to, [removed?.id ?? '', stays?.id ?? '']);
      await app.send(removeParticipant, { id: removed?.id ?? '' }, parent.token);
    });
    const texts = smtp.mails.filter((mail) => mail.to === to).map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining(`look after ${stays?.name} at`)]);
  });

  it('is not mailed once it is withdrawn', async () => {
    const parent = await aUser(app);
    const { id } = await aChild(app, [parent]);
    const [to, staff] = [anAddress(), anAddress()];
    await withoutMailServer(async () => {
      await invite(parent, to, [id]);
      await hasBeenRefused(to);
      await app.send(removeGuardian, { id, who: to }, parent.token);
      const invited = { email: staff, role: 'instructor' } as const;
      const { body } = await app.send(inviteStaff, invited, admin.token);
      await hasBeenRefused(body.insertedId);
      await app.send(withdrawInvitation, { id: body.insertedId }, admin.token);
    });
    expect([subjectsTo(to), subjectsTo(staff)]).toEqual([[], []]);
  });
});
