// GET /live/seats: tells open pages which class has how many seats left. All streams of a process
// get the same bytes. They come from the notes of the database (note_seats), so nothing is
// queried.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { liveSeats } from '../../../contract/platform/live.ts';
import type { Changes } from '../db/changes.ts';
import { fail } from './fail.ts';
import { networkOf } from './limits.ts';
import type { On } from './on.ts';
import type { Server } from './server.ts';

export interface LiveOptions {
  /** How many streams this process serves, and how many of one network. */
  streams: number;
  perNetwork: number;
  /** The least time between two frames, by the number of streams. */
  waitMs?: (streams: number) => number;
}

const replayMs = 30_000;
const heartbeatMs = 25_000;
const mostClasses = 200;
const mostBacklog = 64 * 1024;
/** The other requests of the process wait for one slice at most. */
const slice = 250;
/** A browser that was refused asks after this many seconds at the earliest. */
const retryAfter = 30;
const steps = 20;

const again = 'event: again\ndata: {}\n\n';
const heartbeat = Buffer.from(':\n\n');
const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};
/** The more streams, the more work is a frame. A change is on every page within a second. */
const waitFor = (streams: number) => Math.min(850, 200 + 0.65 * streams);

type Seats = [free: number, dates: number];

const frameOf = (seats: Iterable<readonly [string, Seats]>) =>
  `event: seats\ndata: ${JSON.stringify(Object.fromEntries(seats))}\n\n`;

export function createLive(changes: Pick<Changes, 'onSeats'>, options: LiveOptions) {
  const { waitMs = waitFor } = options;
  const streams = new Set<Socket>();
  const networks = new Map<string, number>();
  /** What the next frame says. */
  const next = new Map<string, Seats>();
  /** What was said in the last half minute, the oldest first. */
  const recent = new Map<string, { seats: Seats; at: number }>();
  /** Since when every change is in `recent`. */
  let completeSince = performance.now();
  let missed = false;
  let leaving = false;
  let lastFrame = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  changes.onSeats((note) => {
    const at = performance.now();
    if (note !== null) {
      const [id = '', free, dates] = note.split(' ');
      const seats: Seats = [Number(free), Number(dates)];
      next.set(id, seats);
      recent.delete(id);
      recent.set(id, { seats, at });
    }
    if (note === null || next.size > mostClasses) {
      missed = true;
      next.clear();
    }
    if (note === null || recent.size > mostClasses) {
      completeSince = at;
      recent.clear();
    }
    schedule();
  });

  function schedule() {
    const wait = lastFrame + waitMs(streams.size) - performance.now();
    timer ??= setTimeout(() => void sendFrame(), Math.max(0, wait)).unref();
  }

  async function sendFrame() {
    lastFrame = performance.now();
    const frame = missed ? again : frameOf(next);
    missed = false;
    next.clear();
    await sendToAll(Buffer.from(frame));
    timer = undefined;
    if (missed || next.size > 0) schedule();
  }

  async function sendToAll(bytes: Buffer) {
    // A stream that is opened meanwhile has been told everything already.
    const all = [...streams];
    for (let from = 0; from < all.length; from += slice) {
      for (const socket of all.slice(from, from + slice)) {
        if (!socket.destroyed) socket.write(bytes);
        // The other side reads nothing, or much too slowly.
        if (socket.writableLength > mostBacklog) socket.destroy();
      }
      await turn();
    }
  }

  const beats = setInterval(() => void sendToAll(heartbeat), heartbeatMs).unref();

  /** What may have changed between the page and its stream. */
  function replay(): string {
    const since = performance.now() - replayMs;
    for (const [id, { at }] of recent) {
      if (at >= since) break;
      recent.delete(id);
    }
    const said = [...recent].map(([id, { seats }]) => [id, seats] as const);
    return (completeSince > since ? again : '') + (said.length > 0 ? frameOf(said) : '');
  }

  function refuseTooMany(network: string) {
    if (
      leaving ||
      streams.size >= options.streams ||
      (networks.get(network) ?? 0) >= options.perNetwork
    )
      fail('UNAVAILABLE', {}, retryAfter);
  }

  function open(response: ServerResponse, network: string) {
    const { socket } = response;
    // Reconnects after a restart are spread over six seconds.
    const first = `retry: ${2_000 + Math.floor(Math.random() * 6_000)}\n\n${replay()}`;
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, headers);
    // Without a connection (app.inject) there is nobody to tell later.
    if (!(socket instanceof Socket)) {
      response.end(first);
      return;
    }
    // From here on the socket itself is written to, which is half the work.
    response.write(first);
    streams.add(socket);
    networks.set(network, (networks.get(network) ?? 0) + 1);
    socket.once('close', () => {
      streams.delete(socket);
      const others = (networks.get(network) ?? 1) - 1;
      if (others > 0) networks.set(network, others);
      else networks.delete(network);
    });
    if (socket.destroyed) socket.emit('close');
  }

  return {
    refuseTooMany,
    open,
    /** Ends all streams little by little, so that the browsers do not all come back at once. */
    async leave(ms: number) {
      leaving = true;
      const all = [...streams];
      const step = Math.ceil(all.length / steps);
      for (let from = 0; from < all.length; from += step) {
        for (const socket of all.slice(from, from + step)) socket.end();
        await sleep(ms / steps);
      }
    },
    /** At once: the server closes when no connection is open. */
    close() {
      leaving = true;
      clearInterval(beats);
      clearTimeout(timer);
      for (const socket of streams) socket.destroy();
    },
  };
}

export function live(
  server: Server,
  {
    on,
    changes,
    config,
  }: {
    on: On;
    changes: Pick<Changes, 'onSeats'>;
    config: { liveStreams: number; rateLimit: boolean };
  },
) {
  const seats = createLive(changes, {
    streams: config.liveStreams,
    perNetwork: config.rateLimit ? 50 : Infinity,
  });
  server.addHook('preClose', async () => seats.close());
  on(liveSeats, async (_input, { request, takeOver }) => {
    const network = networkOf(request.ip);
    seats.refuseTooMany(network);
    seats.open(takeOver(), network);
    return '';
  });
  return seats;
}
