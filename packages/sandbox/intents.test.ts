// Payment intents, their states and lists, as the official SDK uses them.
import { afterAll, expect, it } from 'vitest';
import { aSandbox, anIntent, failureOf, paying } from './testing/stripe.ts';

const sandbox = await aSandbox();
afterAll(() => sandbox.close());
const { paymentIntents, charges } = sandbox.stripe;

it('is created with a secret and metadata, and waits for a card', async () => {
  const metadata = { hold: 'h1', class: 'c1' };
  const intent = await paymentIntents.create({ ...anIntent, metadata });
  expect(intent).toMatchObject({
    ...anIntent,
    object: 'payment_intent',
    amount_received: 0,
    status: 'requires_payment_method',
    livemode: false,
    latest_charge: null,
    last_payment_error: null,
    metadata,
  });
  expect(intent.id).toMatch(/^pi_[A-Za-z0-9]{20,}$/);
  expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]+$`));
  expect(await paymentIntents.retrieve(intent.id)).toEqual(intent);
});

it.each([
  [{ amount: undefined }, 'parameter_missing', 'amount'],
  [{ currency: undefined }, 'parameter_missing', 'currency'],
  [{ amount: 12.5 }, 'parameter_invalid_integer', 'amount'],
  [{ amount: 49 }, 'amount_too_small', 'amount'],
  [{ amount: 100_000_000 }, 'amount_too_large', 'amount'],
  [{ currency: 'zzz' }, undefined, 'currency'],
  [{ ammount: 1 }, 'parameter_unknown', 'ammount'],
  [{ metadata: { a: 'x'.repeat(501) } }, undefined, 'metadata[a]'],
])('refuses %j with a code and its name', async (wrong, code, param) => {
  const params = { ...anIntent, ...wrong } as typeof anIntent;
  const error = await failureOf(paymentIntents.create(params));
  const type = 'StripeInvalidRequestError';
  expect(error).toMatchObject({ type, statusCode: 400, code, param });
});

it('shows its charge on request', async () => {
  const { id } = await paymentIntents.create(paying);
  const { latest_charge: charge } = await paymentIntents.retrieve(id, {
    expand: ['latest_charge'],
  });
  expect(charge).toMatchObject({ object: 'charge', paid: true, amount: 2500, payment_intent: id });
  const error = await failureOf(paymentIntents.retrieve(id, { expand: ['colour'] }));
  expect(error.message).toContain('cannot be expanded');
});

it('charges once, a second confirmation shows the intent', async () => {
  const { id } = await paymentIntents.create(paying);
  const again = await failureOf(paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }));
  expect(again).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
  expect(again.payment_intent).toMatchObject({ id, status: 'succeeded' });
  expect((await charges.list({ payment_intent: id })).data).toHaveLength(1);
});

it('cancels an open intent, not one that is canceled or paid', async () => {
  const { id } = await paymentIntents.create(anIntent);
  expect((await paymentIntents.cancel(id)).status).toBe('canceled');
  const { id: paid } = await paymentIntents.create(paying);
  for (const refused of [
    paymentIntents.cancel(id),
    paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    paymentIntents.cancel(paid),
  ])
    expect((await failureOf(refused)).code).toBe('payment_intent_unexpected_state');
});

it('is listed from new to old in pages, and by time', async () => {
  await using own = await aSandbox();
  const { paymentIntents: intents } = own.stripe;
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.unshift((await intents.create(anIntent)).id);
  const first = await intents.list({ limit: 3 });
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
  const walked: string[] = [];
  for await (const { id } of intents.list({ limit: 2 })) walked.push(id);
  expect(walked).toEqual(made);

  await own.advance(3600);
  const later = await intents.create(anIntent);
  const recent = await intents.list({ created: { gte: later.created - 60 } });
  expect(recent.data.map(({ id }) => id)).toEqual([later.id]);
});
