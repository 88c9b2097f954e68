// Routes that are no calls of the contract (on.ts): POST with the body as it came, byte for byte,
// because a signature is over the bytes; GET of a page or a file that a feature writes.
import type { FastifyInstance } from 'fastify';

export interface RawRequest {
  body: Buffer;
  /** '' when it was not sent. */
  header: (name: string) => string;
}

export type RawPost = (url: string, handler: (request: RawRequest) => Promise<object>) => void;

/** Other servers send to these addresses, in bursts: no rate limit, but small bodies. */
export function createRawPost(app: FastifyInstance): RawPost {
  return (url, handler) => {
    void app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: 512 * 1024 },
        (_request, body, parsed) => {
          parsed(null, body);
        },
      );
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

export interface Page {
  type: 'text/html' | 'application/json';
  body: string;
}

/** `nonce` is for the scripts and styles of the page. */
export type Get = (
  url: string,
  handler: (request: { query: Record<string, unknown>; nonce: string }) => Promise<Page>,
) => void;

/** Never stored, neither by browsers nor on the way. */
export function createGet(app: FastifyInstance): Get {
  return (url, handler) => {
    app.get(url, async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      const { type, body } = await handler({ query, nonce: request.nonce });
      return reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`).send(body);
    });
  };
}
