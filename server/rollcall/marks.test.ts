// Marks: stored once, in any order, by those who may, and never changed.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarkStatus, markStatuses, standing } from '../../contract/rollcall/marks.ts';
import { removeParticipant } from '../../contract/people/family.ts';
import { setDates } from '../../contract/classes/meetings.ts';
import { getClass } from '../../contract/classes/classes.ts';
import { getRoster, type NewMark, sendMarks } from '../../contract/rollcall/rollcall.ts';
import { execute, query, type RowOf, sql } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, enrol } from '../testing/family.ts';
import { inDays } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);

const aMark = (meeting: { id: string }, given: Partial<NewMark> = {}): NewMark => ({
  _id: crypto.randomUUID(),
  meetingId: meeting.id,
  status: 'present',
  at: new Date().toJSON(),
  ...(given.participantId ? {} : { guest: 'Tom' }),
  ...given,
});

/** A meeting under way, with a child enrolled since yesterday. */
async function aLesson(inMinutes = -10) {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { instructor });
  const meeting = await aMeetingRow(app, klass, { inMinutes });
  const parent = await aUser(app);
  const child = await aChild(app, [parent]);
  const seat = await enrol(app, klass.id, parent, child);
  await since(seat, 1);
  return { seat, instructor, klass, meeting, parent, child };
}

/** The seat was bought so many days ago, and perhaps given up. */
const since = ({ id }: { id: string }, days: number, until: number | null = null) =>
  sql`update enrolment set created_at = now() - make_interval(days => ${days}),
      state = ${until === null ? 'active' : 'cancelled'}, end_kind = ${until === null ? null : 'office'}, ended_at = now() - make_interval(days => ${until}::int)
    where id = ${id}`.execute(app.db);

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toJSON();

const send = (who: TestUser, ...marks: NewMark[]) => app.send(sendMarks, { marks }, who.token);
const results = async (who: TestUser, ...marks: NewMark[]) =>
  (await send(who, ...marks)).body.map(({ result, reason }) => reason ?? result);
const stored = (...marks: NewMark[]) => query<
  RowOf<'mark', 'id' | 'guest' | 'status' | 'note' | 'at' | 'madeBy'>
>(app.db)`
  select * from mark where id = any (${marks.map(({ _id }) => _id)}::uuid[]) order by at, id`;

describe('a batch of marks', () => {
  it('is stored once, however often it is sent', async () => {
    const { instructor, meeting, child } = await aLesson();
    const mark = aMark(meeting, { participantId: child.id, note: 'Picked up by Eva' });
    const other = aMark(meeting);
    expect(await results(instructor, mark, other, mark)).toEqual(['saved', 'saved', 'known']);
    expect(await results(instructor, other, mark)).toEqual(['known', 'known']);
    const again = aMark(meeting, { participantId: child.id });
    const both = await Promise.all([1, 2, 3, 4].map(() => results(instructor, again)));
    expect(both.flat().toSorted()).toEqual(['known', 'known', 'known', 'saved']);
    expect(await stored(mark, other, again)).toHaveLength(3);
  });

  it('loses only rows that cannot be stored, with the reason', async () => {
    const { instructor, meeting, klass, child } = await aLesson();
    const foreign = await aLesson();
    const early = await aMeetingRow(app, klass, { inMinutes: 3 * 24 * 60 });
    const old = await aMeetingRow(app, klass, { inMinutes: -40 * 24 * 60 });
    const good = aMark(meeting, { participantId: child.id });
    const sent = [
      aMark({ id: crypto.randomUUID() }),
      aMark(foreign.meeting),
      aMark(meeting, { participantId: foreign.child.id }),
      aMark(meeting, { participantId: crypto.randomUUID() }),
      aMark(early),
      aMark(old),
      good,
      aMark(meeting, { _id: good._id, status: 'absent' }),
    ];
    expect(await results(instructor, ...sent.slice(0, 7))).toEqual([
      'unknown meeting',
      'unknown meeting',
      'not enrolled',
      'not enrolled',
      'too early',
      'too late',
      'saved',
    ]);
    expect(await results(instructor, ...sent.slice(7))).toEqual(['used id']);
    expect(await stored(...sent)).toHaveLength(1);
  });

  it('has people who were expected, until a week after a seat', async () => {
    const { instructor, meeting, child, seat } = await aLesson(-120);
    const came = () => results(instructor, aMark(meeting, { participantId: child.id }));
    const bought = [[0], [500, 400], [500, 8], [500, 6]] as const;
    const seen: unknown[] = [];
    for (const [days, until] of bought) {
      await since(seat, days, until);
      seen.push(...(await came()));
    }
    expect(seen).toEqual(['not enrolled', 'not enrolled', 'not enrolled', 'saved']);
  });

  it('is refused when it arrives 37 days after the meeting', async () => {
    const { instructor, klass } = await aLesson();
    const at = hours(-30 * 24);
    const late = await aMeetingRow(app, klass, { inMinutes: -36 * 24 * 60 });
    const tooLate = await aMeetingRow(app, klass, { inMinutes: -38 * 24 * 60 });
    const sent = [aMark(late, { at }), aMark(tooLate, { at })];
    expect(await results(instructor, ...sent)).toEqual(['saved', 'too late']);
  });

  it('has at most 200 walk-ins of a meeting, also in a race', async () => {
    const { instructor, meeting } = await aLesson();
    const batch = (nth: number) =>
      Array.from({ length: 100 }, (_, n) => aMark(meeting, { guest: `${nth} ${n % 90}` }));
    const batches = [batch(0), batch(1), batch(2)];
    const seen = (await Promise.all(batches.map((marks) => results(instructor, ...marks)))).flat();
    const [guests] = await query(app.db)`
      select count(distinct guest)::int as n from mark where meeting_id = ${meeting.id}`;
    expect(guests).toEqual({ n: 200 });
    expect(new Set(seen)).toEqual(new Set(['saved', 'too many walk-ins']));
    // Those who are on the list are marked again.
    const [first] = await stored(...batches.flat());
    const again = aMark(meeting, { guest: first?.guest ?? '', status: 'absent' });
    expect(await results(instructor, again)).toEqual(['saved']);
  });

  it('has at most 100 marks of a person by each account', async () => {
    const { instructor, meeting, child } = await aLesson();
    const of = (given: Partial<NewMark>, count: number) =>
      Array.from({ length: count }, () => aMark(meeting, given));
    const batches = [1, 2].map(() => of({ participantId: child.id }, 60));
    const seen = await Promise.all(batches.map((marks) => results(instructor, ...marks)));
    const count = (wanted: string) => seen.flat().filter((result) => result === wanted).length;
    expect([count('saved'), count('too many marks')]).toEqual([100, 20]);
    const known = new Set((await stored(...batches.flat())).map(({ id }) => id));
    const again = batches.flat().filter(({ _id }) => known.has(_id));
    expect(new Set(await results(instructor, ...again))).toEqual(new Set(['known']));
    // Another person, and another account that marks the same one.
    expect(await results(instructor, ...of({ guest: 'Tom' }, 1))).toEqual(['saved']);
    expect(await results(admin, ...of({ participantId: child.id }, 1))).toEqual(['saved']);
  });

  it.each([
    ['both a participant and a guest', { participantId: crypto.randomUUID(), guest: 'Tom' }],
    ['neither', { guest: undefined }],
    ['half a character', { note: 'Eva \uD83D' }],
    ['a year that PostgreSQL does not know', { at: '0000-01-01T00:00:00Z' }],
  ])('is refused as a whole with %s', async (_what, given) => {
    const { instructor, meeting } = await aLesson();
    const good = aMark(meeting);
    const { status, body } = await send(instructor, good, { ...aMark(meeting), ...given });
    expect(status).toBe(400);
    expect(body).toMatchObject({ field: expect.stringMatching(/^marks/) });
    expect(await stored(good)).toEqual([]);
  });
});

describe('the state of a person (RC2)', () => {
  const anyMarks = fc.uniqueArray(
    fc.record({
      _id: fc.uuid(),
      status: fc.constantFrom(...markStatuses),
      at: fc.integer({ min: 0, max: 5 }).map((n) => `2027-01-04T16:00:0${n}.000Z`),
      byId: fc.constantFrom('ana', 'ben', null),
    }),
    { selector: ({ _id }) => _id, maxLength: 8 },
  );

  it('is the same for any order and repetition of arrival', () => {
    fc.assert(
      fc.property(anyMarks, fc.infiniteStream(fc.nat()), (marks, random) => {
        const take = () => random.next().value ?? 0;
        const shuffled = [...marks, ...marks.slice(0, 3)]
          .map((mark) => ({ mark, by: take() }))
          .toSorted((a, b) => a.by - b.by)
          .map(({ mark }) => mark);
        expect(standing(shuffled)).toEqual(standing(marks));
      }),
    );
  });
});

describe('the clock of a phone (RC5)', () => {
  it('two hours off loses nothing, and nothing is later than now', async () => {
    const { instructor, meeting, klass, child } = await aLesson();
    const of = (status: MarkStatus, at: string) =>
      aMark(meeting, { participantId: child.id, status, at });
    const behind = of('late', hours(-2));
    const ahead = [of('absent', hours(2)), of('excused', hours(2.01)), of('present', hours(2.02))];
    const seen = await results(instructor, ...ahead.toReversed(), behind);
    expect(seen).toEqual(['saved', 'saved', 'saved', 'saved']);
    const kept = await stored(behind, ...ahead);
    expect(kept.every(({ at }) => at <= new Date())).toBe(true);
    // Those of one phone stay in their order.
    expect(kept.map(({ status }) => status)).toEqual(['late', 'absent', 'excused', 'present']);
    // A mark made after their arrival counts.
    await send(instructor, of('left', hours(0)));
    const { body } = await app.send(getRoster, { id: klass.id }, instructor.token);
    expect(body.people[0]?.mark?.status).toBe('left');
  });

  it('control: the database refuses a mark of the future', async () => {
    const { meeting } = await aLesson();
    const row = { id: crypto.randomUUID(), meetingId: meeting.id, guest: 'Tom', status: 'late' };
    const added = app.db.insertInto('mark').values({ ...row, at: hours(2) });
    await expect(added.execute()).rejects.toThrow('mark_check');
  });
});

describe('a stored mark (RC4)', () => {
  it('is not changed, but its note blanked and author forgotten', async () => {
    const { instructor, meeting, child } = await aLesson();
    const mark = aMark(meeting, { participantId: child.id, note: 'Fever' });
    await send(instructor, mark);
    const change = (set: object) =>
      app.db.updateTable('mark').set(set).where('id', '=', mark._id).execute();
    for (const set of [
      { status: 'absent' },
      { at: new Date(0) },
      { note: 'Fine' },
      { madeBy: admin.id },
      { participantId: null, guest: 'Tom' },
      { receivedAt: new Date() },
    ])
      await expect(change(set)).rejects.toThrow('marks are only added');
    await change({ note: '', madeBy: null });
    expect(await stored(mark)).toMatchObject([{ note: '', madeBy: null, status: 'present' }]);
  });

  it('control: without the trigger it is changed', async () => {
    const { instructor, meeting } = await aLesson();
    const mark = aMark(meeting);
    await send(instructor, mark);
    const changed = app.system([], async (db) => {
      await execute(db)`alter table mark disable trigger mark_is_only_added`;
      const rows = await execute(db)`update mark set status = 'absent' where id = ${mark._id}`;
      throw new Error(`${rows} changed`);
    });
    await expect(changed).rejects.toThrow('1 changed');
  });

  it('keeps its meeting, also while the mark is being added', async () => {
    const { instructor, meeting, klass } = await aLesson();
    const { body } = await app.send(getClass, { id: klass.id }, admin.token);
    const remove = () =>
      app.send(setDates, { id: klass.id, version: body.dates ?? 0, meetings: [] }, admin.token);
    const mark = aMark(meeting);
    const [sent, removed] = await Promise.all([results(instructor, mark), remove()]);
    // Either the mark was first, and stays with its meeting, or the meeting was gone.
    expect([sent[0], removed.status]).toEqual(
      removed.status === 200 ? ['unknown meeting', 200] : ['saved', 409],
    );
    if (removed.status === 200) return;
    expect((await remove()).body.code).toBe('FAMILIES_BOOKED');
    expect(await stored(mark)).toHaveLength(1);
  });

  it('keeps day and time of its meeting, which may be cancelled', async () => {
    const { instructor, meeting, klass } = await aLesson();
    const { id: _id } = meeting;
    await results(instructor, aMark(meeting));
    const change = async (given: object) => {
      const { body } = await app.send(getClass, { id: klass.id }, admin.token);
      const was = (body.meetings ?? []).map(({ day, starts }) => ({ day, starts }));
      const meetings = was.map((time) => Object.assign(time, { _id, minutes: 60 }, given));
      const input = { id: klass.id, version: body.dates ?? 0, meetings };
      const answer = await app.send(setDates, input, admin.token);
      return answer.status === 200 ? 200 : answer.body.field;
    };
    const seen = [
      await change({ day: inDays(30) }),
      await change({ day: inDays(30), cancelled: true }),
      await change({ cancelled: true }),
      await change({ day: inDays(30) }),
    ];
    expect(seen).toEqual(['meetings.0.day', 'meetings.0.day', 200, 'meetings.0.day']);
  });

  it('of an erased child has no note, also if it arrives later', async () => {
    const { instructor, meeting, parent, child } = await aLesson(-120);
    const before = aMark(meeting, { participantId: child.id, note: 'Fever' });
    const after = aMark(meeting, { participantId: child.id, note: 'Picked up by Eva' });
    expect(await results(instructor, before)).toEqual(['saved']);
    const { status } = await app.send(removeParticipant, { id: child.id }, parent.token);
    expect(status).toBe(200);
    expect(await results(instructor, after)).toEqual(['saved']);
    expect((await stored(before, after)).map(({ note }) => note)).toEqual(['', '']);
  });
});
