// Idempotency keys. Faults: server/checkout.
import { afterAll, expect, it } from 'vitest';
import { aSandbox, anIntent, failureOf } from './testing/stripe.ts';

const sandbox = await aSandbox();
afterAll(() => sandbox.close());
const { paymentIntents, charges } = sandbox.stripe;

it('returns the first response again and does the work once', async () => {
  const options = { idempotencyKey: 'same' };
  const first = await paymentIntents.create(anIntent, options);
  const second = await paymentIntents.create(anIntent, options);
  expect(second).toEqual(first);
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await paymentIntents.list()).data).toHaveLength(1);
});

it('refuses other parameters or another endpoint', async () => {
  const options = { idempotencyKey: 'compared' };
  const { id } = await paymentIntents.create(anIntent, options);
  for (const misuse of [
    paymentIntents.create({ ...anIntent, amount: 2600 }, options),
    paymentIntents.cancel(id, {}, options),
  ])
    expect((await failureOf(misuse)).type).toBe('StripeIdempotencyError');
});

it('stores a decline, but not wrong parameters', async () => {
  const { id } = await paymentIntents.create(anIntent);
  const declined = { payment_method: 'pm_card_visa_chargeDeclined' };
  const confirm = () => paymentIntents.confirm(id, declined, { idempotencyKey: 'decline' });
  const first = await failureOf(confirm());
  expect((await failureOf(confirm())).charge).toBe(first.charge);
  expect((await charges.list({ payment_intent: id })).data).toHaveLength(1);

  const options = { idempotencyKey: 'mended' };
  await failureOf(paymentIntents.create({ ...anIntent, amount: 1 }, options));
  expect((await paymentIntents.create(anIntent, options)).amount).toBe(2500);
});

it('is forgotten after 24 hours, not before', async () => {
  const options = { idempotencyKey: 'a day' };
  const first = await paymentIntents.create(anIntent, options);
  await sandbox.advance(24 * 3600 - 60);
  expect((await paymentIntents.create(anIntent, options)).id).toBe(first.id);
  await sandbox.advance(120);
  expect((await paymentIntents.create(anIntent, options)).id).not.toBe(first.id);
});
