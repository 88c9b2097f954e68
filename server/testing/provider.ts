// The card provider as a browser and its dashboard use it, and the sandbox's faults.
import type { CardKeys, Intent } from '../platform/cards.ts';

export const testKeys: CardKeys = {
  secretKey: 'sk_test_rally',
  publishableKey: 'pk_test_rally',
  webhookSecret: 'whsec_rally',
};

/** An intent as the provider returns it, for tests with a fake provider. */
export const anIntent = (about: Partial<Intent> & Pick<Intent, 'id' | 'status'>): Intent => ({
  said: about.status,
  amountCents: 1_999,
  receivedCents: 0,
  refundedCents: 0,
  disputed: false,
  currency: 'usd',
  clientSecret: '',
  refused: false,
  metadata: {},
  created: new Date(),
  charged: null,
  ...about,
});

export interface Fault {
  effect: string;
  method?: string;
  path?: string;
  times?: number | null;
  ms?: number;
  work?: boolean;
  outcome?: 'succeed' | 'fail';
}

export interface Answered {
  id: string;
  status: string;
  amount: number;
  data?: Answered[];
  metadata?: Record<string, string>;
  payment_intent?: string;
  error?: { code?: string; message: string };
}

export const secretOf = (clientSecret: string) => ({
  intent: clientSecret.split('_secret_')[0] ?? '',
  clientSecret,
});

export function cardProvider(url: string, keys: CardKeys = testKeys) {
  async function ask(
    method: string,
    path: string,
    key: string,
    body?: Record<string, string> | object,
    json = false,
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      ...(body
        ? {
            body: json ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>),
          }
        : {}),
    });
    return { status: response.status, body: (await response.json()) as Answered };
  }
  const knob = (method: string, path: string, body?: object) =>
    ask(method, path, keys.secretKey, body, true);
  return {
    /**
     * Confirms a payment as the browser does. The card is named as at the provider (visa,
     * visa_chargeDeclined, threeDSecure2Required …).
     */
    confirm: (clientSecret: string, card = 'visa') =>
      ask(
        'POST',
        `/v1/payment_intents/${secretOf(clientSecret).intent}/confirm`,
        keys.publishableKey,
        {
          client_secret: clientSecret,
          payment_method: `pm_card_${card}`,
        },
      ),
    answerChallenge: (intent: string, outcome: 'pass' | 'fail') =>
      knob('POST', '/sandbox/challenge', { payment_intent: intent, outcome }),
    intent: async (id: string) =>
      (await ask('GET', `/v1/payment_intents/${id}`, keys.secretKey)).body,
    /** Calls the provider directly, as its dashboard or another program with the key does. */
    ask: (method: string, path: string, body?: Record<string, string>) =>
      ask(method, path, keys.secretKey, body),
    list: async (what: string) => (await ask('GET', `/v1/${what}`, keys.secretKey)).body.data ?? [],
    fault: (fault: Fault) => knob('POST', '/sandbox/faults', fault),
    /** A call such as `POST /v1/refunds` fails until it is healed, or as the fault says. */
    fails: (call: string, fault: Partial<Fault> = {}) => {
      const [method = '', path = ''] = call.split(' ');
      const always = { effect: 'error_before', times: null };
      return knob('POST', '/sandbox/faults', { ...always, method, path, ...fault });
    },
    /** No event is told until it is healed. */
    silence: () => knob('POST', '/sandbox/faults', { effect: 'webhook_drop', times: null }),
    heal: () => knob('DELETE', '/sandbox/faults'),
    refunds: async (intent: string) =>
      (await ask('GET', `/v1/refunds?payment_intent=${intent}`, keys.secretKey)).body.data ?? [],
    advance: (seconds: number) => knob('POST', '/sandbox/clock', { advance: seconds }),
    pointTo: (webhook: string) =>
      knob('POST', '/sandbox/webhook', { url: webhook, secret: keys.webhookSecret }),
    knob,
  };
}
