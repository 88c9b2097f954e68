// Redirects stay on this site: every response with a Location passes guardRedirects().
import type { FastifyInstance } from 'fastify';
import { ownPath } from '../../../contract/platform/ownpath.ts';

/**
 * No handler needs a redirect to another host: the browser gets Google's address in a JSON
 * response.
 */
export function guardRedirects(app: FastifyInstance, origin: string): void {
  app.addHook('onSend', async (_request, reply) => {
    const location = reply.getHeader('location');
    if (location !== undefined) reply.header('location', ownPath(String(location), origin));
  });
}
