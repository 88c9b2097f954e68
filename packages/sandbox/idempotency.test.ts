// Idempotency keys, and where a fault applies. What each does: server/checkout/payments.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aCard, aSandbox, anIntent, failureOf, sdk } from './testing/stripe.ts';

let sandbox: Awaited<ReturnType<typeof aSandbox>>;
beforeAll(async () => {
  sandbox = await aSandbox();
});
afterEach(() => sandbox.knob('DELETE', 'faults'));
afterAll(() => sandbox.close());

const count = async () => (await sandbox.stripe.paymentIntents.list({ limit: 100 })).data.length;

describe('an idempotency key', () => {
  it('returns the first response again and does the work once', async () => {
    const before = await count();
    const options = { idempotencyKey: 'same' };
    const first = await sandbox.stripe.paymentIntents.create(anIntent, options);
    const second = await sandbox.stripe.paymentIntents.create(anIntent, options);
    expect(second).toEqual(first);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await count()).toBe(before + 1);
  });

  it('refuses other parameters or another endpoint', async () => {
    const options = { idempotencyKey: 'compared' };
    const { id } = await sandbox.stripe.paymentIntents.create(anIntent, options);
    for (const misuse of [
      sandbox.stripe.paymentIntents.create({ ...anIntent, amount: 2600 }, options),
      sandbox.stripe.paymentIntents.cancel(id, {}, options),
    ]) {
      expect(await failureOf(misuse)).toMatchObject({
        type: 'StripeIdempotencyError',
        statusCode: 400,
      });
    }
  });

  it('stores a decline and a refusal, but not wrong parameters', async () => {
    const { stripe } = sandbox;
    const { id } = await stripe.paymentIntents.create(anIntent);
    const confirm = () =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'decline' },
      );
    const first = await failureOf(confirm());
    expect((await failureOf(confirm())).charge).toBe(first.charge);
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);

    const options = { idempotencyKey: 'mended' };
    await failureOf(stripe.paymentIntents.create({ ...anIntent, amount: 1 }, options));
    expect((await stripe.paymentIntents.create(anIntent, options)).amount).toBe(2500);
  });

  it('is forgotten after 24 hours, not before', async () => {
    const options = { idempotencyKey: 'a day' };
    const first = await sandbox.stripe.paymentIntents.create(anIntent, options);
    await sandbox.advance(24 * 3600 - 60);
    expect((await sandbox.stripe.paymentIntents.create(anIntent, options)).id).toBe(first.id);
    await sandbox.advance(120);
    expect((await sandbox.stripe.paymentIntents.create(anIntent, options)).id).not.toBe(first.id);
  });

  it('belongs to one kind of API key', async () => {
    const server = await sandbox.stripe.paymentMethods.create(
      { type: 'card', card: aCard('4242424242424242') },
      { idempotencyKey: 'shared' },
    );
    const browser = await sdk(sandbox.port, {}, 'pk_test_sandbox').paymentMethods.create(
      { type: 'card', card: aCard('4242424242424242') },
      { idempotencyKey: 'shared' },
    );
    expect(browser.id).not.toBe(server.id);
  });
});

describe('a fault', () => {
  it('applies only where and as often as configured', async () => {
    const { stripe, fault } = sandbox;
    const { id } = await stripe.paymentIntents.create(anIntent);
    const path = '/v1/payment_intents/*/cancel';
    await fault({ effect: 'rate_limit', method: 'POST', path, times: 1 });
    await stripe.paymentIntents.retrieve(id);
    expect((await failureOf(stripe.paymentIntents.cancel(id))).statusCode).toBe(429);
    expect((await stripe.paymentIntents.cancel(id)).status).toBe('canceled');
  });

  it('reports an unknown fault', async () => {
    expect(await sandbox.fault({ effect: 'earthquake' })).toMatchObject({
      error: { param: 'effect' },
    });
    expect(await sandbox.fault({ effect: 'reset', often: 3 })).toMatchObject({
      error: { type: 'invalid_request_error' },
    });
  });
});
