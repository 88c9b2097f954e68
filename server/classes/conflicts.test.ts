// No place and no instructor is in two classes at once, however many ask at the same time.
import { describe, expect, it } from 'vitest';
import { approveClass } from '../../contract/classes/classes.ts';
import { checkDates, setDates } from '../../contract/classes/meetings.ts';
import { type Db, execute, query } from '../platform/db/connection.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor } from '../testing/factories.ts';
import { aClosure, aMeeting, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);

/** Pairs of meetings that are on in one place, or by one instructor, at the same time. */
const overlapping = async (db: Db = app.db) => {
  const rows = await query(db)`select from meeting a join meeting b
    on a.id < b.id and a.state = 'on' and b.state = 'on' and a.during && b.during
    and (a.place_id = b.place_id or a.instructor_id = b.instructor_id)`;
  return rows.length;
};

/** Four classes on one court: two times of day, each wanted by two of them. */
async function fourClasses() {
  const court = await aPlace(app);
  const pairs: string[][] = [];
  for (let n = 0; n < 2; n++) {
    const ids: string[] = [];
    for (const minute of ['00', '30']) {
      const klass = await aClass(app, { status: 'pending' });
      for (const day of [inDays(20), inDays(27)])
        await aMeeting(app, klass, {
          day,
          starts: `${10 + n * 2}:${minute}`,
          placeId: court.id,
          state: 'proposed',
        });
      ids.push(klass.id);
    }
    pairs.push(ids);
  }
  return pairs;
}

const statusOf = async (ids: string[]) => {
  const found = app.db.selectFrom('class').select('status').where('id', 'in', ids);
  return (await found.orderBy('status').execute()).map(({ status }) => status);
};

describe('twenty approvals at once of four classes that clash', () => {
  it('approve one of each pair and name the other in the refusal', async () => {
    const pairs = await fourClasses();
    const wanted = Array.from({ length: 5 }, () => pairs.flat()).flat();
    const answers = await Promise.all(
      wanted.map(async (id) => {
        const { status, body } = await app.send(approveClass, { id }, admin.token);
        return { id, status, body };
      }),
    );
    for (const pair of pairs) {
      expect(await statusOf(pair)).toEqual(['approved', 'pending']);
      const refused = answers.filter(({ id, status }) => pair.includes(id) && status !== 200);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['PLACE_TAKEN']));
      for (const { id, body } of refused) {
        const other = pair.find((one) => one !== id);
        expect(body.clashes?.map(({ classId }) => classId)).toEqual([other, other]);
      }
    }
    expect(await overlapping()).toBe(0);
  });

  it('control: approve all four without the constraints', async () => {
    const pairs = await fourClasses();
    const undo = new Error('undo');
    await expect(
      app.system([], async (db) => {
        await execute(db)`alter table meeting drop constraint meeting_place_free`;
        await execute(
          db,
        )`update meeting set state = 'on' where class_id = any (${pairs.flat()}::uuid[])`;
        expect(await overlapping(db)).toBe(4);
        throw undo;
      }),
    ).rejects.toBe(undo);
  });
});

describe('a refused change of dates', () => {
  it('names the other class of the instructor, stores nothing', async () => {
    const coach = await anInstructor(app);
    const busy = await aClass(app, { instructor: coach });
    await aMeeting(app, busy, { day: inDays(40) });
    const klass = await aClass(app, { instructor: coach });
    const meetings = [{ day: inDays(40), starts: '15:30', minutes: 60 }];
    const input = { id: klass.id, version: 0, meetings };
    const { status, body } = await app.send(setDates, input, admin.token);
    expect([status, body.code]).toEqual([409, 'INSTRUCTOR_BUSY']);
    expect(body.clashes).toMatchObject([{ kind: 'instructor', with: busy.name, starts: '15:30' }]);
    expect(await query(app.db)`select from meeting where class_id = ${klass.id}`).toEqual([]);
  });
});

describe('checking dates', () => {
  it('finds clashes, holidays and places that are too small', async () => {
    const coach = await anInstructor(app);
    const court = await aPlace(app, { capacity: 8 });
    const taken = await aClass(app);
    await aMeeting(app, taken, { day: inDays(50), placeId: court.id });
    const name = unique('Holiday');
    await aClosure(app, { name, firstDay: inDays(50), lastDay: inDays(52) });
    const meetings = [
      { day: inDays(50), starts: '16:30', minutes: 60, placeId: court.id },
      { day: inDays(57), starts: '16:30', minutes: 60, placeId: court.id },
    ];
    const { body } = await app.send(checkDates, { seat: 20, meetings }, coach.token);
    expect(body).toEqual({
      clashes: [
        { day: inDays(50), starts: '16:30', kind: 'place', with: taken.name, classId: taken.id },
      ],
      closures: [{ day: inDays(50), name }],
      tooSmall: [{ place: court.name, capacity: 8 }],
    });
  });

  it('does not name a class of somebody else that is not public', async () => {
    const court = await aPlace(app);
    const hidden = await aClass(app, { name: unique('Secret') });
    await aMeeting(app, hidden, { day: inDays(60), placeId: court.id });
    await app.pool.query(`update class set status = 'denied' where id = $1`, [hidden.id]);
    const meetings = [{ day: inDays(60), starts: '16:00', minutes: 60, placeId: court.id }];
    const coach = await anInstructor(app);
    const { body } = await app.send(checkDates, { meetings }, coach.token);
    expect(body.clashes).toEqual([
      { day: inDays(60), starts: '16:00', kind: 'place', with: 'another class' },
    ]);
    expect((await app.send(checkDates, { meetings }, admin.token)).body.clashes[0]?.with).toBe(
      hidden.name,
    );
  });

  it('without dates looks at those stored, as a review does', async () => {
    const court = await aPlace(app);
    const on = await aClass(app);
    await aMeeting(app, on, { day: inDays(80), placeId: court.id });
    const klass = await aClass(app, { status: 'pending' });
    await aMeeting(app, klass, { day: inDays(80), placeId: court.id, state: 'proposed' });
    const { body } = await app.send(checkDates, { classId: klass.id }, admin.token);
    expect(body.clashes.map(({ classId }) => classId)).toEqual([on.id]);
  });
});
