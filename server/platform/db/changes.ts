// Notifies this process of changes made by any process, with LISTEN/NOTIFY and the triggers of the
// migrations. A notification can be missed: work that must not be lost is a job (jobs.ts).
import { Client } from 'pg';

const channels = ['classes', 'people', 'seats'] as const;
/** `seats`: free or sold seats, the shelf or the dates of a class changed (note_seats). */
export type Channel = (typeof channels)[number];
type Listener = () => void;
/** `<class> <free> <dates>`. Null: notes may have been missed, and none will be from now on. */
type SeatListener = (note: string | null) => void;
/** A class of which the list may have something to do (note_line). */
type LineListener = (classId: string) => void;

export type Changes = Awaited<ReturnType<typeof listenForChanges>>;

/**
 * In a rush seats change hundreds of times a second. The first change is told at once, those of the
 * next quarter of a second together at its end. Visitors may see seats that are so much older.
 */
const gatherMs = 250;

export async function listenForChanges(
  url: string,
  { gatherSeatsMs = gatherMs, patience = 1 } = {},
) {
  const listeners: Record<Channel, Listener[]> = { classes: [], people: [], seats: [] };
  const tell = (channel: Channel) => listeners[channel].forEach((listener) => listener());
  const seatListeners: SeatListener[] = [];
  const lineListeners: LineListener[] = [];
  const tellSeats = (note: string | null) => seatListeners.forEach((listener) => listener(note));
  const seats = gatherNotes(() => tell('seats'), gatherSeatsMs);
  let closed = false;
  let client: Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  async function listen() {
    const next = new Client({
      connectionString: url,
      application_name: 'rally-changes',
      connectionTimeoutMillis: 5_000 * patience,
      // No query is ever sent here: only keepalive detects a lost server.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    next.on('notification', ({ channel, payload }) => {
      if (channel === 'seats') {
        if (payload) tellSeats(payload);
        seats.note();
      } else if (channel === 'line') lineListeners.forEach((listener) => listener(payload ?? ''));
      else if (channel === 'classes' || channel === 'people') tell(channel);
    });
    next.on('error', () => {});
    next.on('end', () => {
      client = null;
      again();
    });
    await next.connect();
    try {
      // A standby refuses LISTEN (25006), so we never listen to a server that does not notify.
      await next.query([...channels, 'line'].map((channel) => `listen ${channel}`).join('; '));
    } catch (error) {
      // The next try opens a new connection.
      next.removeAllListeners('end');
      await next.end();
      throw error;
    }
    if (closed) return next.end();
    client = next;
    // Changes during the gap are unknown: drop everything.
    channels.forEach(tell);
    tellSeats(null);
  }

  function again() {
    if (closed) return;
    channels.forEach(tell);
    clearTimeout(retry);
    retry = setTimeout(() => void listen().catch(() => again()), 500);
  }

  await listen();
  return {
    on: (channel: Channel, listener: Listener) => void listeners[channel].push(listener),
    /** Every change of the seats of an approved class at once, in the order of the commits. */
    onSeats: (listener: SeatListener) => void seatListeners.push(listener),
    onLine: (listener: LineListener) => void lineListeners.push(listener),
    /** Whether seats have changed of which the listeners were not told yet. */
    seatsWait: seats.waits,
    close: async () => {
      closed = true;
      seats.stop();
      clearTimeout(retry);
      await client?.end();
    },
  };
}

/** Tells of the first note at once, and of all others within the time together when it is over. */
export function gatherNotes(tell: () => void, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  let waits = false;
  const over = () => {
    timer = undefined;
    if (waits) tellNow();
  };
  function tellNow() {
    waits = false;
    timer = setTimeout(over, ms).unref();
    tell();
  }
  return {
    note: () => (timer ? void (waits = true) : tellNow()),
    waits: () => waits,
    stop: () => clearTimeout(timer),
  };
}
