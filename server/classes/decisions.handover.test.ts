// An admin gives a class to another instructor, and the one who taught it may leave.
import { expect, it } from 'vitest';
import {
  getClass,
  handOverClass,
  listInstructorClasses,
  updateClass,
} from '../../contract/classes/classes.ts';
import { sendMarks } from '../../contract/rollcall/rollcall.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aMeetingRow } from '../testing/family.ts';
import { anEnrolled } from '../testing/meetings.ts';
import { waiters } from '../testing/overtaken.ts';

const app = await testApp();
const admin = await anAdmin(app);

const handOver = (id: string, to: string) => app.send(handOverClass, { id, to }, admin.token);

it('a class that is handed over is of the new instructor alone', async () => {
  const [coach, next] = [await anInstructor(app), await anInstructor(app)];
  const klass = await aClass(app, { instructor: coach });
  await anEnrolled(app, klass.id);
  expect((await handOver(klass.id, next.id)).body).toEqual({ modifiedCount: 1 });
  expect((await handOver(klass.id, next.id)).body).toEqual({ modifiedCount: 0 });
  expect((await app.send(getClass, { id: klass.id })).body).toMatchObject({
    instructor: next.name,
    instructorId: next.id,
    email: next.email,
    status: 'approved',
  });
  const own = await app.send(listInstructorClasses, { email: coach.email }, coach.token);
  expect(own.body).toEqual([]);
  expect((await app.send(updateClass, { id: klass.id, price: 30 }, coach.token)).status).toBe(404);
  const log = app.db.selectFrom('audit').select('action').where('subject', '=', klass.id);
  expect(await log.execute()).toEqual([{ action: 'class handed over' }]);
});

it('only an instructor can be given a class', async () => {
  const { id } = await aClass(app);
  for (const to of [(await aUser(app)).id, admin.id, crypto.randomUUID()]) {
    const { status, body } = await handOver(id, to);
    expect([status, body.code, body.field]).toEqual([409, 'NOT_AN_INSTRUCTOR', 'to']);
  }
  expect((await handOver(crypto.randomUUID(), (await anInstructor(app)).id)).status).toBe(404);
});

it('does not deadlock with a batch of marks of several meetings', async () => {
  const [coach, next] = [await anInstructor(app), await anInstructor(app)];
  const klass = await aClass(app, { instructor: coach });
  // In the order of days the greater id comes first.
  const ids = [crypto.randomUUID(), crypto.randomUUID()].toSorted().toReversed();
  for (const [nth, id] of ids.entries()) {
    const meeting = await aMeetingRow(app, klass, { inMinutes: 120 * (nth - 3) });
    await app.pool.query('update meeting set id = $2 where id = $1', [meeting.id, id]);
  }
  const marks = ids.map((meetingId) => ({
    _id: crypto.randomUUID(),
    meetingId,
    guest: 'Tom',
    status: 'present' as const,
    at: new Date().toJSON(),
  }));
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from meeting where id = $1 for update', [ids[1]]);
    const marking = app.send(sendMarks, { marks }, coach.token);
    await waiters(app, 1);
    const handing = handOver(klass.id, next.id);
    await waiters(app, 2);
    await holder.query('commit');
    expect((await marking).body.map(({ result }) => result)).toEqual(['saved', 'saved']);
    expect((await handing).body).toEqual({ modifiedCount: 1 });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});
