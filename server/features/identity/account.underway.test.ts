// What is under way while its author deletes the account: it comes before the deletion, or it is
// refused. And what others do with the classes of somebody who has left.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deleteAccount } from '../../../contract/account.ts';
import { updateProfile } from '../../../contract/auth.ts';
import { approveClass, handOverClass, updateClass } from '../../../contract/classes.ts';
import { makeFeed } from '../../../contract/feeds.ts';
import { setDates } from '../../../contract/meetings.ts';
import { addPlace } from '../../../contract/places.ts';
import { objectToDates } from '../../../contract/objections.ts';
import { aHeldSeat, aShop } from '../../testing/checkout.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../../testing/factories.ts';
import { aMeeting, anEnrolled, inDays } from '../../testing/meetings.ts';
import { overtaken, waiters, whileHeld } from '../../testing/overtaken.ts';
import { slowly } from '../../testing/slowly.ts';
import { aConfirmedMember, goodPassword } from '../../testing/visitor.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterEach(() => void vi.restoreAllMocks());
const admin = await anAdmin(app);

const leave = ({ email, token }: Pick<TestUser, 'email' | 'token'>) =>
  app.send(deleteAccount, { email, giveBack: true }, token);
const late = (who: TestUser, work: () => Promise<{ status: number }>) =>
  overtaken(app, who.email, () => leave(who), work);
const count = async (text: string, values: string[]) =>
  (await app.pool.query(text, values)).rowCount;

it('a deletion from a session that has ended gives up no seat that is being paid for', async () => {
  const { who } = await aHeldSeat(shop);
  const input = { email: who.email, giveBack: true as const };
  const request = { call: deleteAccount, input, seconds: 0, ...who };
  const end = () => app.pool.query('delete from session where user_id = $1', [who.id]);
  expect(await slowly(app, request, end)).toBe(401);
  const { rows } = await app.pool.query('select state from hold where student_id = $1', [who.id]);
  expect(rows).toEqual([{ state: 'held' }]);
});

describe('a request that a deletion of the account overtakes is refused', () => {
  it('a calendar feed, of all and of oneself', async () => {
    for (const own of [false, true]) {
      const who = await aUser(app);
      const input = own ? { participantId: who.id } : {};
      expect((await late(who, () => app.send(makeFeed, input, who.token))).status).toBe(401);
      expect(await count('select from feed where user_id = $1', [who.id])).toBe(0);
    }
  });

  it('an objection to new dates, and its words are not kept', async () => {
    const klass = await aClass(app);
    const who = await anEnrolled(app, klass.id);
    await aMeeting(app, klass);
    await app.pool.query(`update enrolment set created_at = now() - interval '1 day'`);
    const { id } = await app.db
      .selectFrom('enrolment')
      .select('id')
      .where('studentId', '=', who.id)
      .executeTakeFirstOrThrow();
    const words = { id, words: 'Tom is ill on Mondays' };
    expect((await late(who, () => app.send(objectToDates, words, who.token))).status).toBe(401);
    expect(await count(`select from enrolment where id = $1 and objection <> ''`, [id])).toBe(0);
  });

  it('a change of a class and of its dates: the class stays closed', async () => {
    const calls = [
      (id: string, token: string) => app.send(updateClass, { id, description: 'Back' }, token),
      (id: string, token: string) => {
        const meetings = [{ day: inDays(9), starts: '10:00', minutes: 60 }];
        return app.send(setDates, { id, version: 0, meetings }, token);
      },
    ];
    for (const call of calls) {
      const who = await anInstructor(app);
      const { id } = await aClass(app, { instructor: who });
      expect((await late(who, () => call(id, who.token))).status).toBe(401);
      const row = await app.db
        .selectFrom('class')
        .select(['status', 'description', 'endsAt'])
        .where('id', '=', id)
        .executeTakeFirst();
      expect(row).toEqual({ status: 'denied', description: '', endsAt: null });
    }
  });

  it('a place', async () => {
    const who = await anAdmin(app);
    const place = { name: 'Court of nobody', capacity: 4 };
    expect((await late(who, () => app.send(addPlace, place, who.token))).status).toBe(401);
    expect(await count('select from place where name = $1', [place.name])).toBe(0);
  });
});

/** The name changes first, and the work waits for it or for a row that it has. */
async function renamed(
  work: (who: { id: string; token: string }, classId: string) => Promise<{ status: number }>,
) {
  const { email, visitor } = await aConfirmedMember(app);
  const { id } = await app.db
    .updateTable('user')
    .set({ role: 'instructor' })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow();
  const token = await visitor.token(email);
  const klass = await aClass(app, { instructor: { id, name: 'Ada' } as TestUser });
  return whileHeld(app, email, async (holder) => {
    const naming = visitor.auth(updateProfile.path.replace('/auth/', ''), { name: 'Grace' });
    await waiters(app, 1);
    const working = work({ id, token }, klass.id);
    await waiters(app, 2);
    await holder.query('commit');
    return [(await naming).status, (await working).status];
  });
}

describe('a change of the name of an instructor does not deadlock', () => {
  it('with a hand-over of a class', async () => {
    const { id: to } = await anInstructor(app);
    expect(await renamed((_who, id) => app.send(handOverClass, { id, to }, admin.token))).toEqual([
      200, 200,
    ]);
  });

  it('with a deletion of the account', async () => {
    expect(
      await renamed(({ token }) => app.send(deleteAccount, { password: goodPassword }, token)),
    ).toEqual([200, 200]);
  });
});

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
