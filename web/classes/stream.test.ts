// @vitest-environment happy-dom
// What a browser makes of the stream of changed seats.
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AnyCall } from '../../contract/platform/call.ts';
import { getCart } from '../../contract/checkout/cart.ts';
import { getClass, listClasses } from '../../contract/classes/classes.ts';
import { newQueryClient } from '../platform/api/query.ts';

/** The browser's side, as far as it is used. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Source.all.push(this);
  }
  say(event: string, data: unknown = {}) {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }
  open() {
    this.dispatchEvent(new Event('open'));
  }
  refuse() {
    this.readyState = Source.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}
const live = () => Source.all.filter(({ readyState }) => readyState !== Source.CLOSED);
const source = () => live()[0] as Source;

let hidden = false;
const hide = (now: boolean) => {
  hidden = now;
  document.dispatchEvent(new Event('visibilitychange'));
};

let stop: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal('EventSource', Source);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  hidden = false;
  Source.all = [];
});
afterEach(async () => {
  stop.splice(0).forEach((end) => end());
  await vi.runOnlyPendingTimersAsync();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const item = { _id: 'a', seat: 9, price: 10 };
const cartItem = { cartItemId: 'i', classId: 'a', seat: 9, cents: 10, seenCents: 10, state: 'ok' };

/** A page that shows the catalogue, one class and the cart. */
async function page(answers: { class?: object; cart?: object[] } = {}) {
  const client = newQueryClient();
  const reads: string[] = [];
  const show = (call: AnyCall, input: object, answer: () => unknown) => {
    const observer = new QueryObserver(client, {
      queryKey: [call.id, input],
      queryFn: () => {
        reads.push(call.id);
        return answer();
      },
    });
    stop.push(observer.subscribe(() => undefined));
    return () => observer.getCurrentResult().data as never;
  };
  const list: () => { result: { seat: number }[] } = show(listClasses, {}, () => ({
    result: [item, { ...item, _id: 'b' }],
  }));
  const one: () => { seat: number } = show(getClass, { id: 'a' }, () => answers.class ?? item);
  const cart: () => (typeof cartItem)[] = show(getCart, {}, () => answers.cart ?? [cartItem]);
  await vi.advanceTimersByTimeAsync(1);
  reads.length = 0;
  const { watchSeats } = await import('./stream.ts');
  const leave = watchSeats(client);
  stop.push(leave);
  return { client, reads, list, one, cart, leave, watchSeats };
}

it('writes the seats into list, class and cart, reads nothing', async () => {
  const { reads, list, one, cart } = await page();
  source().say('seats', { a: [4, 0], unknown: [1, 0] });
  expect(list().result.map(({ seat }) => seat)).toEqual([4, 9]);
  expect(one().seat).toBe(4);
  expect(cart()).toEqual([{ ...cartItem, seat: 4 }]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reads).toEqual([]);
});

it('does not make an answer younger than it is', async () => {
  const { client } = await page();
  const before = client.getQueryState([listClasses.id, {}])?.dataUpdatedAt;
  await vi.advanceTimersByTimeAsync(5_000);
  source().say('seats', { a: [4, 0] });
  expect(client.getQueryState([listClasses.id, {}])?.dataUpdatedAt).toBe(before);
});

it('a cart item is sold out with the last seat, unless held', async () => {
  const { reads, cart } = await page({ cart: [cartItem, { ...cartItem, paying: true }] });
  source().say('seats', { a: [0, 0] });
  expect(cart().map(({ state }) => state)).toEqual(['sold-out', 'ok']);
  // Sold out, or no longer offered: the server knows.
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toContain(getCart.id);
});

it('an answer that is older than what was said does not win', async () => {
  const { client, one } = await page();
  source().say('seats', { a: [4, 0] });
  await client.refetchQueries({ queryKey: [getClass.id] });
  expect(one().seat).toBe(4);
});

it('changed dates make everything shown be read again', async () => {
  const { reads } = await page({ class: { ...item, dates: 2 } });
  source().say('seats', { a: [9, 2] });
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toEqual([]);
  source().say('seats', { a: [9, 3] });
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toEqual([listClasses.id, getClass.id, getCart.id]);
});

it('"again" makes all be read again, once; the answer counts', async () => {
  const { reads, one } = await page();
  source().say('seats', { a: [4, 0] });
  for (let n = 0; n < 2; n++) source().say('again');
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toEqual([listClasses.id, getClass.id, getCart.id]);
  expect(one().seat).toBe(9);
});

it('whenever the stream opens, all is read again and counts', async () => {
  const { reads, one } = await page();
  source().open();
  source().say('seats', { a: [4, 0] });
  await vi.advanceTimersByTimeAsync(8_000);
  expect(reads).toEqual([listClasses.id, getClass.id, getCart.id]);
  expect(one().seat).toBe(4);
  hide(true);
  hide(false);
  source().open();
  await vi.advanceTimersByTimeAsync(8_000);
  expect([reads.length, one().seat]).toEqual([6, 9]);
});

it('has one stream for the tab, and none while it is hidden', async () => {
  const { client, watchSeats } = await page();
  stop.push(watchSeats(client));
  expect(Source.all.map(({ url }) => url)).toEqual(['/api/live/seats']);
  hide(true);
  expect(live()).toEqual([]);
  hide(false);
  expect(live()).toHaveLength(1);
});

it('keeps the stream from page to page, closes it at last', async () => {
  const { client, leave, watchSeats } = await page();
  leave();
  const next = watchSeats(client);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(Source.all).toHaveLength(1);
  next();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(live()).toEqual([]);
});

it('refused, it reads and asks again about every 30 s', async () => {
  const { reads } = await page();
  for (let tries = 1; tries <= 3; tries++) {
    source().refuse();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(Source.all).toHaveLength(tries);
    await vi.advanceTimersByTimeAsync(21_000);
    expect(Source.all).toHaveLength(tries + 1);
  }
  expect(reads.filter((id) => id === listClasses.id)).toHaveLength(3);
});
