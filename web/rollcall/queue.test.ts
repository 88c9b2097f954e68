// @vitest-environment happy-dom
// The queue of marks. The real store is tested in the browser (checks/e2e/rollcall.spec.ts).
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { markRefusals } from '../../contract/rollcall/marks.ts';
import type { MarkResult, NewMark } from '../../contract/rollcall/rollcall.ts';
import { ApiError } from '../platform/api/send.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';
import type { Outgoing, Refused } from './store.ts';

const mark = (id: string): NewMark => ({
  _id: id,
  meetingId: 'meeting',
  participantId: `child of ${id}`,
  status: 'present',
  at: new Date(1_800_000_000_000 + Number(id)).toISOString(),
});
const saved = async (marks: NewMark[]): Promise<MarkResult[]> =>
  marks.map(({ _id }) => ({ _id, result: 'saved' }));

const failure = (status: number) => new ApiError(status, { code: 'X' });

let kept: Map<string, Outgoing>;
let refused: Refused[];
let signedIn: boolean;
let queue: Queue;

function queueWith(send: QueueOptions['send'], more: Partial<QueueOptions['store']> = {}) {
  queue = createQueue({
    userId: 'coach',
    store: {
      addMarks: async (marks) => marks.forEach((one) => kept.set(one._id, one)),
      readMarks: async () => [...kept.values()],
      readRefused: async () => refused,
      readSent: async () => [],
      settleMarks: async (done, no) => {
        for (const { _id } of [...done, ...no]) kept.delete(_id);
        refused.push(...no);
      },
      dismissRefused: async () => undefined,
      ...more,
    },
    send,
    maySend: () => signedIn,
  });
  return queue;
}

beforeEach(() => {
  kept = new Map();
  refused = [];
  signedIn = true;
  vi.useFakeTimers();
});
afterEach(() => {
  queue.stop();
  vi.useRealTimers();
});

const nothing = () => undefined as void;
const settled = () => vi.advanceTimersByTimeAsync(0);

it('shows a mark when it is stored, and not before', async () => {
  let store = nothing;
  signedIn = false;
  const { add, read } = queueWith(saved, {
    addMarks: async (marks) => {
      await new Promise<void>((done) => (store = done));
      for (const one of marks) kept.set(one._id, one);
    },
  });
  const added = add([mark('1')], 'Tennis');
  await settled();
  expect(read().marks).toEqual([]);
  store();
  await added;
  expect(read().marks).toHaveLength(1);

  const full = queueWith(saved, { addMarks: () => Promise.reject(new Error('quota')) });
  await expect(full.add([mark('2')], 'Tennis')).rejects.toThrow('quota');
  expect(full.read().marks).toEqual([]);
});

it('removes what is saved, moves what is refused, keeps the rest', async () => {
  const { add, flush, read } = queueWith(async (marks) =>
    marks.flatMap(({ _id }): MarkResult[] => {
      if (_id === '3') return [{ _id, result: 'refused', reason: 'not enrolled' }];
      if (_id === '4') return [];
      return [{ _id, result: _id === '1' ? 'saved' : 'known' }];
    }),
  );
  await add(['1', '2', '3', '4'].map(mark), 'Tennis');
  await flush();
  expect([...kept.keys()]).toEqual(['4']);
  expect(read().marks.map(({ _id }) => _id)).toEqual(['4']);
  expect(read().sent.map(({ _id }) => _id)).toEqual(['1', '2']);
  expect(read().refused).toMatchObject([{ _id: '3', reason: markRefusals['not enrolled'] }]);
});

it.each([0, 401, 408, 429, 500, 503])('keeps every mark after %i', async (status) => {
  const { add, flush, read } = queueWith(() => Promise.reject(failure(status)));
  await add([mark('1'), mark('2')], 'Tennis');
  await flush();
  expect(kept.size).toBe(2);
  expect(read().failed).toBe(status === 0 ? 'no network' : 'no answer');
});

const many = (count: number) => Array.from({ length: count }, (_, nth) => mark(String(nth)));

it('sends at most 100 at once, in the order of making', async () => {
  const send = vi.fn<QueueOptions['send']>(saved);
  const { add, flush } = queueWith(send);
  await add(many(230), 'Tennis');
  await flush();
  expect(send.mock.calls.map(([marks]) => marks.length)).toEqual([100, 100, 30]);
  expect(kept.size).toBe(0);
});

it.each([
  ['that the server cannot read, once found', 400, ['5']],
  ['of a batch that is too long, in parts', 413, []],
])('sends all but marks %s', async (_what, status, lost) => {
  const isBad = (marks: NewMark[]) =>
    status === 413 ? marks.length > 3 : marks.some(({ _id }) => _id === '5');
  const { add, flush, read } = queueWith(async (marks) => {
    if (isBad(marks)) throw failure(status);
    return saved(marks);
  });
  await add(many(9), 'Tennis');
  await flush();
  expect([kept.size, read().failed]).toEqual([0, null]);
  expect(read().refused.map(({ _id }) => _id)).toEqual(lost);
});

it('tries again after 15 s, then less often', async () => {
  const tries: number[] = [];
  const { add } = queueWith(async () => {
    tries.push(Date.now());
    throw failure(0);
  });
  await add([mark('1')], 'Tennis');
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  const pauses = tries.slice(1).map((at, nth) => (at - (tries[nth] ?? 0)) / 1_000);
  expect(pauses[0]).toBeGreaterThan(11);
  expect(pauses[0]).toBeLessThan(19);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(151);
  expect(Math.min(...pauses.slice(5))).toBeGreaterThanOrEqual(89);
});

it('sends at once when the network is back, also older marks', async () => {
  let online = false;
  kept.set('1', { _id: '1', userId: 'coach', mark: mark('1'), about: 'Tennis' });
  const { start, read } = queueWith(async (marks) => {
    if (!online) throw failure(0);
    return saved(marks);
  });
  await start();
  expect(read()).toMatchObject({ marks: [{ _id: '1' }], failed: 'no network' });
  online = true;
  dispatchEvent(new Event('online'));
  await settled();
  expect(kept.size).toBe(0);
  expect(read()).toMatchObject({ marks: [], failed: null });
});

it('sends nothing in the name of another user', async () => {
  const send = vi.fn<QueueOptions['send']>(saved);
  signedIn = false;
  const { add, flush } = queueWith(send);
  await add([mark('1')], 'Tennis');
  await flush();
  expect(send).not.toHaveBeenCalled();
  expect(kept.size).toBe(1);
});

it('a mark made while others are sent follows at once', async () => {
  let answer = nothing;
  const sent: string[][] = [];
  const { add, read } = queueWith(async (marks) => {
    sent.push(marks.map(({ _id }) => _id));
    if (sent.length === 1) await new Promise<void>((done) => (answer = done));
    return saved(marks);
  });
  await add([mark('1')], 'Tennis');
  await settled();
  await add([mark('2')], 'Tennis');
  expect(read().marks.map(({ _id }) => _id)).toEqual(['1', '2']);
  answer();
  await settled();
  expect(sent).toEqual([['1'], ['2']]);
  expect(kept.size).toBe(0);
});
