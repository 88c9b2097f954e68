// The doors of the identity provider and the webhook, which the contract does not declare: no
// request, however malformed, is answered with a 5xx, a refusal in another shape, or a way to
// somewhere else. Bodies are made from the server's own forms.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { testKeys } from '../server/testing/app.ts';
import { aShop } from '../server/testing/checkout.ts';
import { aUser, type TestUser } from '../server/testing/factories.ts';
import { startIssuer } from '../server/testing/issuer.ts';
import { bodies, inputs, nasty, oddHeaders, rawQueries, types } from './fuzz.ts';
import { credentialsOf } from './fuzzcallers.ts';
import { doors } from './fuzzdoors.ts';
import { type Answer, complaint, rounds, seed, share, Tally } from './fuzzjudge.ts';

const publicUrl = 'http://localhost:3000';
const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };
const issuer = await startIssuer({
  ...client,
  redirectUri: `${publicUrl}/api/auth/callback/google`,
  accounts: [],
});
afterAll(() => issuer.close());
const { app } = await aShop({ google: { ...client, issuer: issuer.url } });
const people = [await aUser(app), await aUser(app)];
const known = people.flatMap(({ id, email }) => [id, email]);
const tally = new Tally();

it('knows every door', () => {
  const names = ['gate.ts', 'secondfactor.ts', 'mailedlinks.ts'];
  const files = names.map((name) => join(import.meta.dirname, '../server/features/identity', name));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('');
  const opened = [...text.matchAll(/\bdoor\(\s*'(GET|POST)',\s*'([^']+)'/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(Object.keys(doors).toSorted()).toEqual(opened.toSorted());
});

/** A door may send on to a page of ours and to nowhere else. */
function astray({ statusCode, headers }: Answer): string | null {
  if (statusCode < 300 || statusCode >= 400) return null;
  const to = new URL(String(headers['location']), publicUrl);
  return to.origin === publicUrl ? null : `sends people on to ${to.origin}`;
}

it(`answers at every door (seed ${seed})`, async () => {
  const numRuns = Math.ceil(share(0.08) / Object.keys(doors).length);
  for (let round = 0; round < rounds; round++) {
    // Side by side: some of them answer late on purpose.
    await Promise.all(Object.keys(doors).map((name) => knockAt(name, numRuns, seed + round)));
  }
  expect(tally.neverServed()).toEqual([]);
}, 3_600_000);

interface Knock {
  input: Record<string, unknown>;
  known: boolean;
  /** In place of the input: a body, or a query, that is none. */
  garbage: {
    body: string | Buffer;
    type: string;
    query: string;
    headers: [string, string][];
  } | null;
}

async function knockAt(name: string, numRuns: number, seed: number): Promise<void> {
  const door = doors[name];
  if (!door) throw new Error(`There is no ${name}`);
  const right = await door.right(app);
  const knock: fc.Arbitrary<Knock> = fc.record({
    input: inputs(door.accepts, known, right.input),
    known: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
    garbage: fc.option(
      fc.record({
        body: bodies,
        type: types,
        query: rawQueries(door.accepts, known),
        headers: oddHeaders(),
      }),
      { freq: 3 },
    ),
  });
  const method = name.startsWith('GET') ? 'GET' : 'POST';
  const path = name.slice(method.length + 1);
  await fc.assert(
    fc.asyncProperty(knock, async ({ input, known, garbage }) => {
      const query =
        garbage?.query ??
        String(
          new URLSearchParams(
            Object.entries(input).map(([key, value]) => [key, wellFormed(value)]),
          ),
        );
      const answer = await app.ask({
        method,
        url: `/api/auth${path}${method === 'GET' ? `?${query}` : ''}`,
        ...(method === 'GET' ? {} : { payload: garbage?.body ?? JSON.stringify(input) }),
        headers: {
          'content-type': garbage?.type ?? 'application/json',
          ...(known ? await cookieOf(right) : {}),
          ...Object.fromEntries(garbage?.headers ?? []),
        },
      });
      tally.add(name, answer.statusCode);
      expect(complaint(null, answer) ?? astray(answer)).toBeNull();
    }),
    { numRuns, seed, examples: [[{ input: right.input, known: true, garbage: null }]] },
  );
}

async function cookieOf({
  who,
  cookie,
}: {
  who?: TestUser;
  cookie?: string;
}): Promise<{ cookie?: string }> {
  if (cookie) return { cookie };
  return who ? { cookie: (await credentialsOf(app, who)).cookie } : {};
}

const wellFormed = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

const eventType = fc.constantFrom(
  'payment_intent.succeeded',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
);
const about = fc.record(
  {
    id: fc.oneof(fc.constantFrom('pi_1', 'ch_1'), nasty),
    object: fc.oneof(fc.constantFrom('payment_intent', 'charge'), nasty),
    payment_intent: fc.oneof(fc.constantFrom('pi_1', null, { id: 'pi_1' }), nasty),
  },
  { requiredKeys: [] },
);
const event = fc.record(
  {
    id: fc.oneof(fc.uuid(), nasty),
    object: fc.oneof(fc.constant('event'), nasty),
    livemode: fc.oneof(fc.constant(false), nasty),
    type: fc.oneof(eventType, nasty),
    account: nasty,
    data: fc.oneof(fc.record({ object: fc.oneof(about, nasty) }), nasty),
  },
  { requiredKeys: [] },
);
const rightEvent = fc.record({
  id: fc.uuid(),
  object: fc.constant('event'),
  livemode: fc.constant(false),
  type: eventType,
  data: fc.record({ object: about }),
});

it(`answers whatever is told to the webhook, believed or not (seed ${seed})`, async () => {
  const told = fc
    .oneof(rightEvent, rightEvent, event, nasty)
    .map((event) => JSON.stringify(event) ?? '');
  const body = fc.oneof({ weight: 3, arbitrary: told }, { weight: 1, arbitrary: bodies });
  const signature: fc.Arbitrary<string> = fc.constantFrom(
    'ours',
    'ours',
    'ours',
    "another's",
    'none',
    't=1,v1=',
    '\xff',
  );
  await fc.assert(
    fc.asyncProperty(body, signature, types, async (payload, signature, type) => {
      const answer = await app.ask({
        method: 'POST',
        url: '/api/webhooks/stripe',
        payload,
        headers: { 'content-type': type, ...signed(payload, signature) },
      });
      tally.add(`webhook, signature: ${signature}`, answer.statusCode);
      expect(complaint(null, answer)).toBeNull();
    }),
    { numRuns: rounds * share(0.04), seed, examples: [believed, forged, noEvent] },
  );
  expect(tally.counts.get('webhook, signature: ours')?.get(200)).toBeGreaterThan(0);
  expect(tally.counts.get("webhook, signature: another's")?.get(200)).toBeUndefined();
  console.log(
    `${tally.total()} requests at the doors, ${tally.total((status) => status < 400)} of them served`,
  );
}, 3_600_000);

const somethingTrue = {
  id: 'evt_1',
  livemode: false,
  type: 'charge.refunded',
  data: { object: { payment_intent: 'pi_1' } },
};
const believed: [string, string, string] = [
  JSON.stringify(somethingTrue),
  'ours',
  'application/json',
];
const forged: [string, string, string] = [
  JSON.stringify(somethingTrue),
  "another's",
  'application/json',
];
const noEvent: [string, string, string] = ['{"id":"evt_1"}', 'ours', 'application/json'];

function signed(payload: string | Buffer, by: string): Record<string, string> {
  if (by === 'none') return {};
  if (!/ours|another/.test(by)) return { 'stripe-signature': by };
  const at = Math.floor(Date.now() / 1_000);
  const secret = by === 'ours' ? testKeys.webhookSecret : 'whsec_another';
  const mac = createHmac('sha256', secret).update(`${at}.`).update(payload).digest('hex');
  return { 'stripe-signature': `t=${at},v1=${mac}` };
}
