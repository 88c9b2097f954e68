// Delivers events, signed, and repeats with growing pauses until a 2xx.
import { createHmac } from 'node:crypto';
import { withPending } from './events.ts';
import type { Faults } from './faults.ts';
import type { Event } from './objects.ts';
import type { Store } from './store.ts';

export interface Endpoint {
  url: string;
  secret: string;
}

const second = 1000;
const hour = 3600 * second;
const pauses = [1, 5, 15, 60, 300, 1800]
  .map((pause) => pause * second)
  .concat([1, 3, 6, 12].map((pause) => pause * hour));
const giveUpAfter = 72 * hour;
const patience = 20 * second;
const atOnce = 8;

export type Webhooks = ReturnType<typeof openWebhooks>;

export function openWebhooks(
  store: Store,
  now: () => number,
  faults: Faults,
  endpoint: () => Endpoint | undefined,
) {
  const stopping = new AbortController();
  /** On their way, or held back to be reversed: not to be sent by another round. */
  const busy = new Set<string>();
  let held: string[] = [];
  /** How many are to be collected; 0 for none. */
  let batch = 0;
  let holding: NodeJS.Timeout | undefined;
  let waking: NodeJS.Timeout | undefined;
  let asked = false;

  /** Called inside the transaction that made the event. */
  function enqueue(event: Event): void {
    if (!endpoint()) return;
    const add = (
      state: 'pending' | 'failed',
      copies: number,
      at: number,
      error: string | null = null,
    ) => store.addDelivery(event.id, event.type, state, copies, at, error);
    // A batch that is being collected takes the next events.
    const fault = batch > 0 ? undefined : faults.onEvent(event.type);
    if (fault?.effect === 'webhook_drop') add('failed', 1, now(), 'dropped by a fault');
    else if (fault?.effect === 'webhook_double') add('pending', fault.count, now());
    else if (fault?.effect === 'webhook_delay') add('pending', 1, now() + fault.ms);
    else add('pending', 1, now());
    if (fault?.effect === 'webhook_reverse') openBatch(fault.count, fault.ms);
    if (batch > 0) hold(event.id);
    pumpSoon();
  }

  function openBatch(count: number, ms: number): void {
    batch = count;
    holding = setTimeout(release, ms);
    holding.unref();
  }

  function hold(id: string): void {
    busy.add(id);
    held.push(id);
    if (held.length < batch) return;
    batch = 0;
    setImmediate(release);
  }

  function release(): void {
    clearTimeout(holding);
    const turned = held.toReversed();
    held = [];
    batch = 0;
    // One after the other, or the network would determine the order.
    void turned.reduce((before, id) => before.then(() => send(id)), Promise.resolve()).then(pump);
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
    for (const { event } of due.slice(0, Math.max(0, atOnce - busy.size + held.length))) {
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
      const results = await Promise.all(
        Array.from({ length: Math.max(1, delivery.copies) }, () => post(target, body)),
      );
      if (stopping.signal.aborted) return;
      for (const { status, error } of results)
        store.addAttempt(id, event.type, now(), status, error);
      const { status, error } =
        results.find((result) => !isFine(result.status)) ?? results[0] ?? nothing;
      const pause = pauses[delivery.attempts] ?? 24 * hour;
      const late = now() + pause - event.created * second > giveUpAfter;
      store.settleDelivery(
        id,
        isFine(status) ? 'delivered' : late ? 'failed' : 'pending',
        now() + pause,
        status,
        error,
      );
    } finally {
      busy.delete(id);
    }
  }

  async function post(
    { url, secret }: Endpoint,
    body: string,
  ): Promise<{ status: number | null; error: string | null }> {
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
      return {
        status: response.status,
        error: isFine(response.status) ? null : `answered ${response.status}`,
      };
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    enqueue,
    pump,
    stop(): void {
      stopping.abort();
      clearTimeout(waking);
      clearTimeout(holding);
    },
  };
}

const nothing = { status: null, error: 'not sent' };
const isFine = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** By the real clock, not the sandbox's: the receiver compares it with its own. */
function sign(secret: string, body: string): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}
