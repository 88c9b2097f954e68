// POST with the raw body: a signature is over its bytes. Calls of the contract use on.ts.
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
