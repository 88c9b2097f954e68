// An admin demotes, blocks and unblocks; every way in of a blocked account.
import { describe, expect, it } from 'vitest';
import { blockUser, makeStudent, setTeaches, unblockUser } from '../../contract/people/staff.ts';
import { getUser } from '../../contract/academy/userpage.ts';
import { makeFeed, readFeed } from '../../contract/classes/feeds.ts';
import { approveClass, handOverClass } from '../../contract/classes/classes.ts';
import { listAttention } from '../../contract/checkout/payments.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { isInstructor, makeInstructor } from '../../contract/people/users.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { anEnrolled } from '../testing/meetings.ts';
import { aConfirmedMember, goodPassword, hasSession, idOf, Visitor } from '../testing/visitor.ts';

const app = await testApp();
const admin = await anAdmin(app);

const userOf = (id: string) =>
  app.db
    .selectFrom('user')
    .select(['role', 'blockedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const statusOf = async (id: string) =>
  (await app.pool.query('select status, sold from class where id = $1', [id])).rows;

describe('a demotion to student', async () => {
  // With no admin but those of the test.
  const of = await testApp();

  it('closes classes without students and says it in the audit log', async () => {
    const coach = await anInstructor(app);
    const open = await aClass(app, { instructor: coach });
    expect((await app.send(makeStudent, { id: coach.id }, admin.token)).body).toEqual({
      modifiedCount: 1,
    });
    expect((await userOf(coach.id)).role).toBe('student');
    expect(await statusOf(open.id)).toEqual([{ status: 'denied', sold: 0 }]);
    const page = await app.send(getUser, { id: coach.id }, admin.token);
    expect(page.body.audit.map(({ action }) => action)).toEqual(['role instructor → student']);
    expect((await app.send(makeStudent, { id: coach.id }, admin.token)).body).toEqual({
      modifiedCount: 0,
    });
  });

  it('waits until another teaches the sold seats to come', async () => {
    const [coach, other] = [await anInstructor(app), await anInstructor(app)];
    const sold = await aClass(app, { instructor: coach });
    await anEnrolled(app, sold.id);
    const refused = await app.send(makeStudent, { id: coach.id }, admin.token);
    expect([refused.status, refused.body.code]).toEqual([409, 'TEACHES_STUDENTS']);
    expect(refused.body.message).toBe(
      'This instructor teaches a class with students. Another instructor must take over first.',
    );
    const page = await app.send(getUser, { id: coach.id }, admin.token);
    expect(page.body.needed).toEqual({ classes: 1, substitute: 0 });
    await app.send(handOverClass, { id: sold.id, to: other.id }, admin.token);
    expect((await app.send(makeStudent, { id: coach.id }, admin.token)).body.modifiedCount).toBe(1);
  });

  it('never takes the last admin, also in two tabs at once', async () => {
    for (let round = 0; round < 3; round++) {
      const [one, two] = [await anAdmin(of), await anAdmin(of)];
      const answers = await Promise.all([
        of.send(makeStudent, { id: two.id }, one.token),
        of.send(makeStudent, { id: one.id }, two.token),
        of.send(makeInstructor, { id: two.id }, one.token),
        of.send(blockUser, { id: one.id }, two.token),
      ]);
      for (const { status } of answers) expect([200, 401, 403, 409]).toContain(status);
      const { rows } = await of.pool.query(
        `select id from "user" where role = 'admin' and blocked_at is null`,
      );
      expect(rows).toHaveLength(1);
      await of.pool.query(`update "user" set role = 'student', blocked_at = null`);
    }
    expect((await app.send(makeStudent, { id: admin.id }, admin.token)).body.code).toBe(
      'LAST_ADMIN',
    );
  });

  it('control: two looks before either writes leave no admin', async () => {
    const [one, two] = [await anAdmin(of), await anAdmin(of)];
    const look = () => of.pool.query(`select from "user" where role = 'admin'`);
    const seen = await Promise.all([look(), look()]);
    for (const [at, { rowCount }] of seen.entries())
      if ((rowCount ?? 0) > 1)
        await of.pool.query(`update "user" set role = 'student' where id = $1`, [
          [one, two][at]?.id,
        ]);
    expect((await look()).rowCount).toBe(0);
  });
});

describe('a coach who is blocked', () => {
  it('leaves the shop with the classes; families keep their seats', async () => {
    const coach = await anInstructor(app);
    const klass = await aClass(app, { instructor: coach });
    const student = await anEnrolled(app, klass.id);
    expect(await instructors()).toContain(coach.id);
    await app.send(blockUser, { id: coach.id }, admin.token);
    await expect.poll(instructors).not.toContain(coach.id);
    expect(await statusOf(klass.id)).toEqual([{ status: 'denied', sold: 1 }]);
    const page = await app.send(getUser, { id: student.id }, admin.token);
    expect(page.body.enrolments).toHaveLength(1);
    const { body } = await app.send(listAttention, {}, admin.token);
    expect(body.map(({ what }) => what)).toContain(`A class has no coach: ${coach.name}`);
    const approved = await app.send(approveClass, { id: klass.id }, admin.token);
    expect(approved.body.code).toBe('NOT_AN_INSTRUCTOR');
  });

  it('and one who is demoted with stopSale, too', async () => {
    const coach = await anInstructor(app);
    const klass = await aClass(app, { instructor: coach });
    await anEnrolled(app, klass.id);
    const demoted = { id: coach.id, stopSale: true as const };
    expect((await app.send(makeStudent, demoted, admin.token)).status).toBe(200);
    expect(await statusOf(klass.id)).toEqual([{ status: 'denied', sold: 1 }]);
  });
});

describe('a blocked account', () => {
  it('keeps its enrolments', async () => {
    const klass = await aClass(app);
    const student = await anEnrolled(app, klass.id);
    const blocked = await app.send(blockUser, { id: student.id, reason: 'Spam' }, admin.token);
    expect(blocked.body).toEqual({ modifiedCount: 1 });
    const page = await app.send(getUser, { id: student.id }, admin.token);
    expect(page.body).toMatchObject({ blocked: true, enrolments: [{ classId: klass.id }] });
    expect(page.body.audit[0]).toMatchObject({ action: 'account blocked', actor: admin.name });
    await app.send(unblockUser, { id: student.id }, admin.token);
    expect((await userOf(student.id)).blockedAt).toBeNull();
  });

  it('is told so with the right password only', async () => {
    const member = await aConfirmedMember(app);
    const id = await idOf(app, member.email);
    const token = await member.visitor.token(member.email);
    await app.send(blockUser, { id }, admin.token);
    expect(await member.visitor.isLetIn(token, member.email)).toBe(false);
    expect(await hasSession(member.visitor)).toBe(false);
    const visitor = new Visitor(app);
    const right = await visitor.signIn(member.email, goodPassword);
    expect([right.status, right.body.code]).toEqual([409, 'ACCOUNT_BLOCKED']);
    expect(right.body.message).toBe('This account is blocked. Write to hello@rally.test.');
    expect(await hasSession(visitor)).toBe(false);
    expect((await visitor.signIn(member.email, 'Wrong#2026')).body.code).toBe('WRONG_CREDENTIALS');
    await app.send(unblockUser, { id }, admin.token);
    expect((await new Visitor(app).signIn(member.email, goodPassword)).status).toBe(200);
  });

  it('has no calendar feed until it is unblocked', async () => {
    const student = await aUser(app);
    const { body } = await app.send(makeFeed, {}, student.token);
    const secret = /feeds\/([^/]+)\//.exec(body.url)?.[1] ?? '';
    const read = async () => (await app.send(readFeed, { secret })).status;
    expect(await read()).toBe(200);
    await app.send(blockUser, { id: student.id }, admin.token);
    expect(await read()).toBe(404);
    await app.send(unblockUser, { id: student.id }, admin.token);
    expect(await read()).toBe(200);
  });

  it('is never oneself', async () => {
    const { body } = await app.send(blockUser, { id: admin.id }, admin.token);
    expect(body.code).toBe('OWN_ACCOUNT');
  });
});

const instructors = async () => (await app.send(listInstructors, {})).body.map(({ id }) => id);
const handOver = (id: string, to: string) => app.send(handOverClass, { id, to }, admin.token);

describe('an admin who teaches, too', () => {
  it('is given classes, and by role is no instructor', async () => {
    const [boss, klass] = [await anAdmin(app), await aClass(app)];
    expect((await handOver(klass.id, boss.id)).body.code).toBe('NOT_AN_INSTRUCTOR');
    await app.send(setTeaches, { teaches: true }, boss.token);
    expect(await instructors()).toContain(boss.id);
    expect((await handOver(klass.id, boss.id)).body).toEqual({ modifiedCount: 1 });
    const { email } = boss;
    expect((await app.send(isInstructor, { email }, boss.token)).body).toEqual({
      instructor: false,
    });
  });

  it('teaches until another has taken over the sold seats', async () => {
    const [boss, other] = [await anAdmin(app), await anInstructor(app)];
    await app.send(setTeaches, { teaches: true }, boss.token);
    const sold = await aClass(app, { instructor: boss });
    await anEnrolled(app, sold.id);
    const stop = () => app.send(setTeaches, { teaches: false }, boss.token);
    expect((await stop()).body.code).toBe('TEACHES_STUDENTS');
    await handOver(sold.id, other.id);
    expect((await stop()).body).toEqual({ modifiedCount: 1 });
    expect(await instructors()).not.toContain(boss.id);
  });

  it('stays one only as an admin', async () => {
    const boss = await anAdmin(app);
    await app.send(setTeaches, { teaches: true }, boss.token);
    await app.send(makeStudent, { id: boss.id }, admin.token);
    expect(await instructors()).not.toContain(boss.id);
    await expect(
      app.pool.query('update "user" set teaches = true where id = $1', [boss.id]),
    ).rejects.toThrow('user_teaches');
  });
});
