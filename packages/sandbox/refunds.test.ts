// Refunds. Disputes, pending refunds and lost responses: server/checkout/refunds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSandbox, anIntent, failureOf } from './testing/stripe.ts';

let sandbox: Awaited<ReturnType<typeof aSandbox>>;
beforeAll(async () => {
  sandbox = await aSandbox();
});
afterAll(() => sandbox.close());

const paid = (method = 'pm_card_visa') =>
  sandbox.stripe.paymentIntents.create({ ...anIntent, confirm: true, payment_method: method });
const typesFor = async (object: string) => {
  const { data } = await sandbox.stripe.events.list({ limit: 100 });
  return data
    .filter((event) => 'id' in event.data.object && event.data.object.id === object)
    .map(({ type }) => type);
};

describe('a refund', () => {
  it('returns the whole amount once, and is refused a second time', async () => {
    const { stripe } = sandbox;
    const { id, latest_charge } = await paid();
    const charge = typeof latest_charge === 'string' ? latest_charge : '';
    const refund = await stripe.refunds.create({ payment_intent: id });
    expect(refund).toMatchObject({
      object: 'refund',
      amount: 2500,
      status: 'succeeded',
      payment_intent: id,
      charge,
    });
    expect(refund.id).toMatch(/^re_/);
    expect(await failureOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund]);
    expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([
      { refunded: true, amount_refunded: 2500 },
    ]);
    expect(await typesFor(refund.id)).toEqual(['refund.created']);
    expect(await typesFor(charge)).toContain('charge.refunded');
  });

  it('of a payment of the demo data goes through', async () => {
    const { stripe } = sandbox;
    const id = 'pi_demo_1234abcd_5678ef90';
    expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([]);
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 17_500 });
    expect(refund).toMatchObject({ amount: 17_500, status: 'succeeded', payment_intent: id });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund]);
    expect(await typesFor(id)).toEqual([]);
  });

  it('is refused for an unpaid intent', async () => {
    const { id } = await sandbox.stripe.paymentIntents.create(anIntent);
    const error = await failureOf(sandbox.stripe.refunds.create({ payment_intent: id }));
    expect(error.message).toContain('does not have a successful charge');
  });

  it('fails when a test says so, and is made again', async () => {
    const { stripe, knob } = sandbox;
    const { id } = await paid();
    const refund = await stripe.refunds.create({ payment_intent: id });
    expect(await knob('POST', `refunds/${refund.id}`, { status: 'failed' })).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    });
    expect(await typesFor(refund.id)).toContain('refund.failed');
    expect((await stripe.refunds.create({ payment_intent: id })).status).toBe('succeeded');
  });
});
