// Proxies /sandbox to the card sandbox, so that the browser sees one origin. Never with real Stripe
// keys.
import { type IncomingHttpHeaders, request as ask } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { fail } from './fail.ts';

/** The headers that the sandbox reads. All others are dropped, above all our cookies. */
const passedOn = new Set([
  'accept',
  'authorization',
  'content-length',
  'content-type',
  'idempotency-key',
  'stripe-version',
  'transfer-encoding',
]);

function headersFor(sent: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => passedOn.has(name)));
  // The card form and the tests use a key of the sandbox; any other token is one of ours.
  if (!/^Bearer [ps]k_test_/i.test(sent.authorization ?? '')) delete headers['authorization'];
  return headers;
}

/** Path and query as they were sent. Null when dot segments lead out of /sandbox. */
function pathFor(target: string): string | null {
  const { pathname } = new URL(`http://sandbox${target}`);
  return target.startsWith('/sandbox/') && pathname.startsWith('/sandbox/') ? target : null;
}

export function proxySandbox(app: FastifyInstance, origin: () => string): void {
  void app.register((scope, _options, done) => {
    // The body is passed on as it comes; a card number is never read here.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'DELETE'],
      url: '/sandbox/*',
      handler: (request, reply) => {
        const path = pathFor(request.raw.url ?? '');
        if (path === null) fail('NOT_FOUND');
        return new Promise<void>((handed, refused) => {
          // The address is ours; the client chooses only the path.
          const { hostname, port } = new URL(origin());
          const onward = ask(
            {
              hostname,
              port,
              path,
              method: request.method,
              headers: headersFor(request.raw.headers),
            },
            (answer) => {
              reply.hijack();
              const { connection: _theirHop, 'set-cookie': _cookies, ...answered } = answer.headers;
              reply.raw.writeHead(answer.statusCode ?? 502, answered);
              answer.pipe(reply.raw);
              answer.once('end', handed).once('error', handed);
            },
          );
          onward.once('error', (error) => {
            // A response that has begun cannot be taken back: the connection ends.
            if (reply.sent) reply.raw.destroy();
            refused(error);
          });
          request.raw.pipe(onward);
        }).catch(() => {
          if (!reply.sent) fail('PROVIDER_DOWN', {}, 2);
        });
      },
    });
    done();
  });
}
