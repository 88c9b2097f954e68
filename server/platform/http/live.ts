// GET /live/seats: tells open pages how many seats are left. All streams of a process get the same
// bytes, from the notes of the database (note_seats): nothing is queried.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { liveSeats } from '../../../contract/platform/live.ts';
import { type Changes, gatherNotes } from '../db/changes.ts';
import { fail } from './fail.ts';
import { networkOf } from './limits.ts';
import type { On } from './on.ts';
import type { Server } from './server.ts';

export interface LiveOptions {
  streams: number;
  perNetwork: number;
  frameMs?: number;
}

const heartbeatMs = 25_000;
const mostClasses = 200;
const mostBacklog = 64 * 1024;
/** A browser that was refused asks after this many seconds at the earliest. */
const retryAfter = 30;

const again = 'event: again\ndata: {}\n\n';
const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

export function createLive(changes: Pick<Changes, 'onSeats'>, options: LiveOptions) {
  const streams = new Map<Socket, string>();
  const next = new Map<string, [free: number, dates: number]>();
  let missed = false;
  let leaving = false;
  const frames = gatherNotes(sendFrame, options.frameMs ?? 500);

  changes.onSeats((note) => {
    const [id = '', free, dates] = note?.split(' ') ?? [];
    if (note !== null) next.set(id, [Number(free), Number(dates)]);
    missed ||= note === null || next.size > mostClasses;
    frames.note();
  });

  function sendFrame() {
    const seats = `event: seats\ndata: ${JSON.stringify(Object.fromEntries(next))}\n\n`;
    sendToAll(missed ? again : seats);
    missed = false;
    next.clear();
  }

  function sendToAll(text: string) {
    const bytes = Buffer.from(text);
    for (const socket of streams.keys()) {
      socket.write(bytes);
      // The other side reads nothing, or much too slowly.
      if (socket.writableLength > mostBacklog) socket.destroy();
    }
  }

  const beats = setInterval(() => sendToAll(':\n\n'), heartbeatMs).unref();

  function open(takeOver: () => ServerResponse, network: string) {
    const ofNetwork = [...streams.values()].filter((other) => other === network).length;
    if (leaving || streams.size >= options.streams || ofNetwork >= options.perNetwork)
      fail('UNAVAILABLE', {}, retryAfter);
    const response = takeOver();
    const { socket } = response;
    // Reconnects after a restart are spread over six seconds.
    const first = `retry: ${2_000 + Math.floor(Math.random() * 6_000)}\n\n`;
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, headers);
    // Without a connection (app.inject) there is nobody to tell later.
    if (!(socket instanceof Socket)) {
      response.end(first);
      return;
    }
    // From here on the socket itself is written to, which is half the work.
    response.write(first);
    streams.set(socket, network);
    socket.once('close', () => streams.delete(socket));
    if (socket.destroyed) streams.delete(socket);
  }

  return {
    open,
    /** The browsers come back in a few seconds, to another process. */
    leave() {
      leaving = true;
      for (const socket of streams.keys()) socket.end();
    },
    /** At once: the server closes when no connection is open. */
    close() {
      leaving = true;
      clearInterval(beats);
      frames.stop();
      for (const socket of streams.keys()) socket.destroy();
    },
  };
}

interface Given {
  on: On;
  changes: Pick<Changes, 'onSeats'>;
  config: { liveStreams: number; rateLimit: boolean };
}

export function live(server: Server, { on, changes, config }: Given) {
  const perNetwork = config.rateLimit ? 50 : Infinity;
  const seats = createLive(changes, { streams: config.liveStreams, perNetwork });
  server.addHook('preClose', async () => seats.close());
  on(liveSeats, async (_input, { request, takeOver }) => {
    seats.open(takeOver, networkOf(request.ip));
    return '';
  });
  return seats;
}
