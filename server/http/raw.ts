// Routes that are no calls of the contract (on.ts): POST with the body as it came, byte for byte,
// because a signature is over the bytes; GET of a page or a file that a feature writes. And the
// bodies of calls that take a picture.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { limits } from '../../contract/limits.ts';
import { answerError, fail, Refusal } from './fail.ts';
import { visitorOf } from './limits.ts';

export interface RawRequest {
  body: Buffer;
  /** '' when it was not sent. */
  header: (name: string) => string;
}

export type RawPost = (url: string, handler: (request: RawRequest) => Promise<object>) => void;

/** Other servers send to these addresses, in bursts: no rate limit, but small bodies. */
export function createRawPost(app: FastifyInstance): RawPost {
  const takeRoom = createRoom(roomOfEvents);
  return (url, handler) => {
    void app.register((scope, _options, done) => {
      takeBytes(scope, takeRoom, roomOfEvents.largest);
      scope.post(url, async (request, reply) => {
        const header = (name: string) => String(request.headers[name] ?? '');
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        reply.header('cache-control', 'no-store');
        return handler({ body, header });
      });
      done();
    });
  };
}

/** Takes room for a body that is about to be read. Refuses where there is none. */
export type TakeRoom = (request: FastifyRequest, reply: FastifyReply) => void;

interface Room {
  /** Bytes of one body. */
  largest: number;
  /** Bytes of all bodies that are being read at the same moment. */
  account?: number;
  network: number;
  all: number;
}

const megabyte = 1024 * 1024;
/** Little for a network: an event has some kilobytes, and strangers can send to this address. */
const roomOfEvents: Room = { largest: megabyte / 4, network: 2 * megabyte, all: 128 * megabyte };
const { bytes: picture } = limits.picture;
export const roomOfPictures: Room = {
  largest: picture,
  account: 2 * picture,
  network: 4 * picture,
  all: 16 * picture,
};

/**
 * The bodies of this process that are being read or worked on at the same moment are bounded in
 * bytes: a body is kept in memory as a whole and may take 20 seconds. By account and by network as
 * well, so that one does not take the room of all.
 */
export function createRoom(
  room: Room,
  accountOf: (request: FastifyRequest) => string | undefined = () => undefined,
): TakeRoom {
  const taken = new Map<string, number>();
  const take = (key: string, bytes: number) => {
    const sum = (taken.get(key) ?? 0) + bytes;
    if (sum > 0) taken.set(key, sum);
    else taken.delete(key);
  };
  return (request, reply) => {
    const declared = Number(request.headers['content-length'] ?? room.largest);
    const bytes = Math.min(declared, room.largest);
    const account = accountOf(request);
    const keys: [key: string, most: number][] = [
      [`network ${visitorOf(request)}`, room.network],
      ['all', room.all],
    ];
    if (account && room.account) keys.unshift([`account ${account}`, room.account]);
    const [full] = keys.find(([key, most]) => (taken.get(key) ?? 0) + bytes > most) ?? [];
    // A 503 is in the log as an error of ours: only where it is not the doing of the one who asks.
    if (full !== undefined) fail(full === 'all' ? 'UNAVAILABLE' : 'RATE_LIMITED', {}, 5);
    // The client has left already: its room would never be given back.
    if (reply.raw.destroyed) return;
    for (const [key] of keys) take(key, bytes);
    reply.raw.once('close', () => {
      for (const [key] of keys) take(key, -bytes);
    });
  };
}

/** The bodies of the scope are bytes, whatever the client calls them. */
function takeBytes(scope: FastifyInstance, takeRoom: TakeRoom, bodyLimit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) => {
    parsed(null, body);
  });
  // After the caller is known and before the body is read.
  scope.addHook('preParsing', async (request, reply) => takeRoom(request, reply));
}

/**
 * A route of a call whose body is a picture: the only one that takes large bodies. The decoder looks
 * at the bytes.
 */
export function takePictures(app: FastifyInstance, route: RouteOptions, takeRoom: TakeRoom): void {
  const { largest: bodyLimit } = roomOfPictures;
  void app.register((scope, _options, done) => {
    takeBytes(scope, takeRoom, bodyLimit);
    scope.setErrorHandler((error, request, reply) => {
      const { code } = Object(error) as { code?: unknown };
      const isTooLarge = code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      const said = { field: 'picture', message: 'The picture must have at most 8 MB.' };
      answerError(isTooLarge ? new Refusal('TOO_LARGE', said) : error, request, reply);
    });
    scope.route({ ...route, bodyLimit });
    done();
  });
}

export interface Page {
  type: 'text/html' | 'application/json';
  body: string;
  /** A mail as it is sent: its styles are inline. It has no script. */
  inlineStyles?: boolean;
}

/** `nonce` is for the scripts and styles of the page. */
export type Get = (
  url: string,
  handler: (request: { query: Record<string, unknown>; nonce: string }) => Promise<Page>,
) => void;

const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'";

/** Never stored, neither by browsers nor on the way. */
export function createGet(app: FastifyInstance): Get {
  return (url, handler) => {
    app.get(url, async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      const { type, body, inlineStyles } = await handler({ query, nonce: request.nonce });
      if (inlineStyles) reply.header('content-security-policy', mailPolicy);
      return reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`).send(body);
    });
  };
}
