import fastify from 'fastify';
import { expect, it } from 'vitest';
import { guardRedirects } from './server.ts';

const origin = 'https://rally.example.com';

// Which texts lead away: contract/platform/ownpath.test.ts.
it.each([
  ['/login?error=x', '/login?error=x'],
  [`${origin}/login?error=x`, '/login?error=x'],
  ['https://evil.example/phish', '/'],
  ['/.//evil.example/phish', '/'],
])('a handler that names %s leads to %s', async (to, location) => {
  const server = fastify();
  guardRedirects(server, origin);
  server.get('/go', (_request, reply) => reply.redirect(to));
  expect((await server.inject('/go')).headers.location).toBe(location);
  await server.close();
});
