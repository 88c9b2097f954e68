// Webhooks: signed, repeated, lost; and their events.
import { expect, it } from 'vitest';
import { aReceiver, aSandbox, anIntent, paying, pointTo } from './testing/stripe.ts';

it('reports a payment in signed events that the SDK accepts', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox({ tells: receiver });
  const intent = await sandbox.stripe.paymentIntents.create(paying, { idempotencyKey: 'pay' });
  await expect.poll(() => receiver.heard.length).toBe(3);
  expect(receiver.types().toSorted()).toEqual([
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
  ]);
  expect(receiver.heard.find(({ type }) => type === 'payment_intent.succeeded')).toMatchObject({
    object: 'event',
    livemode: false,
    pending_webhooks: 1,
    data: { object: { id: intent.id, status: 'succeeded', amount_received: 2500 } },
    request: { idempotency_key: 'pay' },
  });
  const pending = async () =>
    (await sandbox.stripe.events.list()).data.map(({ pending_webhooks: count }) => count);
  await expect.poll(pending).toEqual([0, 0, 0]);
});

it('tries again, with growing pauses, until a 2xx', async () => {
  await using receiver = await aReceiver([500, 302]);
  await using sandbox = await aSandbox({ tells: receiver });
  const missed = async () =>
    (await sandbox.stripe.events.list({ delivery_success: false })).data.length;
  await sandbox.stripe.paymentIntents.create(anIntent);
  await expect.poll(() => receiver.heard.length).toBe(1);
  expect(await missed()).toBe(1);
  // The pause is counted from the moment at which the answer has come.
  for (const tries of [2, 3])
    await expect
      .poll(() => sandbox.advance(10).then(() => receiver.heard.length))
      .toBeGreaterThanOrEqual(tries);
  await expect.poll(missed).toBe(0);
  expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(1);
});

it('drops an event for good when told to', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox({ tells: receiver });
  await sandbox.knob('POST', 'faults', { effect: 'webhook_drop' });
  await sandbox.stripe.paymentIntents.create(paying);
  await expect.poll(() => receiver.heard.length).toBe(2);
  await sandbox.advance(86_400);
  expect(receiver.types()).not.toContain('payment_intent.created');
  const missed = await sandbox.stripe.events.list({ delivery_success: false });
  expect(missed.data.map(({ type }) => type)).toEqual(['payment_intent.created']);
});

it('sends to another address when told to, none without one', async () => {
  await using receiver = await aReceiver();
  await using sandbox = await aSandbox();
  await sandbox.stripe.paymentIntents.create(anIntent);
  await pointTo(sandbox.url, receiver);
  const { id } = await sandbox.stripe.paymentIntents.create(anIntent);
  await expect.poll(() => receiver.heard.length).toBe(1);
  expect(receiver.heard.map((event) => event.data.object)).toMatchObject([{ id }]);
});
