import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { overrideEnrolment, refundPayment } from '../../../contract/checkout/payments.ts';
import { sendRefundAgain } from '../../../contract/checkout/sums.ts';
import { aBoughtBasket } from '../../testing/baskets.ts';
import { anAdmin } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aShop,
  balanced,
  paymentOf,
  seats,
  settleAll,
  some,
  statusBecomes,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const refund = (id: string, reason = 'Asked by phone') =>
  app.send(refundPayment, { id, reason }, admin.token);
/**
 * A process whose next read of refunds is delayed, so that it is older than what happens meanwhile.
 */
async function aSlowReader() {
  const released = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const reading = { next: false, done: read.promise, release: released.resolve };
  const slow = await shop.another(
    {},
    {
      between: (cards) => ({
        ...cards,
        refunds: async (intent) => {
          const waits = reading.next;
          reading.next = false;
          const found = await cards.refunds(intent);
          if (!waits) return found;
          read.resolve();
          await released.promise;
          return found;
        },
      }),
    },
  );
  return { slow, reading };
}

describe('a response of the provider that is older than our rows', () => {
  it('neither reverts a failure nor ends the refund that is sent after it', async () => {
    for (const sentAgain of [false, true]) {
      const { slow, reading } = await aSlowReader();
      const bought = await aBoughtSeat(shop);
      await refund(bought.paymentId);
      await statusBecomes(app, bought.intent, 'refunded');
      await settleAll(app);
      reading.next = true;
      // Alone, as the webhook calls it.
      const { syncRefunds } = slow.money;
      const following = syncRefunds(bought.intent);
      await reading.done;
      const [sent] = await provider.refunds(bought.intent);
      await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'failed' });
      await statusBecomes(app, bought.intent, 'refund_failed');
      if (sentAgain) await app.send(sendRefundAgain, { id: bought.paymentId }, admin.token);
      reading.release();
      await following;
      await slow.close();
      await settleAll(app);
      const status = (await paymentOf(app, bought.intent))?.status;
      const sentInAll = (await provider.refunds(bought.intent))
        .map((one) => one['status'])
        .toSorted();
      expect([status, sentInAll]).toEqual(
        sentAgain ? ['refunded', ['failed', 'succeeded']] : ['refund_failed', ['failed']],
      );
      await app.send(sendRefundAgain, { id: bought.paymentId }, admin.token);
      await statusBecomes(app, bought.intent, 'refunded');
    }
  });
});

describe('refunds and disputes made at the provider', () => {
  it('a dispute is followed while a part of the payment is still to be refunded', async () => {
    const prices = [2_000, 5_000];
    const { intent, lines } = await aBoughtBasket(shop, { prices, card: 'pendingRefund' });
    const [first, second] = lines;
    const part = { id: first?.enrolment ?? '', card: 5, end: false, reason: 'Rain' };
    await app.send(overrideEnrolment, part, admin.token);
    await some(() => provider.refunds(intent));
    await settleAll(app);
    expect((await paymentOf(app, intent))?.status).toBe('refund_due');
    const dispute = await provider.knob('POST', '/sandbox/disputes', { payment_intent: intent });
    expect(await statusBecomes(app, intent, 'disputed')).toBe('disputed');
    await provider.knob('POST', `/sandbox/disputes/${dispute.body.id}/close`, { status: 'lost' });
    expect(await statusBecomes(app, intent, 'refund_due')).toBe('refund_due');
    expect(await seats(app, second?.class_id ?? '')).toMatchObject({ sold: 0 });
    const [sent] = await provider.refunds(intent);
    await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'succeeded' });
    expect(await statusBecomes(app, intent, 'refunded')).toBe('refunded');
  });

  it('a refund there replaces one of ours that the bank returned', async () => {
    const bought = await aBoughtSeat(shop);
    await refund(bought.paymentId);
    await statusBecomes(app, bought.intent, 'refunded');
    const [sent] = await provider.refunds(bought.intent);
    await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'failed' });
    await statusBecomes(app, bought.intent, 'refund_failed');
    await provider.ask('POST', '/v1/refunds', { payment_intent: bought.intent });
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    await settleAll(app);
    expect((await paymentOf(app, bought.intent))?.status).toBe('refunded');
  });
});
