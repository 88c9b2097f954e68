// The test cards and the keys, as the official SDK and a browser use them.
import { afterAll, expect, it } from 'vitest';
import { defaultKeys } from './sandbox.ts';
import { aCard, aSandbox, anIntent, asBrowser, failureOf, sdk } from './testing/stripe.ts';

const sandbox = await aSandbox();
afterAll(() => sandbox.close());
const { stripe, url } = sandbox;

/** An intent that is being confirmed with the card of this number. */
async function payWith(number: string) {
  const { id } = await stripe.paymentIntents.create(anIntent);
  const method = await stripe.paymentMethods.create({ type: 'card', card: aCard(number) });
  return { id, confirmed: stripe.paymentIntents.confirm(id, { payment_method: method.id }) };
}

it.each([
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000000069', 'expired_card', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error', 'processing_error'],
])('%s is declined with %s (%s), and another card may follow', async (number, code, decline) => {
  const { id, confirmed } = await payWith(number);
  const error = await failureOf(confirmed);
  const type = 'StripeCardError';
  expect(error).toMatchObject({ type, statusCode: 402, code, decline_code: decline });
  expect(error.payment_intent).toMatchObject({ id, status: 'requires_payment_method' });
  const { last_payment_error: last } = await stripe.paymentIntents.retrieve(id);
  expect(last).toMatchObject({ type: 'card_error', code, message: error.message });
  const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
});

it('refuses the number of a real card', async () => {
  const card = aCard('4539578763621486');
  expect(await failureOf(stripe.paymentMethods.create({ type: 'card', card }))).toMatchObject({
    statusCode: 402,
    decline_code: 'test_mode_live_card',
    message:
      'This is the sandbox: no real card works here. Use a test card such as 4242 4242 4242 4242.',
  });
});

it('may require authentication, which passes or fails once', async () => {
  const { id, confirmed } = await payWith('4000002500003155');
  const next = { type: 'use_stripe_sdk' };
  expect(await confirmed).toMatchObject({ status: 'requires_action', next_action: next });
  const answer = (outcome: string) =>
    sandbox.knob('POST', 'challenge', { payment_intent: id, outcome });
  await answer('fail');
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  });
  const again = { payment_method: 'pm_card_authenticationRequired' };
  await stripe.paymentIntents.confirm(id, again);
  expect((await stripe.paymentIntents.confirm(id)).status).toBe('requires_action');
  await answer('pass');
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
  expect(await answer('pass')).toMatchObject({
    error: { code: 'payment_intent_unexpected_state' },
  });
});

it('refuses a wrong key, and a publishable for a secret one', async () => {
  const wrong = await failureOf(sdk(url, 'sk_test_other').paymentIntents.create(anIntent));
  expect(wrong).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  const weak = await failureOf(sdk(url, defaultKeys.publishable).paymentIntents.create(anIntent));
  expect(weak).toMatchObject({ statusCode: 401, code: 'secret_key_required' });
  const faults = await fetch(`${url}/sandbox/faults`, { method: 'POST', body: '{}' });
  expect(faults.status).toBe(401);
  expect((await fetch(`${url}/v1/payment_intents`)).status).toBe(401);
});

it('lets a browser pay by the client secret, without metadata', async () => {
  const intent = await stripe.paymentIntents.create({
    ...anIntent,
    metadata: { student: 'not-for-browsers' },
  });
  const secret = { client_secret: intent.client_secret ?? '' };
  const path = `payment_intents/${intent.id}`;
  const seen = await asBrowser(url, 'GET', path, secret);
  expect(seen.body).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
  for (const wrong of [{}, { client_secret: `${intent.id}_secret_guess` }])
    expect((await asBrowser(url, 'GET', path, wrong as Record<string, string>)).status).toBe(400);

  const made = await asBrowser(url, 'POST', 'payment_methods', {
    type: 'card',
    'card[number]': '4000 0000 0000 0002',
    'card[exp_month]': '12',
    'card[exp_year]': '40',
    'card[cvc]': '123',
    'billing_details[name]': 'Pia',
  });
  expect(made.body).toMatchObject({ card: { last4: '0002' }, billing_details: { name: 'Pia' } });
  const pay = (method: unknown) =>
    asBrowser(url, 'POST', `${path}/confirm`, { ...secret, payment_method: String(method) });
  const declined = await pay(made.body['id']);
  expect([declined.status, declined.body]).toMatchObject([
    402,
    { error: { type: 'card_error', payment_intent: { id: intent.id } } },
  ]);
  const paid = await pay('pm_card_visa');
  expect(paid.body).toMatchObject({ status: 'succeeded' });
  expect(paid.body).not.toHaveProperty('latest_charge');
  expect(JSON.stringify([seen, declined, paid])).not.toContain('not-for-browsers');
});
