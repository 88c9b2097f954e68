// The stream of changed seats: one for the tab, shared by its pages, open only while the tab is
// visible. A browser has six connections to a site over HTTP/1.1, so hidden tabs must not keep any.
// What it says is written into the query cache.
import type { Query, QueryClient } from '@tanstack/react-query';
import { listCalendar } from '../../contract/classes/calendar.ts';
import type { AnyCall } from '../../contract/platform/call.ts';
import { type CartItem, getCart } from '../../contract/checkout/cart.ts';
import { type Class, getClass, listClasses } from '../../contract/classes/classes.ts';
import { liveSeats } from '../../contract/platform/live.ts';
import type { Meeting } from '../../contract/classes/meetings.ts';
import { readAgain } from '../platform/api/query.ts';

type Seats = [free: number, dates: number];

const shown: readonly AnyCall[] = [listClasses, getClass, getCart, listCalendar];
/** Not all browsers read at once, and none a list that the server has kept from before. */
const waitMs = () => 500 + Math.random() * 7_500;

let users = 0;
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let reading = false;
/** The last that was said of each class. An answer may be older than it, and arrive later. */
const said = new Map<string, Seats>();

/** Until the returned function is called. */
export function watchSeats(client: QueryClient): () => void {
  users += 1;
  const turn = () => (users > 0 && !document.hidden ? open(client) : close());
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual)
      patch(client, event.query);
  });
  document.addEventListener('visibilitychange', turn);
  turn();
  return () => {
    users -= 1;
    unsubscribe();
    document.removeEventListener('visibilitychange', turn);
    // The next page may want it at once.
    setTimeout(turn, 2_000);
  };
}

function open(client: QueryClient) {
  if (source || typeof EventSource === 'undefined') return;
  clearTimeout(retry);
  const opened = new EventSource(`/api${liveSeats.path}`);
  source = opened;
  opened.addEventListener('seats', ({ data }: MessageEvent<string>) =>
    hear(client, JSON.parse(data) as Record<string, Seats>),
  );
  opened.addEventListener('again', () => startOver(client));
  opened.addEventListener('open', () => startOver(client));
  opened.addEventListener('error', () => {
    // After a lost connection the browser connects again. After a refusal it does not.
    if (opened.readyState !== EventSource.CLOSED) return;
    source = undefined;
    retry = setTimeout(
      () => {
        void readAgain(client, [listClasses, getClass]);
        open(client);
      },
      20_000 + Math.random() * 20_000,
    );
  });
}

function close() {
  source?.close();
  source = undefined;
  clearTimeout(retry);
}

/** Changes may have been missed. */
function startOver(client: QueryClient) {
  said.clear();
  readSoon(client);
}

function readSoon(client: QueryClient) {
  if (reading) return;
  reading = true;
  setTimeout(() => {
    reading = false;
    void readAgain(client, shown);
  }, waitMs());
}

function hear(client: QueryClient, frame: Record<string, Seats>) {
  for (const [id, seats] of Object.entries(frame)) {
    const item = client.getQueryData<{ dates?: number }>([getClass.id, { id }]);
    const before = said.get(id)?.[1] ?? (item ? (item.dates ?? 0) : seats[1]);
    // The days, the place or the time of its meetings.
    if (before !== seats[1]) readSoon(client);
    said.set(id, seats);
  }
  for (const query of client.getQueryCache().getAll()) patch(client, query, true);
}

/** `told`: the seats changed, so a cart item may be sold out for a reason that only the server knows. */
function patch(client: QueryClient, { queryKey, state }: Query, told = false) {
  const { data, dataUpdatedAt: updatedAt, isInvalidated } = state;
  const call = shown.find(({ id }) => id === queryKey[0]);
  if (!call || !data || isInvalidated) return;
  if (told && call === getCart && (data as CartItem[]).some((item) => stateOf(item) !== item.state))
    readSoon(client);
  // The time stays: what else the answer says is as old as before.
  client.setQueryData(queryKey, patched(call, data), { updatedAt });
}

function patched(call: AnyCall, data: unknown): unknown {
  if (call === getClass) return patchedClass(data as Class);
  if (call === getCart)
    return (data as CartItem[]).map((item) =>
      Object.assign({}, item, { seat: freeOf(item.classId, item), state: stateOf(item) }),
    );
  if (call === listCalendar)
    return (data as Meeting[]).map((meeting) =>
      Object.assign({}, meeting, { seat: freeOf(meeting.classId, meeting) }),
    );
  const list = data as { result: Class[] };
  return { ...list, result: list.result.map(patchedClass) };
}

const freeOf = (id: string, { seat }: { seat: number }) => said.get(id)?.[0] ?? seat;
const patchedClass = (item: Class) => ({ ...item, seat: freeOf(item._id, item) });

function stateOf(item: CartItem): CartItem['state'] {
  if (item.state === 'closed' || !said.has(item.classId)) return item.state;
  if (freeOf(item.classId, item) < 1 && !item.paying) return 'sold-out';
  return item.cents === item.seenCents ? 'ok' : 'price-changed';
}
