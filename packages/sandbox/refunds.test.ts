// Refunds and disputes.
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

  it('adds up partial refunds and never returns more than was paid', async () => {
    const { stripe } = sandbox;
    const { id } = await paid();
    await stripe.refunds.create({ payment_intent: id, amount: 1000 });
    const tooMuch = await failureOf(stripe.refunds.create({ payment_intent: id, amount: 1501 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
    expect((await stripe.refunds.create({ payment_intent: id })).amount).toBe(1500);
    expect(
      (await stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount),
    ).toEqual([1500, 1000]);
  });

  it('is refused for an unpaid intent', async () => {
    const { id } = await sandbox.stripe.paymentIntents.create(anIntent);
    const error = await failureOf(sandbox.stripe.refunds.create({ payment_intent: id }));
    expect(error.message).toContain('does not have a successful charge');
  });

  it('is made once when its response is lost', async () => {
    const { stripe, fault, knob } = sandbox;
    const { id } = await paid();
    await fault({ effect: 'lose_answer', path: '/v1/refunds', method: 'POST' });
    const refund = await stripe.refunds.create(
      { payment_intent: id },
      { idempotencyKey: `refund:${id}` },
    );
    expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund]);
    await knob('DELETE', 'faults');
  });

  it('can be pending first', async () => {
    const { stripe, advance } = sandbox;
    const { id } = await paid('pm_card_pendingRefund');
    const slow = await stripe.refunds.create({ payment_intent: id });
    expect(slow.status).toBe('pending');
    await advance(10);
    expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([
      { status: 'succeeded' },
    ]);
    expect(await typesFor(slow.id)).toEqual([
      'charge.refund.updated',
      'refund.updated',
      'refund.created',
    ]);
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

describe('a dispute', () => {
  it('opens, forbids a refund, and closes won or lost', async () => {
    const { stripe, knob } = sandbox;
    for (const status of ['won', 'lost']) {
      const { id, latest_charge: charge } = await paid();
      await knob('POST', 'disputes', { payment_intent: id });
      const [dispute] = (await stripe.disputes.list({ payment_intent: id })).data;
      expect(dispute).toMatchObject({
        object: 'dispute',
        status: 'needs_response',
        charge,
        amount: 2500,
      });
      expect(await failureOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
        code: 'charge_disputed',
      });
      await knob('POST', `disputes/${dispute?.id}/close`, { status });
      expect((await stripe.disputes.list({ payment_intent: id })).data).toMatchObject([{ status }]);
      const types = await typesFor(dispute?.id ?? '');
      expect(types).toContain('charge.dispute.created');
      expect(types).toContain('charge.dispute.closed');
      expect(types.includes('charge.dispute.funds_reinstated')).toBe(status === 'won');
    }
  });
});
