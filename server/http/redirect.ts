// Redirects stay on this site: every response with a Location passes guardRedirects().
import type { FastifyInstance } from 'fastify';

/**
 * The path, query and anchor of an address on our origin, as a browser will read them; '/' for any
 * other address. The parser removes dot segments, tabs and backslashes first, so the result is
 * checked, not the text: `/.//evil.example` is read as `//evil.example`.
 */
export function ownPath(target: string, origin: string): string {
  const url = URL.canParse(target, origin) ? new URL(target, origin) : null;
  if (url?.origin !== origin || !/^\/(?!\/)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

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
