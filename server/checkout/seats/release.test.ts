import { expect, it, vi } from 'vitest';
import { type Intent, ProviderError } from '../../platform/cards.ts';
import { testApp, unique } from '../../testing/app.ts';
import { seats } from '../../testing/checkout.ts';
import { aClass } from '../../testing/factories.ts';
import { aHoldRow } from '../../testing/rows.ts';
import { anIntent } from '../../testing/provider.ts';
import { type HoldState, readHold } from './holds.ts';
import { createRelease } from './release.ts';
import type { Log } from '../../platform/services.ts';
import { type Close, createClose } from '../payments/close.ts';
import type { Settle, Settled } from '../payments/settle.ts';

const app = await testApp();
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
  const { db, system } = app;
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
  const { db, system } = app;
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
