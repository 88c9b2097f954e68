// Malformed headers, bytes and addresses over a real connection, so that the parts before Fastify
// (http/memory.ts, Node's parser) are tested as well. A request that can be parsed is answered as
// declared.
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnyCall } from '../../contract/platform/call.ts';
import { calls } from '../../contract/app/calls.ts';
import { testApp } from '../../server/testing/app.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { encoded, inputs, named, oddHeaders, rawParts, rawQueries } from './fuzz.ts';
import { credentialsOf } from './fuzzcallers.ts';
import { complaint, rounds, seed, share, Tally } from './fuzzjudge.ts';
import { type RawAnswer, type RawRequest, sendRaw } from './rawhttp.ts';

const app = await testApp();
await app.server.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.server.address() as AddressInfo;
const people = [await aUser(app), await anInstructor(app), await anAdmin(app)];
// Enough classes for responses that are compressed.
const classes = await Promise.all(Array.from({ length: 12 }, () => aClass(app)));
const known = [
  ...people.flatMap(({ id, email }) => [id, email]),
  ...classes.slice(0, 3).map(({ id }) => id),
];
const askers = fc.constantFrom(null, null, ...people);
const tally = new Tally();

const reads = calls.filter(({ method }) => method === 'GET');
const writes = calls.filter(({ method }) => method === 'POST' || method === 'PATCH');

/** The last ETag of this address, for conditional requests. */
const etags = new Map<string, string>();
const theEtag = 'the ETag';
let fromMemory = 0;

interface Asked extends RawRequest {
  call: AnyCall | null;
  /** Bytes that are not HTTP may get no response. */
  mayBeNoHttp?: boolean;
}

async function judged({ call, mayBeNoHttp = false, ...request }: Asked): Promise<string | null> {
  const etag = etags.get(request.target) ?? '"x"';
  const headers = request.headers.map(
    ([name, value]) => [name, value === theEtag ? etag : value] as const,
  );
  const answer = await sendRaw(port, { ...request, headers });
  tally.add(`${request.method} ${call?.path ?? 'elsewhere'}`, answer?.statusCode ?? 0);
  if (!answer) return mayBeNoHttp ? null : 'closed without a word';
  if (isNodes(answer)) return null;
  if (answer.headers['etag']) etags.set(request.target, answer.headers['etag']);
  if (answer.headers['vary'] === 'accept-encoding, authorization') fromMemory++;
  return complaint(call, answer, request.method) ?? wrongEncoding(headers, answer);
}

/** Node's parser refuses in its own words, before us. */
const isNodes = ({ statusCode, body }: RawAnswer) =>
  [400, 417, 431].includes(statusCode) && /^$|"Client Error"|maximum allowed/.test(body);

/** A response has no encoding that was not asked for. */
function wrongEncoding(headers: RawRequest['headers'], answer: RawAnswer): string | null {
  const encoding = answer.headers['content-encoding'];
  const accepted = headers
    .filter(([name]) => name === 'accept-encoding')
    .flatMap(([, value]) => value.split(','));
  const isAccepted = accepted.some((word) => {
    const [coding, weight = 'q=1'] = word.split(';').map((part) => part.trim());
    return (coding === encoding || coding === '*') && Number(weight.slice(2)) > 0;
  });
  return encoding === undefined || isAccepted
    ? null
    : `${encoding} for who asked for '${accepted.join()}'`;
}

const credentials = async (who: TestUser | null) =>
  who ? Object.entries(await credentialsOf(app, who)) : [];

it(`answers reads with malformed headers (seed ${seed})`, async () => {
  // Cached responses more often, and always at the same addresses.
  const remembered = ['/classes', '/classes?sort=name', '/instructors'].map(
    (path) => `/api${path}`,
  );
  const target = fc.oneof(
    fc.constantFrom(...remembered),
    fc
      .tuple(fc.constantFrom(...reads), fc.constantFrom(...known))
      .map(([call, part]) => `/api${call.path.replace(/:\w+/, part)}`),
  );
  await fc.assert(
    fc.asyncProperty(target, oddHeaders(theEtag), askers, async (target, odd, who) => {
      const headers = [...(await credentials(who)), ...odd];
      expect(await judged({ call: callAt(target), method: 'GET', target, headers })).toBeNull();
    }),
    {
      numRuns: rounds * share(0.1),
      seed,
      examples: remembered.flatMap(examplesAt),
    },
  );
  expect(fromMemory).toBeGreaterThan(0);
  expect(tally.counts.get('GET /classes')?.get(304)).toBeGreaterThan(0);
}, 3_600_000);

type Read = [string, [string, string][], TestUser | null];
/** Cases that must occur, and cases that were answered wrongly once. */
const examplesAt = (target: string): Read[] => [
  [target, [], null],
  [target, [['if-none-match', theEtag]], null],
  [target, [['expect', 'x']], null],
  [target, [['accept-encoding', 'br;q=0, gzip;q=0.5']], null],
  [target, [['accept-encoding', 'x-brotli']], null],
];

/** Which call answers at this address; none if a part of it could name another. */
const callAt = (target: string): AnyCall | null => {
  const parts = target.replace(/\?.*/, '').split('/').slice(2);
  const fits = ({ path }: AnyCall) => {
    const named = path.split('/').slice(1);
    return (
      named.length === parts.length &&
      named.every((name, at) => name.startsWith(':') || name === parts[at])
    );
  };
  return reads.find((call) => !call.path.includes(':') && fits(call)) ?? reads.find(fits) ?? null;
};

it(`reads bodies in unexpected encodings (seed ${seed})`, async () => {
  const messages = writes.map((call) => {
    const text = inputs(call.input, known, wordy).map((input) => {
      const inBody = Object.entries(input).filter(([name]) => !call.path.endsWith(`:${name}`));
      return JSON.stringify(Object.fromEntries(inBody));
    });
    const target = fc
      .constantFrom(...known)
      .map((part) => `/api${call.path.replace(/:\w+/, part)}`);
    return fc.record({ call: fc.constant(named(call)), target, sent: encoded(text) });
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...messages),
      fc.constantFrom(...people),
      async ({ call, target, sent }, who) => {
        const headers = [
          ...(await credentials(who)),
          ['content-type', sent.type] as const,
          ...(sent.encoding === undefined ? [] : [['content-encoding', sent.encoding] as const]),
        ];
        expect(
          await judged({ call, method: call.method, target, headers, body: sent.payload }),
        ).toBeNull();
      },
    ),
    { numRuns: rounds * share(0.05), seed },
  );
}, 3_600_000);

/** Has fields of several calls; unknown ones are dropped or refused. */
const wordy = { name: 'Schwimmen für Größere', feedback: 'déjà vu 🏊' };

it(`answers invalid escapes in paths and queries (seed ${seed})`, async () => {
  const messages = calls
    .filter(({ method }) => method === 'GET' || method === 'DELETE')
    .map((call) =>
      fc.record({
        call: fc.constant(named(call)),
        part: rawParts(known),
        query: rawQueries(call.input, known),
      }),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(...messages), askers, async ({ call, part, query }, who) => {
      const target = `/api${call.path.replace(/:\w+/, () => part)}?${query}`;
      const headers = await credentials(who);
      const asked = {
        call: call.path.includes(':') && part === '' ? null : call,
        method: call.method,
        target,
        headers,
      };
      expect(await judged(asked)).toBeNull();
    }),
    { numRuns: rounds * share(0.05), seed },
  );
}, 3_600_000);

it(`answers unknown addresses (seed ${seed})`, async () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(
        'api',
        'classes',
        'auth',
        '..',
        '%2e%2e',
        '.env',
        'users',
        '%00',
        '%ff',
        'dev',
        'mail',
        'sandbox',
      ),
      fc.constantFrom(
        '\xff',
        '\x00',
        'a b',
        '\\',
        '#',
        '?',
        '\x7f',
        'http://elsewhere.test',
        'docs',
        '__proto__',
      ),
      fc.webSegment(),
    ),
    { maxLength: 5 },
  );
  const method = fc.constantFrom(
    'GET',
    'POST',
    'PATCH',
    'DELETE',
    'PUT',
    'OPTIONS',
    'HEAD',
    'PROPFIND',
    'TRACE',
  );
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.constantFrom('/', '/', '/', '', '//', '*'),
      parts,
      async (method, start, path) => {
        const target = `${start}${path.join('/')}`;
        const mayBeNoHttp = !/^(\/|http:\/\/|\*$)[\x21-\x7e]*$/.test(target);
        expect(await judged({ call: null, method, target, headers: [], mayBeNoHttp })).toBeNull();
      },
    ),
    { numRuns: rounds * share(0.05), seed },
  );
}, 3_600_000);

it('reports the number of requests', () => {
  expect(tally.total((status) => status === 401) / tally.total()).toBeLessThan(0.3);
  console.log(`${tally.total()} requests over the wire, ${fromMemory} answered from memory`);
});
