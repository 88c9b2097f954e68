import { expect, it, vi } from 'vitest';
import { type Intent, ProviderError } from '../../platform/cards.ts';
import { testApp, unique } from '../../testing/app.ts';
import { seats } from '../../testing/checkout.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aHoldRow, secondsFromNow } from '../../testing/rows.ts';
import { anIntent } from '../../testing/provider.ts';
import { type HoldState, putOff, readHold, startOverdue, startRelease } from './holds.ts';
import { createRelease } from './release.ts';
import type { Log } from '../../platform/services.ts';
import { type Close, createClose } from '../payments/close.ts';
import type { Settle, Settled } from '../payments/settle.ts';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { keepIntent, raiseAttempt, readBasket } from '../payments/basket.ts';

const app = await testApp();
const { db } = app;
const log = {
  info: vi.fn<Log['info']>(),
  warn: vi.fn<Log['warn']>(),
  error: vi.fn<Log['error']>(),
};

const intent = (status: Intent['status']) => anIntent({ id: unique('pi'), status });

/** A class with one held seat. `asked` collects the intents that the provider is to cancel. */
async function aSeat(
  state: HoldState,
  intentId: string | null,
  cancel: (intentId: string) => Promise<Intent | null> = async () => intent('canceled'),
  settled: Settled['outcome'] = 'unpaid',
) {
  const { id: classId } = await aClass(app, { capacity: 1 });
  await app.db.updateTable('class').set({ held: 1 }).where('id', '=', classId).execute();
  const { id } = await aHoldRow(app, { classId, state, intentId });
  const asked = vi.fn<typeof cancel>(cancel);
  const settle = vi.fn<Settle>(async () => ({ outcome: settled }) as Settled);
  const { system } = app;
  const close = createClose({ db, system, cards: { cancel: asked }, settle, log });
  const { release } = createRelease({ db, system, close });
  return {
    id,
    asked,
    settle,
    release: () => release(id),
    now: async () => ({
      state: (await readHold(app.db, id))?.state,
      held: (await seats(app, classId)).held,
    }),
    /** The basket has the id of the hold. */
    become: async ({ state, intentId }: { state?: HoldState; intentId?: string }) => {
      const basket = { ...(intentId && { intentId }), ...(state && { state: 'paid' }) };
      await app.db.updateTable('basket').set(basket).where('id', '=', id).execute();
      if (state) await app.db.updateTable('hold').set({ state }).where('id', '=', id).execute();
    },
  };
}

const stillTaken = { state: 'releasing', held: 1 };
const isFree = { state: 'released', held: 0 };

it('an unknown hold counts as released', async () => {
  const { system } = app;
  const { release } = createRelease({ db, system, close: vi.fn<Close>() });
  expect(await release(crypto.randomUUID())).toBe('released');
});

it.each([
  ['released', 'released'],
  ['consumed', 'paid'],
] as const)('a hold that is %s is left alone and told as %s', async (state, told) => {
  const seat = await aSeat(state, unique('pi'));
  expect(await seat.release()).toBe(told);
  expect(seat.asked).not.toHaveBeenCalled();
  expect(await seat.now()).toEqual({ state, held: 1 });
});

it('a hold that is not being released is not freed', async () => {
  const seat = await aSeat('held', unique('pi'));
  await expect(seat.release()).rejects.toThrow('a hold that is not being released was to be freed');
  expect(seat.asked).not.toHaveBeenCalled();
});

it('a seat without a payment is free without asking', async () => {
  const seat = await aSeat('releasing', null);
  expect(await seat.release()).toBe('released');
  expect(seat.asked).not.toHaveBeenCalled();
  expect(await seat.now()).toEqual(isFree);
});

const silent = new ProviderError('silent', 'timeout', null);
const unknown = 'the card provider does not know an intent of ours; its seat is freed';

type Cancel = () => Promise<Intent | null>;

it.each<[string, Cancel, Settled['outcome'] | undefined, string]>([
  ['canceled', async () => intent('canceled'), undefined, 'released'],
  ['unknown there', async () => null, undefined, 'released'],
  ['open', async () => intent('open'), undefined, 'processing'],
  ['processing', async () => intent('processing'), undefined, 'processing'],
  ['paid', async () => intent('succeeded'), 'recorded', 'paid'],
  ['paid by nobody', async () => intent('succeeded'), 'quarantined', 'silent'],
  ['not told', () => Promise.reject(silent), undefined, 'silent'],
])('a seat whose payment is %s', async (what, cancel, settled, told) => {
  log.error.mockClear();
  const intentId = unique('pi');
  const seat = await aSeat('releasing', intentId, cancel, settled);
  expect(await seat.release()).toBe(told);
  expect(seat.asked.mock.calls).toEqual([[intentId]]);
  expect(seat.settle).toHaveBeenCalledTimes(settled ? 1 : 0);
  expect(await seat.now()).toEqual(told === 'released' ? isFree : stillTaken);
  const logged = what === 'unknown there' ? [[{ intentId }, unknown]] : [];
  expect(log.error.mock.calls).toEqual(logged);
});

it('an error of ours is not taken for silence', async () => {
  const seat = await aSeat('releasing', unique('pi'), () => Promise.reject(new TypeError('ours')));
  await expect(seat.release()).rejects.toThrow('ours');
  expect(await seat.now()).toEqual(stillTaken);
});

it('a seat with another payment is free when that ends too', async () => {
  const [first, second] = [unique('pi'), unique('pi')];
  const seat = await aSeat('releasing', first, async (id) => {
    if (id === first) await seat.become({ intentId: second });
    return intent('canceled');
  });
  expect(await seat.release()).toBe('released');
  expect(seat.asked.mock.calls).toEqual([[first], [second]]);
  expect(await seat.now()).toEqual(isFree);
});

it('a seat that was paid meanwhile is not freed', async () => {
  const seat = await aSeat('releasing', unique('pi'), async () => {
    await seat.become({ state: 'consumed' });
    return intent('canceled');
  });
  expect(await seat.release()).toBe('paid');
  expect(await seat.now()).toEqual({ state: 'consumed', held: 1 });
});

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
    `select state, ended_because, tries,
       releasing_since > now() - interval '5 seconds' as begun, round(extract(epoch from next_try - now()))::int as ahead
     from hold where id = $1`,
    [id],
  );
  return rows[0] ?? {};
}

it('a hold that is being released or has expired is not extended', async () => {
  const who = await aUser(app);
  const releasing = await aHold({ studentId: who.id, state: 'releasing', slot: 1 });
  const over = await aHold({ studentId: who.id, expires: -1, slot: 2 });
  for (const hold of [releasing, over]) {
    expect((await app.send(extendHold, { id: hold.id }, who.token)).body.code).toBe('HOLD_EXPIRED');
    expect(await readHold(db, hold.id)).toEqual(hold);
  }
});

it('releasing starts for one hold, or for those of a class', async () => {
  const classId = (await aClass(app)).id;
  const [own, ofClass, other] = [await aHold({ classId }), await aHold({ classId }), await aHold()];
  await aHold({ classId, state: 'released' });
  expect(await startRelease(db, { id: own.id }, 'removed')).toEqual([own.id]);
  expect(await startRelease(db, { id: own.id }, 'expired')).toEqual([]);
  const removed = { state: 'releasing', ended_because: 'removed', begun: true, ahead: 0 };
  expect(await stored(own.id)).toMatchObject(removed);
  expect(await startRelease(db, { classId }, 'denied')).toEqual([ofClass.id]);
  expect(await stored(other.id)).toMatchObject(stillHeld);
});

it('expired and denied holds go, the longest overdue first', async () => {
  await startOverdue(db, 1_000);
  const denied = await aHold({ classId: (await aClass(app, { status: 'denied' })).id });
  const later = await aHold({ expires: -10 });
  const earlier = await aHold({ expires: -20 });
  const inTime = await aHold();
  expect(await startOverdue(db, 1)).toEqual([earlier.id, denied.id]);
  expect(await startOverdue(db, 100)).toEqual([later.id]);
  expect(await stored(earlier.id)).toMatchObject({ ended_because: 'expired', begun: true });
  expect(await stored(denied.id)).toMatchObject({ ended_because: 'denied', begun: true });
  expect(await stored(inTime.id)).toMatchObject(stillHeld);
});

it.each([
  [0, 5],
  [5, 160],
  [100, 300],
])('after %i failures it is asked again in %i seconds', async (tries, ahead) => {
  const hold = await aHold({ state: 'releasing', tries, nextTry: 0 });
  await putOff(db, 'hold', hold.id);
  expect(await stored(hold.id)).toMatchObject({ tries: tries + 1, ahead });
});

interface BasketGiven {
  state?: HoldState;
  attempt?: number;
  intentId?: string;
}

/** A basket with one hold. */
async function aBasket(given: BasketGiven = {}) {
  const { id } = await aHoldRow(app, given);
  const basket = await readBasket(db, { id });
  if (!basket) throw new Error('a basket that was just written cannot be read');
  return basket;
}

const attemptOf = async (id: string) => (await readBasket(db, { id }))?.attempt;

it.each<[string, BasketGiven]>([
  ['is being closed', { state: 'releasing' }],
  ['is at another attempt', { attempt: 2 }],
  ['has another intent', { intentId: unique('pi') }],
])('an intent is not stored in a basket that %s', async (_what, given) => {
  const basket = await aBasket(given);
  expect(await keepIntent(db, { id: basket.id, attempt: 1 }, unique('pi'))).toBe(false);
  expect(await readBasket(db, basket)).toEqual(basket);
});

it('an intent is not stored when a seat is being given up', async () => {
  const basket = await aBasket();
  await db.updateTable('hold').set({ state: 'releasing' }).where('id', '=', basket.id).execute();
  expect(await keepIntent(db, basket, unique('pi'))).toBe(false);
});

it('the attempt is raised once, and only of an open basket', async () => {
  const basket = await aBasket();
  await raiseAttempt(db, basket);
  await raiseAttempt(db, basket);
  expect(await attemptOf(basket.id)).toBe(2);
  for (const other of [
    await aBasket({ intentId: unique('pi') }),
    await aBasket({ state: 'releasing' }),
  ]) {
    await raiseAttempt(db, other);
    expect(await attemptOf(other.id)).toBe(1);
  }
});
