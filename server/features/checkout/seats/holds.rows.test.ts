import { expect, it } from 'vitest';
import { extendHold } from '../../../../contract/payments.ts';
import { testApp, unique } from '../../../testing/app.ts';
import { aClass, aUser } from '../../../testing/factories.ts';
import { aHoldRow, secondsFromNow } from '../../../testing/rows.ts';
import {
  holdOfIntent,
  type HoldState,
  isLive,
  keepIntent,
  lockHolds,
  noteDeclines,
  putOffRelease,
  raiseAttempt,
  readHold,
  rebuildHold,
  setState,
  startOverdue,
  startRelease,
  takeOpenIntents,
  takeReleasing,
} from './holds.ts';

const app = await testApp();
const { db } = app;
const student = await aUser(app);
const stillHeld = { state: 'held', reason: null };

interface Given {
  studentId?: string;
  classId?: string;
  state?: HoldState;
  slot?: number;
  attempt?: number;
  intentId?: string | null;
  /** Seconds from now, by the database's clock. */
  expires?: number;
  nextTry?: number;
  checked?: number;
  tries?: number;
}

/** A row of hold. Each has its own student unless given. */
async function aHold(given: Given = {}) {
  const { expires = 900, nextTry, checked, ...columns } = given;
  const { id } = await aHoldRow(app, {
    ...columns,
    expiresAt: secondsFromNow(expires),
    nextTry: nextTry === undefined ? null : secondsFromNow(nextTry),
    checkedAt: checked === undefined ? null : secondsFromNow(checked),
  });
  const hold = await readHold(db, id);
  if (!hold) throw new Error('a hold that was just written cannot be read');
  return hold;
}

/** Columns that the rest of the app does not read. */
async function stored(id: string) {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select state, reason, attempt, intent_id, declines, tries, next_try is null as never, checked_at > now() - interval '5 seconds' as checked,
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

it('a hold is read by its id and by its intent; an unknown one is null', async () => {
  const intentId = unique('pi');
  const hold = await aHold({ studentId: student.id, intentId });
  expect(hold).toMatchObject({
    studentId: student.id,
    intentId,
    amountCents: 1_999,
    currency: 'usd',
    state: 'held',
  });
  expect(await holdOfIntent(db, intentId)).toEqual(hold);
  expect(await readHold(db, crypto.randomUUID())).toBeNull();
  expect(await holdOfIntent(db, unique('pi'))).toBeNull();
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

it('a hold is locked alone, or with the live hold of the same student and class', async () => {
  const studentId = (await aUser(app)).id;
  const classId = (await aClass(app)).id;
  const past = await aHold({ studentId, classId, state: 'released' });
  const live = await aHold({ studentId, classId, state: 'releasing' });
  await aHold({ studentId, slot: 2 });
  await aHold({ classId });
  await app.transaction(async (db) => {
    expect((await lockHolds(db, past)).map(({ id }) => id)).toEqual([past.id]);
    expect((await lockHolds(db, past, true)).map(({ id }) => id)).toEqual(
      [past.id, live.id].toSorted(),
    );
    const { rows } = await app.pool.query('select from hold where id = $1 for update skip locked', [
      live.id,
    ]);
    expect(rows).toEqual([]);
  });
});

it('an intent is stored in a hold that is unchanged since the intent was requested', async () => {
  const hold = await aHold();
  const intentId = unique('pi');
  expect(await keepIntent(db, hold, intentId)).toBe(true);
  expect(await keepIntent(db, hold, intentId)).toBe(true);
  expect(await stored(hold.id)).toMatchObject({ intent_id: intentId, checked: true });
});

it.each<[string, Given]>([
  ['is being given up', { state: 'releasing' }],
  ['is at another attempt', { attempt: 2 }],
  ['has another intent', { intentId: unique('pi') }],
])('an intent is not stored in a hold that %s', async (_what, given) => {
  const hold = await aHold(given);
  expect(await keepIntent(db, { id: hold.id, attempt: 1 }, unique('pi'))).toBe(false);
  expect(await readHold(db, hold.id)).toEqual(hold);
});

it('the attempt is raised once, and never when an intent is known or the seat is being released', async () => {
  const hold = await aHold();
  await raiseAttempt(db, hold);
  await raiseAttempt(db, hold);
  expect(await stored(hold.id)).toMatchObject({ attempt: 2 });
  for (const other of [
    await aHold({ intentId: unique('pi') }),
    await aHold({ state: 'releasing' }),
  ]) {
    await raiseAttempt(db, other);
    expect(await stored(other.id)).toMatchObject({ attempt: 1 });
  }
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
    reason: 'removed',
    begun: true,
    ahead: 0,
  });
  expect(await stored(ofStudent.id)).toMatchObject(stillHeld);
  expect(await startRelease(db, { classId }, 'denied')).toEqual([ofClass.id]);
  expect(await startRelease(db, { id: ofStudent.id }, 'expired')).toEqual([ofStudent.id]);
  expect(await startRelease(db, { id: own.id }, 'expired')).toEqual([]);
  expect(await stored(own.id)).toMatchObject({ reason: 'removed' });
  expect(await stored(untouched.id)).toMatchObject(stillHeld);
  expect(await stored(past.id)).toMatchObject({ state: 'released', reason: null });
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
    reason: 'expired',
    begun: true,
  });
  expect(await stored(denied.id)).toMatchObject({
    state: 'releasing',
    reason: 'denied',
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

it('open intents are leased after a pause, the longest unchecked first, and not again at once', async () => {
  const [second, first, recent] = [unique('pi'), unique('pi'), unique('pi')];
  await aHold({ intentId: second, checked: -70 });
  await aHold({ intentId: first, checked: -80, state: 'releasing' });
  await aHold({ intentId: recent, checked: -50 });
  await aHold({ intentId: unique('pi'), checked: -90, state: 'released' });
  await aHold({ intentId: unique('pi'), checked: -90, state: 'consumed' });
  await aHold({ checked: -90 });
  expect(await takeOpenIntents(db, 60, 1)).toEqual([first]);
  expect(await takeOpenIntents(db, 60, 100)).toEqual([second]);
  expect(await takeOpenIntents(db, 60, 100)).toEqual([]);
});

it('a hold ends once and is never due again, and it keeps the highest number of declines', async () => {
  const hold = await aHold({ state: 'releasing', nextTry: 0 });
  const other = await aHold();
  await noteDeclines(db, hold.id, 3);
  await noteDeclines(db, hold.id, 2);
  await setState(db, hold, 'released');
  expect(await stored(hold.id)).toMatchObject({ state: 'released', never: true, declines: 3 });
  expect(await stored(other.id)).toMatchObject({ ...stillHeld, declines: 0 });
});

it('a lost hold is rebuilt once for its intent, and counts no seat', async () => {
  const { id: classId } = await aClass(app);
  const found = {
    studentId: student.id,
    participantId: student.id,
    classId,
    amountCents: 2_500,
    currency: 'usd',
    intentId: unique('pi'),
  };
  const hold = await rebuildHold(db, found);
  expect(hold).toMatchObject({ ...found, state: 'released' });
  expect(await stored(hold.id)).toMatchObject({ reason: 'rebuilt' });
  expect(await rebuildHold(db, found)).toEqual(hold);
});
