// A redirect of ours leads to a path of this site, whatever text a stranger put into the address.
import * as fc from 'fast-check';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { ownPath } from '../../contract/rules.ts';
import { testApp } from '../testing/app.ts';
import { Visitor } from '../testing/visitor.ts';
import { guardRedirects } from './redirect.ts';

const origin = 'https://rally.example.com';

/** Texts that a browser would resolve to another host, or that look like it. */
const hostile = [
  '/.//evil.example/phish',
  '/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '//evil.example',
  '///evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  '\\/evil.example',
  'https:evil.example',
  'http:evil.example',
  'https://evil.example',
  'https://rally.example.com@evil.example',
  'https://rally.example.com.evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  'a/../..//evil.example',
];

/** Parts from which such texts are made, and any other text. */
const anyTarget = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc
    .array(
      fc.constantFrom(
        '/',
        '\\',
        '.',
        '..',
        '%2e',
        '%2f',
        '%5c',
        '\t',
        '\n',
        '@',
        ':',
        '?',
        '#',
        'https:',
        'evil.example',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);

describe('the path of a redirect', () => {
  it.each(['/', '/classes?sort=price#top', '/dashboard/payment?item=a%2Fb', '/login?error=x'])(
    'keeps %s',
    (path) => {
      expect(ownPath(path, origin)).toBe(path);
      expect(ownPath(origin + path, origin)).toBe(path);
    },
  );

  it.each(hostile)('is on our host for %j', (target) => {
    for (const base of [origin, 'http://localhost:3000'])
      expect(new URL(ownPath(target, base), base).origin).toBe(base);
  });

  it('is on our host for any text', () => {
    fc.assert(
      fc.property(anyTarget, fc.constantFrom(origin, 'http://localhost:3000'), (target, base) => {
        const path = ownPath(target, base);
        expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(new URL(path, base).origin).toBe(base);
      }),
      { numRuns: 2_000, seed: 2026 },
    );
  });
});

describe('a redirect of the server', async () => {
  const google = {
    clientId: 'id',
    clientSecret: 'of the client',
    issuer: 'https://accounts.google.com',
  };
  const app = await testApp({ google });
  const { publicUrl } = app.config;
  const leadsAway = (location: string | undefined) =>
    location !== undefined && new URL(location, publicUrl).origin !== publicUrl;

  async function verify(target: string) {
    const query = new URLSearchParams({ token: 'x', callbackURL: target }).toString();
    const { status, headers } = await new Visitor(app).ask(
      'GET',
      `/api/auth/verify-email?${query}`,
    );
    return { status, location: headers['location'] };
  }

  it.each(hostile)('stays here when the link in a mail carries %j', async (target) => {
    const { status, location } = await verify(target);
    expect(status).toBeLessThan(500);
    expect([location, leadsAway(location)]).toEqual([location, false]);
  });

  it('stays here for any callbackURL', async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget, async (target) => {
        const { status, location } = await verify(target);
        expect(status).toBeLessThan(500);
        expect([location, leadsAway(location)]).toEqual([location, false]);
      }),
      { numRuns: 150, seed: 2026 },
    );
  });

  it.each(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])(
    'stays here when a sign-in with Google ends and %s is hostile',
    async (key) => {
      for (const target of hostile) {
        const visitor = new Visitor(app);
        const { status, body } = await visitor.auth('sign-in/social', {
          provider: 'google',
          [key]: target,
        });
        expect([200, 400, 403]).toContain(status);
        if (status !== 200) continue;
        const state = new URL(String(body['url'])).searchParams.get('state') ?? '';
        const back = await visitor.ask(
          'GET',
          `/api/auth/callback/google?error=access_denied&state=${state}`,
        );
        expect([target, leadsAway(back.headers['location'])]).toEqual([target, false]);
      }
    },
  );

  it('stays here whatever a handler names', async () => {
    const server = fastify();
    guardRedirects(server, origin);
    server.get<{ Querystring: { to: string } }>('/go', (request, reply) =>
      reply.redirect(request.query.to),
    );
    const go = async (to: string) =>
      (await server.inject({ url: '/go', query: { to } })).headers.location;
    for (const target of hostile)
      expect(new URL(String(await go(target)), origin).origin).toBe(origin);
    expect(await go('/.//evil.example/phish')).toBe('/');
    expect(await go(`${origin}/login?error=x`)).toBe('/login?error=x');
    await server.close();
  });
});
