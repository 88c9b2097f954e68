// Refunds. Disputes, failed and pending refunds, lost responses: server/checkout/refunds.
import { afterAll, expect, it } from 'vitest';
import { aSandbox, anIntent, failureOf, paying } from './testing/stripe.ts';

const sandbox = await aSandbox();
afterAll(() => sandbox.close());
const { stripe } = sandbox;

const typesFor = async (object: string) => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .filter((event) => 'id' in event.data.object && event.data.object.id === object)
    .map(({ type }) => type);
};

it('returns the whole amount once, and is refused a second time', async () => {
  const { id, latest_charge: charge } = await stripe.paymentIntents.create(paying);
  const refund = await stripe.refunds.create({ payment_intent: id });
  const what = { object: 'refund', amount: 2500, status: 'succeeded' };
  expect(refund).toMatchObject({ ...what, payment_intent: id, charge });
  expect(await failureOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
  });
  expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund]);
  expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([
    { refunded: true, amount_refunded: 2500 },
  ]);
  expect(await typesFor(refund.id)).toEqual(['refund.created']);
  expect(await typesFor(charge as string)).toContain('charge.refunded');
});

it('of a payment of the demo data goes through', async () => {
  const id = 'pi_demo_1234abcd_5678ef90';
  expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([]);
  const refund = await stripe.refunds.create({ payment_intent: id, amount: 17_500 });
  expect(refund).toMatchObject({ amount: 17_500, status: 'succeeded', payment_intent: id });
  expect((await stripe.refunds.list({ payment_intent: id })).data).toEqual([refund]);
  expect(await typesFor(id)).toEqual([]);
});

it('is refused for an unpaid intent, and for more than was paid', async () => {
  const { id } = await stripe.paymentIntents.create(anIntent);
  const unpaid = await failureOf(stripe.refunds.create({ payment_intent: id }));
  expect(unpaid.message).toContain('does not have a successful charge');
  const { id: paid } = await stripe.paymentIntents.create(paying);
  const tooMuch = await failureOf(stripe.refunds.create({ payment_intent: paid, amount: 2501 }));
  expect(tooMuch.message).toContain('is greater than unrefunded amount');
});
