// Routes that are no calls of the contract (on.ts): POST with the bytes as they came, over which a
// signature is; GET of a page that a feature writes. And the bodies of calls that take a picture.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { limits } from '../../../contract/platform/limits.ts';
import { answerError, fail, Refusal } from './fail.ts';

export interface RawRequest {
  body: Buffer;
  header: (name: string) => string;
}

export type RawPost = (url: string, handler: (request: RawRequest) => Promise<object>) => void;

/** Other servers send to these addresses, in bursts: no rate limit, but small bodies. */
export function createRawPost(app: FastifyInstance): RawPost {
  return (url, handler) => {
    void app.register((scope, _options, done) => {
      takeBytes(scope, 256 * 1024);
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
export type Budget = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const { bytes: largest } = limits.picture;

/** The bytes of large bodies that are read or worked on at once: each is in memory whole. */
export function createBudget(most = 16 * largest): Budget {
  let taken = 0;
  return async ({ headers }, { raw }) => {
    const bytes = Math.min(Number(headers['content-length'] ?? largest), largest);
    if (taken + bytes > most) fail('UNAVAILABLE', {}, 5);
    // The client has left already: its room would never be given back.
    if (raw.destroyed) return;
    taken += bytes;
    raw.once('close', () => (taken -= bytes));
  };
}

/** The bodies of the scope are bytes, whatever the client calls them. */
function takeBytes(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) => {
    parsed(null, body);
  });
}

/** The only routes that take large bodies. The decoder looks at the bytes. */
export function takePictures(app: FastifyInstance, route: RouteOptions, budget: Budget): void {
  void app.register((scope, _options, done) => {
    takeBytes(scope, largest);
    // After the caller is known and before the body is read.
    scope.addHook('preParsing', budget);
    scope.setErrorHandler((error, request, reply) => {
      const { code } = Object(error) as { code?: unknown };
      const isTooLarge = code === 'FST_ERR_CTP_BODY_TOO_LARGE';
      const said = { field: 'picture', message: 'The picture must have at most 8 MB.' };
      answerError(isTooLarge ? new Refusal('TOO_LARGE', said) : error, request, reply);
    });
    scope.route({ ...route, bodyLimit: largest });
    done();
  });
}

interface Page {
  type: 'text/html' | 'application/json';
  body: string;
}

export type Get = (
  url: string,
  handler: (request: { query: Record<string, unknown>; nonce: string }) => Promise<Page>,
) => void;

/** A page of another site may have a name that leads to this machine, but not one of its addresses. */
const ownHost = /^(localhost|\d+(\.\d+){3}|\[[\da-f:.]+\])(:\d+)?$/i;

/** For development: mails have secrets. Never stored, neither by browsers nor on the way. */
export function createGet(app: FastifyInstance): Get {
  return (url, handler) => {
    app.get(url, async (request, reply) => {
      if (!ownHost.test(request.headers.host ?? '')) fail('WRONG_HOST');
      const query = request.query as Record<string, unknown>;
      const { type, body } = await handler({ query, nonce: request.nonce });
      return reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`).send(body);
    });
  };
}
