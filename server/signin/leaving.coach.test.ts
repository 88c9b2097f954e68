// What others do with the classes of a coach who has left.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { approveClass, handOverClass } from '../../contract/classes/classes.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, type TestUser } from '../testing/factories.ts';
import { aMeeting } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);

const leave = ({ email, token }: Pick<TestUser, 'email' | 'token'>) =>
  app.send(deleteAccount, { email, giveBack: true }, token);

describe('an instructor who left', () => {
  it('has no class approved: it is handed over first', async () => {
    const who = await anInstructor(app);
    const { id } = await aClass(app, { instructor: who, status: 'pending' });
    expect((await leave(who)).status).toBe(200);
    const { status, body } = await app.send(approveClass, { id }, admin.token);
    expect([status, body.code]).toEqual([409, 'NOT_AN_INSTRUCTOR']);
    expect(body.message).toContain('hand the class over');
    const { id: to } = await anInstructor(app);
    expect((await app.send(handOverClass, { id, to }, admin.token)).status).toBe(200);
    expect((await app.send(approveClass, { id }, admin.token)).body).toEqual({ modifiedCount: 1 });
  });

  it('was no substitute of a meeting that takes place, also in a class without students', async () => {
    const who = await anInstructor(app);
    const klass = await aClass(app);
    const { id } = await aMeeting(app, klass, { instructorId: who.id });
    const { status, body } = await leave(who);
    expect([status, body.code]).toEqual([409, 'TEACHES_STUDENTS']);
    expect(body.message).toContain('substitute in a class');
    await app.pool.query(`update meeting set state = 'cancelled' where id = $1`, [id]);
    expect((await leave(who)).status).toBe(200);
  });

  it('gives meetings that are only proposed back to the instructor of the class', async () => {
    const who = await anInstructor(app);
    const klass = await aClass(app, { status: 'pending' });
    const { id } = await aMeeting(app, klass, { instructorId: who.id, state: 'proposed' });
    expect((await leave(who)).status).toBe(200);
    const meeting = await app.db
      .selectFrom('meeting')
      .select('instructorId')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(meeting?.instructorId).toBe(klass.instructorId);
    expect((await app.send(approveClass, { id: klass.id }, admin.token)).status).toBe(200);
  });
});
