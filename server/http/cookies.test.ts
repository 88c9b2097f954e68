// One parser for the Cookie header: Better Auth reads exactly the values that our guards read.
import { createAuthEndpoint } from 'better-auth/api';
import { parseCookies } from 'better-auth/cookies';
import * as fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { cookieOf, handedOver } from './cookies.ts';

const names = ['rally.session_token', 'rally.two_factor', 'rally.state', 'rally.dont_remember'];
const requestWith = (cookie: string) => ({ headers: { cookie } }) as FastifyRequest;

const readByBetterAuth = createAuthEndpoint('/read', { method: 'GET' }, (context) =>
  Promise.resolve(names.map((name) => context.getCookie(name) || undefined)),
);

const space = fc.constantFrom('', ' ', '  ', '\t', '\u00a0', '\u000b', '\u0085');
const name = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom('', 'RALLY.session_token', 'rally', '"rally.state"', '$Path', 'other'),
);
const latin1 = fc.string({
  unit: fc.integer({ min: 9, max: 255 }).map((code) => String.fromCharCode(code)),
});
const value = fc.oneof(
  fc.constantFrom(
    'one.sig=',
    'two.sig=',
    '"quoted"',
    '"',
    '%22',
    '%3B%20rally.state%3Dx',
    '%',
    '%ff',
    '%00',
    'a=b',
    '',
  ),
  latin1,
);
const pair = fc
  .tuple(space, name, space, fc.constantFrom('=', '=', '=', '', '=='), space, value, space)
  .map((parts) => parts.join(''));
const header = fc
  .array(fc.tuple(pair, fc.constantFrom(';', '; ', ' ;', ';;', ', ')), { maxLength: 6 })
  .map((pairs) => pairs.flat().join(''));

it('Better Auth reads the values that our guards read, for any header', async () => {
  await fc.assert(
    fc.asyncProperty(header, async (cookie) => {
      const request = requestWith(cookie);
      const ours = names.map((one) => cookieOf(request, one) || undefined);
      const handed = handedOver(request, names);
      const theirs = await readByBetterAuth({ headers: new Headers({ cookie: handed }) });
      expect(theirs).toEqual(ours);
      const byItsOtherParser = parseCookies(handed);
      expect(names.map((one) => byItsOtherParser.get(one) || undefined)).toEqual(ours);
    }),
    { seed: 20_261_115, numRuns: 2_000 },
  );
});

it.each([
  ['plain', 'rally.state=a.b=', 'a.b='],
  ['encoded', 'x=1; rally.state=a%3Bb%2F%3D; y=2', 'a;b/='],
  ['with spaces around', ' rally.state\t= a ', 'a'],
  ['twice', 'rally.state=a; rally.state=b', undefined],
  ['twice, one with a space before the sign', 'rally.state =a; rally.state=b', undefined],
  ['and another whose name has a no-break space', 'rally.state=a;\u00a0rally.state\u00a0=b', 'a'],
  // Browsers let any subdomain set such a name, whatever its prefix.
  ['under a name that begins with a no-break space', '\u00a0rally.state=a', undefined],
  ['under a name that ends with a no-break space', 'rally.state\u00a0=a', undefined],
  ['twice with the same value', 'rally.state=a;rally.state=a', undefined],
  ['in other letters', 'Rally.State=a', undefined],
  ['badly encoded', 'rally.state=%ff', undefined],
  ['inside another value', 'x=rally.state=a', undefined],
])('a cookie that is given %s', (_how, cookie, expected) => {
  expect(cookieOf(requestWith(cookie), 'rally.state')).toBe(expected);
});

// A quadratic parser would need minutes for these.
it('a million spaces inside a name cost no time', { timeout: 30_000 }, () => {
  const cookie = `a${' '.repeat(1_000_000)}b=c; rally.state=d`;
  expect(cookieOf(requestWith(cookie), 'rally.state')).toBe('d');
});

it('passes known cookies only, once each', () => {
  const request = requestWith(
    'rally.trust_device=x; rally.state =s; rally.session_token=t%3D; other=1',
  );
  expect(handedOver(request, ['rally.session_token', 'rally.state'])).toBe(
    'rally.session_token=t%3D; rally.state=s',
  );
});
