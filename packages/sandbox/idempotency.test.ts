// Idempotency keys, and the faults that require them.
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
  it('loses the response after the work, which the key finds', async () => {
    const before = await count();
    await sandbox.fault({
      effect: 'lose_answer',
      method: 'POST',
      path: '/v1/payment_intents',
      times: 2,
    });
    // The SDK repeats a request on a closed connection once, so two responses must be lost.
    const options = { idempotencyKey: 'lost' };
    const error = await failureOf(sandbox.stripe.paymentIntents.create(anIntent, options));
    expect(error.type).toBe('StripeConnectionError');
    expect(await count()).toBe(before + 1);
    await sandbox.stripe.paymentIntents.create(anIntent, options);
    expect(await count()).toBe(before + 1);
  });

  it('cuts the connection before the work', async () => {
    const before = await count();
    await sandbox.fault({ effect: 'reset', times: 2, method: 'POST' });
    expect((await failureOf(sandbox.stripe.paymentIntents.create(anIntent))).type).toBe(
      'StripeConnectionError',
    );
    expect(await count()).toBe(before);
  });

  it('answers 500 and stores it, the work is done anyway', async () => {
    const before = await count();
    await sandbox.fault({ effect: 'error_saved', method: 'POST' });
    const options = { idempotencyKey: 'saved 500' };
    expect(await failureOf(sandbox.stripe.paymentIntents.create(anIntent, options))).toMatchObject({
      statusCode: 500,
    });
    expect(await failureOf(sandbox.stripe.paymentIntents.create(anIntent, options))).toMatchObject({
      statusCode: 500,
    });
    expect(await count()).toBe(before + 1);
    await sandbox.fault({ effect: 'error_saved', method: 'POST', work: false });
    await failureOf(sandbox.stripe.paymentIntents.create(anIntent));
    expect(await count()).toBe(before + 1);
  });

  it('answers 500 or 429 before any work, and stores nothing', async () => {
    const before = await count();
    for (const [effect, status] of [
      ['error_before', 500],
      ['rate_limit', 429],
    ] as const) {
      await sandbox.fault({ effect });
      const options = { idempotencyKey: `unsaved ${status}` };
      expect(
        await failureOf(sandbox.stripe.paymentIntents.create(anIntent, options)),
      ).toMatchObject({
        statusCode: status,
      });
      await sandbox.stripe.paymentIntents.create(anIntent, options);
    }
    expect(await count()).toBe(before + 2);
  });

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
