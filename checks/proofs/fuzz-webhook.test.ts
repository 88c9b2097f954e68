// The webhook, which the contract does not declare: no malformed request gets a 5xx or an error in
// another shape.
import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { testKeys } from '../../server/testing/app.ts';
import { aShop } from '../../server/testing/checkout.ts';
import { bodies, nasty, types } from './fuzz.ts';
import { complaint, rounds, seed, share, Tally } from './fuzzjudge.ts';

const { app } = await aShop();
const tally = new Tally();

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

it(`answers every message to the webhook (seed ${seed})`, async () => {
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
    `${tally.total()} requests at the webhook, ${tally.total((status) => status < 400)} of them served`,
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
