// Defines window.Stripe with the part of Stripe.js that card payments need. The sandbox serves it
// as one plain script, joined with the parts it imports. Card numbers stay in the card frame.
import { createFrom, isElement, makeElements } from './element.js';
import { showChallenge } from './overlay.js';
import { IntegrationError, ask, flat } from './wire.js';

function idOf(secret, caller) {
  const id = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(secret)?.[1];
  if (id) return id;
  throw new IntegrationError(
    `Invalid value for stripe.${caller} intent secret: value should be a client secret of the form \${id}_secret_\${secret}.`,
  );
}

const outcome = (intent) => {
  if (intent.error) return { error: intent.error };
  const failed = intent.status === 'requires_payment_method' && intent.last_payment_error;
  return failed ? { error: { ...failed, payment_intent: intent } } : { paymentIntent: intent };
};

function Stripe(key) {
  if (typeof key !== 'string' || !key.startsWith('pk_')) {
    throw new IntegrationError(
      'Please call Stripe() with your publishable key. You used something else.',
    );
  }

  const read = (secret, caller) =>
    ask('GET', `payment_intents/${idOf(secret, caller)}`, { key, client_secret: secret });

  /** Handles an intent that waits for authentication. */
  async function finish(intent, secret, caller) {
    if (intent.error || intent.status !== 'requires_action') return outcome(intent);
    await showChallenge(intent.next_action.use_stripe_sdk.stripe_js);
    return outcome(await read(secret, caller));
  }

  async function createPaymentMethod(first, element, more) {
    const data = typeof first === 'string' ? { type: first, card: element, ...more } : first;
    const { card, billing_details } = data ?? {};
    if (isElement(card)) return createFrom(card, flat({ billing_details }));
    if (!card?.token) {
      throw new IntegrationError(
        'Invalid value for createPaymentMethod: card should be an Element or a token.',
      );
    }
    const made = await ask('POST', 'payment_methods', { key, type: 'card', card, billing_details });
    return made.error ? { error: made.error } : { paymentMethod: made };
  }

  async function confirmCardPayment(secret, data, { handleActions = true } = {}) {
    const caller = 'confirmCardPayment';
    const id = idOf(secret, caller);
    let method = data?.payment_method;
    if (!method) {
      // After a reload the challenge may still be open, and there is no card to start again with.
      const intent = await read(secret, caller);
      if (intent.error || intent.status === 'requires_action') {
        return handleActions ? finish(intent, secret, caller) : outcome(intent);
      }
    }
    if (typeof method === 'object') {
      const made = await createPaymentMethod({ type: 'card', ...method });
      if (made.error) return made;
      method = made.paymentMethod.id;
    }
    const { return_url, receipt_email } = data ?? {};
    const intent = await ask('POST', `payment_intents/${id}/confirm`, {
      key,
      client_secret: secret,
      payment_method: method,
      return_url,
      receipt_email,
      use_stripe_sdk: true,
    });
    return handleActions ? finish(intent, secret, caller) : outcome(intent);
  }

  async function handleNextAction(options) {
    const secret = typeof options === 'string' ? options : options?.clientSecret;
    return finish(await read(secret, 'handleNextAction'), secret, 'handleNextAction');
  }

  return {
    elements: (options) => makeElements(key, options),
    createPaymentMethod,
    confirmCardPayment,
    handleNextAction,
    handleCardAction: handleNextAction,
    async retrievePaymentIntent(secret) {
      const intent = await read(secret, 'retrievePaymentIntent');
      return intent.error ? { error: intent.error } : { paymentIntent: intent };
    },
    createToken: async () => ({
      error: {
        type: 'invalid_request_error',
        message: 'The sandbox makes payment methods, not tokens.',
      },
    }),
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

Stripe.version = 'sandbox';
window.Stripe = Stripe;
