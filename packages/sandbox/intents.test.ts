// Payment intents, their states and lists, as the official SDK uses them. The test cards and the
// keys: intents.cards.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSandbox, anIntent, failureOf, payWith } from './testing/stripe.ts';

let sandbox: Awaited<ReturnType<typeof aSandbox>>;
beforeAll(async () => {
  sandbox = await aSandbox();
});
afterAll(() => sandbox.close());

describe('a payment intent', () => {
  it('is created with a secret and metadata, and waits for a card', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({
      ...anIntent,
      metadata: { hold: 'h1', class: 'c1' },
    });
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 2500,
      amount_received: 0,
      currency: 'usd',
      status: 'requires_payment_method',
      livemode: false,
      latest_charge: null,
      last_payment_error: null,
      payment_method_types: ['card'],
      metadata: { hold: 'h1', class: 'c1' },
    });
    expect(intent.id).toMatch(/^pi_[A-Za-z0-9]{20,}$/);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]+$`));
    expect(await sandbox.stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  it('refuses a wrong parameter with a code and its name', async () => {
    const { stripe } = sandbox;
    const wrong = async (params: object) => {
      const { type, code, param, statusCode } = await failureOf(
        stripe.paymentIntents.create(params as typeof anIntent),
      );
      return [type, statusCode, code, param];
    };
    const kind = 'StripeInvalidRequestError';
    for (const [params, code, param] of [
      [{ currency: 'usd' }, 'parameter_missing', 'amount'],
      [{ amount: 2500 }, 'parameter_missing', 'currency'],
      [{ ...anIntent, amount: 12.5 }, 'parameter_invalid_integer', 'amount'],
      [{ ...anIntent, amount: 49 }, 'amount_too_small', 'amount'],
      [{ ...anIntent, amount: 100_000_000 }, 'amount_too_large', 'amount'],
      [{ ...anIntent, currency: 'zzz' }, undefined, 'currency'],
      [{ ...anIntent, ammount: 1 }, 'parameter_unknown', 'ammount'],
      [{ ...anIntent, metadata: { a: 'x'.repeat(501) } }, undefined, 'metadata[a]'],
    ] as const)
      expect(await wrong(params)).toEqual([kind, 400, code, param]);
  });

  it('takes new metadata, an empty value removes a key', async () => {
    const { stripe } = sandbox;
    const { id } = await stripe.paymentIntents.create({
      ...anIntent,
      metadata: { a: '1', b: '2' },
    });
    const updated = await stripe.paymentIntents.update(id, { metadata: { a: '', c: '3' } });
    expect(updated.metadata).toEqual({ b: '2', c: '3' });
  });

  it('expands its charge on request', async () => {
    const { confirmed } = await payWith(sandbox, '4242424242424242');
    const { id } = await confirmed;
    const { latest_charge: charge } = await sandbox.stripe.paymentIntents.retrieve(id, {
      expand: ['latest_charge'],
    });
    expect(charge).toMatchObject({
      object: 'charge',
      paid: true,
      amount: 2500,
      payment_intent: id,
    });
    const error = await failureOf(
      sandbox.stripe.paymentIntents.retrieve(id, { expand: ['colour'] }),
    );
    expect(error.message).toContain('cannot be expanded');
  });
});

describe('the state machine', () => {
  it('charges once, a second confirmation shows the intent', async () => {
    const { intent, confirmed } = await payWith(sandbox, '4242424242424242');
    expect(await confirmed).toMatchObject({ status: 'succeeded', amount_received: 2500 });
    const error = await failureOf(
      sandbox.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
    );
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'succeeded' });
    expect((await sandbox.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1);
  });

  it('cancels an open intent, not one that is canceled or paid', async () => {
    const { stripe } = sandbox;
    const { id } = await stripe.paymentIntents.create(anIntent);
    const canceled = await stripe.paymentIntents.cancel(id);
    expect(canceled).toMatchObject({ status: 'canceled' });
    expect(canceled.canceled_at).toBeTypeOf('number');
    const again = await failureOf(stripe.paymentIntents.cancel(id));
    expect(again).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    });
    const late = await failureOf(
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    );
    expect(late).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    });

    const { intent, confirmed } = await payWith(sandbox, '4242424242424242');
    await confirmed;
    const paid = await failureOf(stripe.paymentIntents.cancel(intent.id));
    expect(paid).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'succeeded' },
    });
  });
});

describe('lists', () => {
  it('go from new to old in pages, and filter by time', async () => {
    await using own = await aSandbox();
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1)
      made.unshift((await own.stripe.paymentIntents.create(anIntent)).id);
    const first = await own.stripe.paymentIntents.list({ limit: 3 });
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 3));
    const rest = await own.stripe.paymentIntents.list({ limit: 10, starting_after: made[2] ?? '' });
    expect(rest.has_more).toBe(false);
    expect(rest.data.map(({ id }) => id)).toEqual(made.slice(3));
    const walked: string[] = [];
    for await (const { id } of own.stripe.paymentIntents.list({ limit: 2 })) walked.push(id);
    expect(walked).toEqual(made);

    await own.advance(3600);
    const later = await own.stripe.paymentIntents.create(anIntent);
    const recent = await own.stripe.paymentIntents.list({ created: { gte: later.created - 60 } });
    expect(recent.data.map(({ id }) => id)).toEqual([later.id]);
  });
});
