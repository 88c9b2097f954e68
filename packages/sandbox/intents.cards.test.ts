// The test cards and the keys, as the official SDK and a browser use them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultKeys } from './sandbox.ts';
import { aCard, aSandbox, anIntent, asBrowser, failureOf, payWith, sdk } from './testing/stripe.ts';

let sandbox: Awaited<ReturnType<typeof aSandbox>>;
beforeAll(async () => {
  sandbox = await aSandbox();
});
afterAll(() => sandbox.close());

const refusedCard = (card: object) =>
  failureOf(
    sandbox.stripe.paymentMethods.create({
      type: 'card',
      card: { ...aCard('4242424242424242'), ...card },
    }),
  );

describe('the test cards', () => {
  it.each(['4242424242424242', '5555555555554444', '378282246310005'])(
    '%s pays',
    async (number) => {
      const { confirmed } = await payWith(sandbox, number);
      expect((await confirmed).status).toBe('succeeded');
    },
  );

  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
  ])(
    '%s is declined with %s (%s), and another card may follow',
    async (number, code, declineCode) => {
      const { stripe } = sandbox;
      const { intent, confirmed } = await payWith(sandbox, number);
      const error = await failureOf(confirmed);
      expect(error).toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
        code,
        decline_code: declineCode,
      });
      expect(error.payment_intent).toMatchObject({
        id: intent.id,
        status: 'requires_payment_method',
      });
      const after = await stripe.paymentIntents.retrieve(intent.id);
      expect(after.last_payment_error).toMatchObject({
        type: 'card_error',
        code,
        message: error.message,
      });
      expect(after.payment_method).toBeNull();
      const paid = await stripe.paymentIntents.confirm(intent.id, {
        payment_method: 'pm_card_visa',
      });
      expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
    },
  );

  it('refuses a real, mistyped or expired card, or a wrong code', async () => {
    const real = await refusedCard({ number: '4539578763621486' });
    expect(real).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
    });
    expect(real.message).toBe(
      'This is the sandbox: no real card works here. Use a test card such as 4242 4242 4242 4242.',
    );
    expect(await refusedCard({ number: '4242424242424241' })).toMatchObject({
      statusCode: 402,
      code: 'incorrect_number',
    });
    expect(await refusedCard({ exp_year: 2020 })).toMatchObject({
      code: 'invalid_expiry_year',
      param: 'exp_year',
    });
    expect(await refusedCard({ exp_month: 13 })).toMatchObject({
      code: 'invalid_expiry_month',
      param: 'exp_month',
    });
    expect(await refusedCard({ cvc: '12' })).toMatchObject({ code: 'invalid_cvc', param: 'cvc' });
  });

  it('may require authentication, which passes or fails once', async () => {
    const { stripe, knob } = sandbox;
    const { intent, confirmed } = await payWith(sandbox, '4000002500003155');
    const waiting = await confirmed;
    expect(waiting).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    await knob('POST', 'challenge', { payment_intent: intent.id, outcome: 'fail' });
    const failed = await stripe.paymentIntents.retrieve(intent.id);
    expect(failed).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    expect((await stripe.paymentIntents.confirm(intent.id)).status).toBe('requires_action');
    await knob('POST', 'challenge', { payment_intent: intent.id, outcome: 'pass' });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
    expect(
      await knob('POST', 'challenge', { payment_intent: intent.id, outcome: 'pass' }),
    ).toMatchObject({
      error: { code: 'payment_intent_unexpected_state' },
    });
  });
});

describe('the keys', () => {
  it('refuses a wrong key, and a publishable for a secret one', async () => {
    const wrong = await failureOf(
      sdk(sandbox.port, {}, 'sk_test_other').paymentIntents.create(anIntent),
    );
    expect(wrong).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    const weak = await failureOf(
      sdk(sandbox.port, {}, defaultKeys.publishable).paymentIntents.create(anIntent),
    );
    expect(weak).toMatchObject({ statusCode: 401, code: 'secret_key_required' });
    expect(
      (await fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', body: '{}' })).status,
    ).toBe(401);
    expect((await fetch(`${sandbox.url}/v1/payment_intents`)).status).toBe(401);
  });

  it('let a browser pay, and show it no metadata', async () => {
    const { stripe, url } = sandbox;
    const intent = await stripe.paymentIntents.create({
      ...anIntent,
      metadata: { student: 'not-for-browsers' },
    });
    const secret = { client_secret: intent.client_secret ?? '' };
    const path = `payment_intents/${intent.id}`;
    const seen = await asBrowser(url, 'GET', path, secret);
    expect(seen.body).toMatchObject({ id: intent.id, status: 'requires_payment_method' });
    expect(seen.body).not.toHaveProperty('metadata');
    expect((await asBrowser(url, 'GET', path, {})).status).toBe(400);
    expect(
      (await asBrowser(url, 'GET', path, { client_secret: `${intent.id}_secret_guess` })).status,
    ).toBe(400);

    const made = await asBrowser(url, 'POST', 'payment_methods', {
      type: 'card',
      'card[number]': '4000 0000 0000 0002',
      'card[exp_month]': '12',
      'card[exp_year]': '40',
      'card[cvc]': '123',
      'billing_details[name]': 'Ada',
    });
    expect(made.body).toMatchObject({
      card: { brand: 'visa', last4: '0002' },
      billing_details: { name: 'Ada' },
    });
    const declined = await asBrowser(url, 'POST', `${path}/confirm`, {
      ...secret,
      payment_method: String(made.body['id']),
    });
    expect(declined.status).toBe(402);
    expect(declined.body).toMatchObject({
      error: { type: 'card_error', payment_intent: { id: intent.id } },
    });
    expect(JSON.stringify(declined.body)).not.toContain('not-for-browsers');
    const paid = await asBrowser(url, 'POST', `${path}/confirm`, {
      ...secret,
      payment_method: 'pm_card_visa',
    });
    expect(paid.body).toMatchObject({ status: 'succeeded' });
    expect(paid.body).not.toHaveProperty('latest_charge');
  });
});
