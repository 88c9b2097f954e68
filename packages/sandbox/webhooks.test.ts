// Webhooks: signed, repeated, lost; and their events.
import { expect, it } from 'vitest';
import { aReceiver, aSandbox, anIntent, webhookSecret } from './testing/stripe.ts';

const pay = { ...anIntent, confirm: true, payment_method: 'pm_card_visa' };

interface Delivery {
  state: string;
  attempts: number;
  last_status: number | null;
}

/** Waits until all deliveries match: each is stored a moment after the receiver's response. */
const deliveries = async (
  sandbox: Awaited<ReturnType<typeof aSandbox>>,
  fits: (delivery: Delivery) => boolean,
) => {
  for (;;) {
    const { data } = (await sandbox.knob('GET', 'deliveries')) as { data: Delivery[] };
    if (data.every(fits)) return data;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
};

/** All deliveries in one state after so many attempts. */
const settled = (sandbox: Awaited<ReturnType<typeof aSandbox>>, wanted: string, least: number) =>
  deliveries(sandbox, ({ state, attempts }) => state === wanted && attempts >= least);

it('reports a payment in signed events that the SDK accepts', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox({ webhookUrl: receiver.url });
  const intent = await sandbox.stripe.paymentIntents.create(pay, { idempotencyKey: 'pay' });
  await receiver.until(3);
  expect(receiver.types().toSorted()).toEqual([
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
  ]);
  const event = receiver.heard.find(({ type }) => type === 'payment_intent.succeeded');
  expect(event).toMatchObject({
    object: 'event',
    livemode: false,
    pending_webhooks: 1,
    data: { object: { id: intent.id, status: 'succeeded', amount_received: 2500 } },
    request: { idempotency_key: 'pay' },
  });
  await settled(sandbox, 'delivered', 1);
  const { data } = await sandbox.stripe.events.list();
  expect(data.map(({ pending_webhooks: pending }) => pending)).toEqual([0, 0, 0]);
});

it('tries again, with growing pauses, until a 2xx', async () => {
  await using receiver = await aReceiver([500, 302]);
  // On a busy machine more attempts become due than the test asks for. None may succeed early.
  receiver.later.status = 503;
  await using sandbox = await aSandbox({ webhookUrl: receiver.url });
  await sandbox.stripe.paymentIntents.create(anIntent);
  await receiver.until(1);
  await settled(sandbox, 'pending', 1);
  expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  await sandbox.advance(2);
  await receiver.until(2);
  await settled(sandbox, 'pending', 2);
  receiver.later.status = 200;
  await sandbox.advance(60);
  await settled(sandbox, 'delivered', 3);
  expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(1);
  expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  expect((await sandbox.stripe.events.list({ delivery_success: true })).data).toHaveLength(1);
});

it('drops an event for good when told to', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox({ webhookUrl: receiver.url });
  await sandbox.fault({ effect: 'webhook_drop', type: 'payment_intent.succeeded' });
  await sandbox.stripe.paymentIntents.create(pay);
  await receiver.until(2);
  await deliveries(sandbox, ({ state }) => state !== 'pending');
  await sandbox.advance(86_400);
  expect(receiver.types()).not.toContain('payment_intent.succeeded');
  const missed = await sandbox.stripe.events.list({ delivery_success: false });
  expect(missed.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
});

it('sends to another address when told to, none without one', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox();
  await sandbox.stripe.paymentIntents.create(anIntent);
  await sandbox.knob('POST', 'webhook', { url: receiver.url, secret: webhookSecret });
  const { id } = await sandbox.stripe.paymentIntents.create(anIntent);
  await receiver.until(1);
  expect(receiver.heard.map((event) => event.data.object)).toMatchObject([{ id }]);
});
