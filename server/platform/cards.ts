// The card provider in our terms: the only file that uses the Stripe SDK. It talks to Stripe or to
// the sandbox.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { assertOutsideTransaction } from './db/transaction.ts';

export interface CardKeys {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
}

export type Intent = ReturnType<typeof present>;
export type ProviderRefund = ReturnType<typeof presentRefund>;
export type CardEvent = ReturnType<typeof presentEvent>;

export type Cards = ReturnType<typeof createCards>;

/** Everything of it must be the same whenever its key is used again. */
interface Wish {
  amountCents: number;
  currency: string;
  metadata: Record<string, string>;
  key: string;
}

/**
 * The provider did not do what was asked. `silent`: unknown whether it did, ask again with the same
 * key. `broken`: an internal error, which it will repeat under this key. `refused`: it understood
 * and refused.
 */
export class ProviderError extends Error {
  readonly kind: 'silent' | 'broken' | 'refused';
  readonly code: string;

  constructor(kind: ProviderError['kind'], code: string, cause: unknown) {
    super(`card provider ${kind}: ${code}`, { cause });
    this.kind = kind;
    this.code = code;
  }
}

/** How long a request waits for the provider; the work goes on, the next try finds it done. */
const patienceMs = 15_000;

export const patiently = <T>(work: Promise<T>, ms = patienceMs): Promise<T> =>
  Promise.race([
    work,
    sleep(ms, undefined, { ref: false }).then(() => {
      throw new ProviderError('silent', 'slow', null);
    }),
  ]);

const eventTypes: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'refund.created',
  'refund.updated',
  'refund.failed',
];

export const isKnownType = (type: string) => eventTypes.includes(type);

interface Options {
  keys: CardKeys;
  /** Null: Stripe. Asked for every call: a restarted sandbox may listen elsewhere. */
  sandboxOrigin?: (() => string) | null;
  /** How often the SDK repeats a request that got no response, with pauses of half a second up. */
  retries?: number;
}

export function createCards({ keys, sandboxOrigin = null, retries = 2 }: Options) {
  const live = /^(sk|rk)_live_/.test(keys.secretKey);
  let known: { origin: string; stripe: Stripe } | undefined;

  const client = (): Stripe => {
    assertOutsideTransaction('The card provider');
    const origin = sandboxOrigin?.() ?? '';
    if (known?.origin !== origin)
      known = { origin, stripe: connect(keys.secretKey, origin, retries) };
    return known.stripe;
  };

  return {
    publishableKey: keys.publishableKey,
    sandbox: sandboxOrigin !== null,
    openIntent: ({ amountCents, currency, metadata, key }: Wish) =>
      asked(async () => {
        const wish = { amount: amountCents, currency, metadata, payment_method_types: ['card'] };
        return present(await client().paymentIntents.create(wish, { idempotencyKey: key }));
      }),
    intent: (id: string): Promise<Intent | null> =>
      unlessMissing(async () => present(await client().paymentIntents.retrieve(id, charge))),
    /** The intent afterwards: canceled, or as it is instead. Null: unknown to the provider. */
    cancel: (id: string): Promise<Intent | null> =>
      unlessMissing(async () => {
        try {
          return present(await client().paymentIntents.cancel(id));
        } catch (error) {
          if (!isError(error) || error.code !== 'payment_intent_unexpected_state') throw error;
          return present(await client().paymentIntents.retrieve(id));
        }
      }),
    refusals: (id: string) =>
      asked(async () => {
        const charges = await client().charges.list({ payment_intent: id, limit: 100 });
        return charges.data.filter((charge) => charge.status === 'failed').length;
      }),
    refund: (
      intentId: string,
      { amountCents, refundId, key }: { amountCents: number; refundId: string; key: string },
    ) =>
      asked(async () => {
        const metadata = { refund: refundId };
        const wish = { payment_intent: intentId, amount: amountCents, metadata };
        return presentRefund(await client().refunds.create(wish, { idempotencyKey: key }));
      }),
    refunds: (intentId: string) =>
      asked(async () => {
        const { data } = await client().refunds.list({ payment_intent: intentId, limit: 100 });
        return data.map(presentRefund);
      }),
    dispute: (intentId: string) =>
      asked<'none' | 'open' | 'won' | 'lost'>(async () => {
        const [latest] = (await client().disputes.list({ payment_intent: intentId, limit: 1 }))
          .data;
        if (!latest) return 'none';
        if (latest.status === 'lost') return 'lost';
        // A closed inquiry took no money: counts as won.
        return latest.status === 'won' || latest.status === 'warning_closed' ? 'won' : 'open';
      }),
    async *intentsSince(from: Date): AsyncIterable<Intent> {
      const list = client().paymentIntents.list({
        created: { gte: seconds(from) },
        limit: 100,
        expand: ['data.latest_charge'],
      });
      for await (const intent of pages(list)) yield present(intent);
    },
    async *undeliveredSince(from: Date): AsyncIterable<CardEvent> {
      const created = { gte: seconds(from) };
      const list = client().events.list({
        created,
        delivery_success: false,
        types: [...eventTypes],
        limit: 100,
      });
      for await (const event of pages(list)) yield presentEvent(event);
    },
    /** Null when the signature is not the provider's; `foreign`: of another mode or account. */
    readEvent(body: Buffer, signature: string) {
      let event: Stripe.Event;
      try {
        event = Stripe.webhooks.constructEvent(body, signature, keys.webhookSecret, 300);
      } catch {
        return null;
      }
      if (!isEvent(event)) return null;
      return {
        ...presentEvent(event),
        foreign: event.livemode !== live || event.account !== undefined,
      };
    },
  };
}

function connect(secretKey: string, origin: string, maxNetworkRetries: number): Stripe {
  // Stay below the provider's own limit of parallel requests.
  const pooled = { keepAlive: true, maxSockets: 40 };
  const options = { maxNetworkRetries, timeout: 10_000, telemetry: false };
  if (!origin) return new Stripe(secretKey, { ...options, httpAgent: new HttpsAgent(pooled) });
  const { hostname, port } = new URL(origin);
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    port,
    protocol: 'http',
    httpAgent: new HttpAgent(pooled),
  });
}

const isError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError;

const asked = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw translated(error);
  });

const unlessMissing = <T>(work: () => Promise<T>): Promise<T | null> =>
  asked(work).catch((error: unknown) => {
    if (error instanceof ProviderError && error.code === 'resource_missing') return null;
    throw error;
  });

async function* pages<T>(list: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* list;
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  if (!isError(error)) return error;
  const code = error.code ?? error.type;
  const status = error.statusCode ?? 0;
  // 409: another request with this key is still running. 429: too many at once.
  const silent =
    error instanceof Stripe.errors.StripeConnectionError || status === 409 || status === 429;
  if (silent) return new ProviderError('silent', code, error);
  return new ProviderError(status >= 500 ? 'broken' : 'refused', code, error);
}

const charge = { expand: ['latest_charge'] };

const pastOpen = ['processing', 'succeeded', 'canceled'] as const;

const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  typeof charge === 'object' ? charge : null;

const present = (intent: Stripe.PaymentIntent) => ({
  id: intent.id,
  status: pastOpen.find((status) => status === intent.status) ?? 'open',
  /** The provider's own status, for people who look into it. */
  said: intent.status,
  amountCents: intent.amount,
  receivedCents: intent.amount_received,
  /** Refunded so far. Known only for intents that were listed. */
  refundedCents: chargeOf(intent)?.amount_refunded ?? 0,
  /** Whether a bank disputes the charge, or did. Known only for intents that were listed. */
  disputed: chargeOf(intent)?.disputed ?? false,
  currency: intent.currency,
  clientSecret: intent.client_secret ?? '',
  refused: intent.last_payment_error !== null,
  metadata: intent.metadata,
  created: dateOf(intent.created),
  charged: chargeOf(intent) && dateOf(chargeOf(intent)?.created ?? intent.created),
});

const presentRefund = (refund: Stripe.Refund) => ({
  id: refund.id,
  status: refundStatus(refund.status),
  amountCents: refund.amount,
  reason: refund.failure_reason ?? '',
  /** Our id of it. Null: made in the provider's dashboard, or before refunds carried one. */
  refundId: refund.metadata?.['refund'] ?? null,
});

function refundStatus(said: string | null) {
  if (said === 'succeeded') return said;
  return said === 'failed' || said === 'canceled' ? 'failed' : 'pending';
}

/** A valid signature does not mean that the message is an event. */
function isEvent(message: Partial<Stripe.Event> | null): boolean {
  const { id, type, data } = message ?? {};
  return typeof id === 'string' && typeof type === 'string' && data?.object instanceof Object;
}

/** Events about an intent, charge, refund or dispute all name the payment intent. */
function presentEvent(event: Stripe.Event) {
  const about = event.data.object as {
    id?: string;
    object: string;
    payment_intent?: string | { id: string } | null;
  };
  const named =
    typeof about.payment_intent === 'object' ? about.payment_intent?.id : about.payment_intent;
  const intentId: unknown = about.object === 'payment_intent' ? about.id : named;
  return {
    id: event.id,
    type: event.type as string,
    /** Null for an event that is about no payment. */
    intentId: typeof intentId === 'string' ? intentId : null,
  };
}

const dateOf = (seconds: number) => new Date(seconds * 1_000);
const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
