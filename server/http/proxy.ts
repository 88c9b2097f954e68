// Hands everything under /sandbox on to the card sandbox, unchanged both ways: the browser sees one origin. Never with real Stripe keys.
import { request as ask } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { fail } from './fail.ts';

export function proxySandbox(app: FastifyInstance, origin: () => string): void {
  void app.register((scope, _options, done) => {
    // The body is passed on as it comes; nobody here reads a card number.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'DELETE'],
      url: '/sandbox/*',
      handler: (request, reply) =>
        new Promise<void>((handed, refused) => {
          const { host: _ours, connection: _hop, ...headers } = request.raw.headers;
          const onward = ask(
            new URL(request.raw.url ?? '/', origin()),
            { method: request.method, headers },
            (answer) => {
              reply.hijack();
              const { connection: _theirHop, ...answered } = answer.headers;
              reply.raw.writeHead(answer.statusCode ?? 502, answered);
              answer.pipe(reply.raw);
              answer.once('end', handed).once('error', handed);
            },
          );
          onward.once('error', (error) => {
            // Half an answer cannot be taken back; the browser sees that the connection ended.
            if (reply.sent) reply.raw.destroy();
            refused(error);
          });
          request.raw.pipe(onward);
        }).catch(() => {
          if (!reply.sent) fail('PROVIDER_DOWN', {}, 2);
        }),
    });
    done();
  });
}
