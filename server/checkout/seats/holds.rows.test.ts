import { isLive } from '../../platform/db/states.ts';
import { expect, it } from 'vitest';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { testApp } from '../../testing/app.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aHoldRow, secondsFromNow } from '../../testing/rows.ts';
import {
  free,
  type HoldState,
  lockHolds,
  lockRivals,
  putOffRelease,
  readHold,
  rebuildHold,
  startOverdue,
  startRelease,
  takeReleasing,
} from './holds.ts';

const app = await testApp();
const { db } = app;
const student = await aUser(app);
const stillHeld = { state: 'held', ended_because: null };

interface Given {
  studentId?: string;
  classId?: string;
  state?: HoldState;
  slot?: number;
  /** Seconds from now, by the database's clock. */
  expires?: number;
  nextTry?: number;
  tries?: number;
}

/** A row of hold. Each has its own student unless given. */
async function aHold(given: Given = {}) {
  const { expires = 900, nextTry, ...columns } = given;
  const { id } = await aHoldRow(app, {
    ...columns,
    expiresAt: secondsFromNow(expires),
    nextTry: nextTry === undefined ? null : secondsFromNow(nextTry),
  });
  const hold = await readHold(db, id);
  if (!hold) throw new Error('a hold that was just written cannot be read');
  return hold;
}

/** Columns that the rest of the app does not read. */
async function stored(id: string) {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select state, ended_because, tries, next_try is null as never,
       releasing_since > now() - interval '5 seconds' as begun, round(extract(epoch from next_try - now()))::int as ahead
     from hold where id = $1`,
    [id],
  );
  return rows[0] ?? {};
}

it.each([
  ['held', true],
  ['releasing', true],
  ['released', false],
  ['consumed', false],
] as const)('a hold that is %s is live: %s', (state, live) => expect(isLive({ state })).toBe(live));

it('a hold is read by its id; an unknown one is null', async () => {
  const hold = await aHold({ studentId: student.id });
  expect(hold).toMatchObject({
    studentId: student.id,
    listCents: 1_999,
    discountCents: 0,
    state: 'held',
  });
  expect(await readHold(db, crypto.randomUUID())).toBeNull();
});

it('a hold that is being released or has expired is not extended', async () => {
  const who = await aUser(app);
  const releasing = await aHold({ studentId: who.id, state: 'releasing', slot: 1 });
  const over = await aHold({ studentId: who.id, expires: -1, slot: 2 });
  for (const hold of [releasing, over]) {
    expect((await app.send(extendHold, { id: hold.id }, who.token)).body.code).toBe('HOLD_EXPIRED');
    expect(await readHold(db, hold.id)).toEqual(hold);
  }
});

it('a hold is locked with its basket, or with the live hold of the same participant and class', async () => {
  const studentId = (await aUser(app)).id;
  const classId = (await aClass(app)).id;
  const past = await aHold({ studentId, classId, state: 'consumed' });
  const live = await aHold({ studentId, classId, state: 'releasing' });
  await aHold({ studentId, slot: 2 });
  await aHold({ classId });
  await app.transaction(async (db) => {
    expect((await lockHolds(db, past.id)).map(({ id }) => id)).toEqual([past.id]);
    expect((await lockRivals(db, { basketId: past.id, ids: [] })).map(({ id }) => id)).toEqual(
      [past.id, live.id].toSorted(),
    );
    const { rows } = await app.pool.query('select from hold where id = $1 for update skip locked', [
      live.id,
    ]);
    expect(rows).toEqual([]);
  });
});

it('releasing starts for one hold, for those of a class, or for that of a student in a class', async () => {
  const studentId = (await aUser(app)).id;
  const classId = (await aClass(app)).id;
  const own = await aHold({ studentId, classId });
  const ofClass = await aHold({ classId });
  const ofStudent = await aHold({ studentId, slot: 2 });
  const untouched = await aHold();
  const past = await aHold({ classId, state: 'released' });
  expect(await startRelease(db, { id: own.id }, 'removed')).toEqual([own.id]);
  expect(await stored(own.id)).toMatchObject({
    state: 'releasing',
    ended_because: 'removed',
    begun: true,
    ahead: 0,
  });
  expect(await stored(ofStudent.id)).toMatchObject(stillHeld);
  expect(await startRelease(db, { classId }, 'denied')).toEqual([ofClass.id]);
  expect(await startRelease(db, { id: ofStudent.id }, 'expired')).toEqual([ofStudent.id]);
  expect(await startRelease(db, { id: own.id }, 'expired')).toEqual([]);
  expect(await stored(own.id)).toMatchObject({ ended_because: 'removed' });
  expect(await stored(untouched.id)).toMatchObject(stillHeld);
  expect(await stored(past.id)).toMatchObject({ state: 'released', ended_because: null });
});

it('expired holds and holds of denied classes are released, the longest overdue first', async () => {
  await startOverdue(db, 1_000);
  const denied = await aHold({ classId: (await aClass(app, { status: 'denied' })).id });
  const later = await aHold({ expires: -10 });
  const earlier = await aHold({ expires: -20 });
  const inTime = await aHold();
  expect(await startOverdue(db, 1)).toEqual([earlier.id, denied.id]);
  expect(await startOverdue(db, 100)).toEqual([later.id]);
  expect(await stored(earlier.id)).toMatchObject({
    state: 'releasing',
    ended_because: 'expired',
    begun: true,
  });
  expect(await stored(denied.id)).toMatchObject({
    state: 'releasing',
    ended_because: 'denied',
    begun: true,
  });
  expect(await stored(inTime.id)).toMatchObject(stillHeld);
});

it('due releases are leased, the longest due first, and are due again half a minute later', async () => {
  await takeReleasing(db, 1_000);
  const second = await aHold({ state: 'releasing', nextTry: -10 });
  const first = await aHold({ state: 'releasing', nextTry: -20 });
  const notYet = await aHold({ state: 'releasing', nextTry: 20 });
  expect(await takeReleasing(db, 1)).toEqual([first.id]);
  expect(await takeReleasing(db, 100)).toEqual([second.id]);
  expect(await stored(first.id)).toMatchObject({ ahead: 30 });
  expect(await stored(notYet.id)).toMatchObject({ ahead: 20 });
});

it.each([
  [0, 5],
  [1, 10],
  [5, 160],
  [6, 300],
  [100, 300],
])('after %i failed attempts the provider is asked again in %i seconds', async (tries, ahead) => {
  const hold = await aHold({ state: 'releasing', tries, nextTry: 0 });
  await putOffRelease(db, hold.id);
  expect(await stored(hold.id)).toMatchObject({ tries: tries + 1, ahead });
});

it('a hold ends once and is never due again', async () => {
  const hold = await aHold({ state: 'releasing', nextTry: 0 });
  const other = await aHold();
  await app.db.updateTable('hold').set({ basketId: null }).where('id', '=', hold.id).execute();
  await free(db, hold);
  expect(await stored(hold.id)).toMatchObject({ state: 'released', never: true });
  expect(await stored(other.id)).toMatchObject(stillHeld);
});

it('a lost hold is rebuilt, and counts no seat', async () => {
  const { id: classId } = await aClass(app);
  const found = {
    studentId: student.id,
    participantId: student.id,
    classId,
    listCents: 2_500,
  };
  const hold = await rebuildHold(db, found);
  expect(hold).toMatchObject({ ...found, state: 'released', basketId: null });
  expect(await stored(hold.id)).toMatchObject({ ended_because: 'rebuilt' });
});
