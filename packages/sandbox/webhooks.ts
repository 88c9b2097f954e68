// Delivers events, signed, and repeats with growing pauses until a 2xx.
import { createHmac } from 'node:crypto';
import type { Faults } from './faults.ts';
import type { Event } from './objects.ts';
import type { Store } from './store.ts';

export interface Endpoint {
  url: string;
  secret: string;
}

const second = 1000;
const hour = 3600 * second;
const pauses = [1, 5, 15, 60, 300, 1_800].map((pause) => pause * second);
const patience = 20 * second;
const atOnce = 8;

export const withPending = (store: Store, event: Event): Event => ({
  ...event,
  pending_webhooks: store.delivery(event.id)?.state === 'pending' ? 1 : 0,
});

export function openWebhooks(
  store: Store,
  now: () => number,
  faults: Faults,
  endpoint: () => Endpoint | undefined,
) {
  const stopping = new AbortController();
  /** On their way: not to be sent by another round. */
  const busy = new Set<string>();
  let waking: NodeJS.Timeout | undefined;
  let asked = false;

  /** Called inside the transaction that made the event. */
  function enqueue(event: Event): void {
    if (!endpoint()) return;
    store.addDelivery(event.id, now(), faults.strike(['webhook_drop']) ? 'failed' : 'pending');
    pumpSoon();
  }

  /** After the transaction, and once for many events. */
  function pumpSoon(): void {
    if (asked) return;
    asked = true;
    setImmediate(() => {
      asked = false;
      pump();
    });
  }

  function pump(): void {
    if (stopping.signal.aborted) return;
    clearTimeout(waking);
    const due = store
      .dueDeliveries(now(), atOnce + busy.size)
      .filter(({ event }) => !busy.has(event));
    for (const { event } of due.slice(0, Math.max(0, atOnce - busy.size))) {
      busy.add(event);
      void send(event).then(pump);
    }
    const next = store.nextDeliveryAt(now());
    if (next) {
      waking = setTimeout(pump, Math.min(next - now() + 1, hour));
      waking.unref();
    }
  }

  async function send(id: string): Promise<void> {
    try {
      const delivery = store.delivery(id);
      const event = store.get('event', id);
      const target = endpoint();
      if (!delivery || !event || !target || stopping.signal.aborted) return;
      const body = JSON.stringify(withPending(store, event), null, 2);
      const isTaken = await post(target, body);
      if (stopping.signal.aborted) return;
      const next = now() + (pauses[delivery.attempts] ?? hour);
      store.settleDelivery(id, isTaken ? 'delivered' : 'pending', next);
    } finally {
      busy.delete(id);
    }
  }

  async function post({ url, secret }: Endpoint, body: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': sign(secret, body),
        },
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(patience)]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  return {
    enqueue,
    pump,
    stop(): void {
      stopping.abort();
      clearTimeout(waking);
    },
  };
}

/** By the real clock, not the sandbox's: the receiver compares it with its own. */
function sign(secret: string, body: string): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}
