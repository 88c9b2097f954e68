// The lists of attendance: counts, roll calls that are missing, absences in a row, the spreadsheet.
import { describe, expect, it } from 'vitest';
import { exportAccount } from '../../contract/signin/export.ts';
import {
  exportAttendance,
  listAttendance,
  listRollCalls,
  type NewMark,
  sendMarks,
} from '../../contract/rollcall/rollcall.ts';
import { execute } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, enrol } from '../testing/family.ts';
import { inDays } from '../testing/meetings.ts';
import { changedMeanwhile } from '../testing/overtaken.ts';

const app = await testApp();
const admin = await anAdmin(app);
const day = 24 * 60;

/** A class that met four times, the last time a moment ago; Mia and Leo are enrolled. */
async function aTerm() {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { instructor });
  const meetings: { id: string }[] = [];
  for (const days of [4, 3, 2, 1])
    meetings.push(await aMeetingRow(app, klass, { inMinutes: -days * day }));
  const parent = await aUser(app);
  const mia = await aChild(app, [parent], { name: 'Mia' });
  const leo = await aChild(app, [parent], { name: 'Leo' });
  for (const child of [mia, leo]) await enrol(app, klass.id, parent, child);
  await execute(app.db)`
    update enrolment set created_at = now() - interval '90 days' where class_id = ${klass.id}`;
  const mark = (nth: number, given: Partial<NewMark>) => ({
    _id: crypto.randomUUID(),
    meetingId: meetings[nth]?.id ?? '',
    status: 'absent' as const,
    at: new Date(Date.now() - (4 - nth) * day * 60_000).toJSON(),
    ...given,
  });
  const send = (...marks: NewMark[]) => app.send(sendMarks, { marks }, instructor.token);
  return { instructor, klass, meetings, parent, mia, leo, mark, send };
}

describe('roll calls by meeting', () => {
  it('have counts, walk-ins, and who was absent three times', async () => {
    const { instructor, klass, mia, leo, mark, send } = await aTerm();
    await send(
      mark(0, { participantId: mia.id }),
      mark(1, { participantId: mia.id }),
      mark(1, { participantId: leo.id, status: 'left' }),
      mark(3, { participantId: mia.id }),
      mark(3, { participantId: leo.id, status: 'late' }),
      mark(3, { guest: 'Tom', note: '0123 456', status: 'present' }),
      mark(3, { guest: 'Typo' }),
    );
    const list = async (more: object = {}) =>
      (await app.send(listRollCalls, { class: klass.id, ...more }, instructor.token)).body;
    const facts = ['expected', 'present', 'late', 'absent', 'guests', 'taken'] as const;
    const counts = (await list()).map((row) => facts.map((fact) => row[fact]));
    expect(counts).toEqual([
      [2, 0, 1, 1, 1, true],
      [2, 0, 0, 0, 0, false],
      [2, 1, 0, 1, 0, true],
      [2, 0, 0, 1, 0, true],
    ]);
    const [newest, ...older] = await list();
    expect(newest).toMatchObject({
      over: true,
      walkIns: [{ guest: 'Tom', note: '0123 456' }],
      missedThree: [{ participantId: mia.id, name: 'Mia' }],
    });
    expect(older.every((row) => !row.missedThree && !row.walkIns)).toBe(true);
    // Without a roll call: the meeting two days ago.
    expect(await list({ missing: 'true' })).toMatchObject([{ taken: false, day: inDays(-2) }]);
    expect(await list({ from: inDays(-3), to: inDays(-2) })).toHaveLength(2);
    expect(await list({ page: 2, limit: 3 })).toHaveLength(1);
    // Came once in between: no longer three in a row.
    await send(mark(1, { participantId: mia.id, status: 'present', at: new Date().toJSON() }));
    expect((await list())[0]?.missedThree).toBeUndefined();
  });

  it('are not missing where nobody is expected', async () => {
    const instructor = await anInstructor(app);
    const klass = await aClass(app, { instructor });
    await aMeetingRow(app, klass, { inMinutes: -day });
    await aMeetingRow(app, klass, { inMinutes: 5 * day });
    const list = async (more: object = {}) =>
      (await app.send(listRollCalls, { class: klass.id, ...more }, instructor.token)).body.length;
    const seen = [await list(), await list({ to: inDays(9) }), await list({ missing: 'true' })];
    expect(seen).toEqual([1, 2, 0]);
  });

  it('count first-timers until they are over, and name a coach', async () => {
    const { instructor, klass, parent } = await aTerm();
    await aMeetingRow(app, klass, { inMinutes: day });
    const ben = await aChild(app, [parent], { name: 'Ben' });
    await enrol(app, klass.id, parent, ben);
    const list = async () =>
      (await app.send(listRollCalls, { class: klass.id, to: inDays(9) }, admin.token)).body;
    const newest = async () => {
      const [next, last] = await list();
      return [next?.firstTimers, next?.expected, last?.firstTimers, next?.coached];
    };
    expect(await newest()).toEqual([1, 3, 0, true]);
    await execute(app.db)`update "user" set role = 'student' where id = ${instructor.id}`;
    expect(await newest()).toEqual([1, 3, 0, false]);
  });

  it('are asked for with those that are cancelled', async () => {
    const { instructor, klass, meetings } = await aTerm();
    await execute(app.db)`
      update meeting set state = 'cancelled', told = 'rain' where id = ${meetings[0]?.id}`;
    const list = async (cancelled: 'true' | 'false') =>
      (await app.send(listRollCalls, { class: klass.id, cancelled }, instructor.token)).body;
    expect(await list('false')).toHaveLength(3);
    const [last] = (await list('true')).slice(-1);
    expect([last?.state, last?.told]).toEqual(['cancelled', 'rain']);
  });

  it('are asked for without the meetings of a substitute', async () => {
    const { instructor, klass, meetings } = await aTerm();
    const substitute = await anInstructor(app);
    await execute(app.db)`
      update meeting set instructor_id = ${substitute.id} where id = ${meetings[0]?.id}`;
    const count = async (mine: 'true' | 'false') =>
      (await app.send(listRollCalls, { class: klass.id, mine }, instructor.token)).body.length;
    expect([await count('false'), await count('true')]).toEqual([4, 3]);
  });
});

describe('attendance', () => {
  it('of a participant is what counts in each meeting', async () => {
    const { parent, instructor, mia, leo, mark, send } = await aTerm();
    const later = new Date().toJSON();
    await send(
      mark(0, { participantId: mia.id, status: 'present' }),
      mark(1, { participantId: mia.id }),
      mark(1, { participantId: mia.id, status: 'excused', note: 'Fever', at: later }),
      mark(1, { participantId: leo.id, status: 'present' }),
    );
    const { body } = await app.send(listAttendance, { participant: mia.id }, parent.token);
    expect(body.map(({ person, status, note, by }) => [person, status, note, by])).toEqual([
      ['Mia', 'excused', 'Fever', instructor.name],
      ['Mia', 'present', '', instructor.name],
    ]);
    const exported = async (who: TestUser) =>
      (await app.send(exportAccount, {}, who.token)).body.marks.map(({ participantId: id }) => id);
    expect((await exported(parent)).toSorted()).toEqual(
      [mia.id, mia.id, mia.id, leo.id].toSorted(),
    );
    expect(await exported(instructor)).toEqual([]);
  });

  it('is not read by a guardian removed while the read waits', async () => {
    const { parent, mia, mark, send } = await aTerm();
    await send(mark(1, { participantId: mia.id, note: 'Fever' }));
    const goes = await aUser(app);
    await app.pool.query('insert into guardian (user_id, participant_id) values ($1, $2)', [
      goes.id,
      mia.id,
    ]);
    const read = (who: TestUser) =>
      app.send(listAttendance, { participant: mia.id }, who.token).then(({ body }) => body);
    expect(await read(goes)).toHaveLength(1);
    const marks = await changedMeanwhile(app, {
      lock: ['lock table mark'],
      work: () => read(goes),
      change: ['delete from guardian where user_id = $1', [goes.id]],
    });
    expect(marks).toEqual([]);
    expect(await read(parent)).toHaveLength(1);
  });

  it('needs a class or a participant, and days in order', async () => {
    const asked = async (input: object) => {
      const { status, body } = await app.send(listAttendance, input, admin.token);
      return [status, (body as { field?: string }).field];
    };
    expect(await asked({})).toEqual([400, 'class']);
    const participant = admin.id;
    expect(await asked({ participant, from: '2027-02-01', to: '2027-01-01' })).toEqual([400, 'to']);
    expect(await asked({ participant, from: 'soon' })).toEqual([400, 'from']);
  });

  it('as a spreadsheet has no formula', async () => {
    const { klass, mia, mark, send } = await aTerm();
    await send(
      mark(2, { guest: '=HYPERLINK("https://example.com")', status: 'present' }),
      mark(2, { participantId: mia.id, status: 'late', note: '+1 hour' }),
    );
    const { body } = await app.send(exportAttendance, { class: klass.id }, admin.token);
    const [, first, second] = String(body).split('\r\n');
    expect(first).toContain(`"Mia","","late","'+1 hour"`);
    expect(second).toContain(`"'=HYPERLINK(""https://example.com"")","yes","present"`);
  });
});
