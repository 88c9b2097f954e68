// From the confirmation to the end of a payment: challenge, decision of the bank, charge, events.
// Whether an intent may be confirmed: intents.ts.
import { declines } from './cards.ts';
import { declined, missing, refused } from './errors.ts';
import { behaviourOf } from './methods.ts';
import type { Charge, Intent, Method, PaymentError } from './objects.ts';
import { type Call, randomId, seconds, type World } from './world.ts';

export function attempt(
  world: World,
  intent: Intent,
  method: Method,
  slowly?: Call['slowly'],
): void {
  const behaviour = behaviourOf(world, method);
  closeChallenge(world, intent);
  intent.payment_method = method.id;
  if (behaviour.challenge) openChallenge(world, intent);
  else ask(world, intent, method, slowly);
}

function openChallenge(world: World, intent: Intent): void {
  const source = randomId('src_1');
  world.store.hide(intent.id, { source });
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: {
      type: 'three_d_secure_redirect',
      source,
      stripe_js: `/sandbox/challenge?payment_intent=${intent.id}&source=${source}`,
    },
  };
  world.store.update(intent);
  world.emit('payment_intent.requires_action', intent);
}

export function closeChallenge(world: World, intent: Intent): void {
  if (intent.status !== 'requires_action') return;
  world.store.hide(intent.id, {});
  intent.next_action = null;
}

/** `source` is the client's key to the challenge; a server with the secret key needs none. */
export function answerChallenge(
  world: World,
  id: string,
  source: string | undefined,
  passed: boolean,
): Intent {
  const intent = world.store.get('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'payment_intent');
  const open = world.store.hidden(id).source;
  if (intent.status !== 'requires_action' || !open || (source !== undefined && source !== open)) {
    throw refused(
      'This authentication is over. Go back to the shop to see how the payment stands.',
      { code: 'payment_intent_unexpected_state' },
    );
  }
  const method = world.store.get('payment_method', intent.payment_method ?? '');
  if (!method) throw missing('PaymentMethod', intent.payment_method ?? '');
  closeChallenge(world, intent);
  if (passed) {
    try {
      ask(world, intent, method);
    } catch {
      // Declined after a passed challenge: the browser reads the error of the intent.
    }
    return intent;
  }
  fail(world, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  });
  return intent;
}

function ask(world: World, intent: Intent, method: Method, slowly?: Call['slowly']): void {
  const { decline } = behaviourOf(world, method);
  if (slowly) {
    intent.status = 'processing';
    intent.next_action = null;
    world.store.update(intent);
    world.emit('payment_intent.processing', intent);
    world.later(
      slowly.ms,
      slowly.outcome === 'succeed' && !decline ? 'charge' : 'decline',
      intent.id,
    );
    return;
  }
  if (decline) refuseCharge(world, intent, method, decline);
  else succeed(world, intent, method);
}

export function endProcessing(world: World, id: string, outcome: 'charge' | 'decline'): void {
  const intent = world.store.get('payment_intent', id);
  const method = world.store.get('payment_method', intent?.payment_method ?? '');
  if (!intent || !method || intent.status !== 'processing') return;
  if (outcome === 'charge') return succeed(world, intent, method);
  try {
    refuseCharge(world, intent, method, behaviourOf(world, method).decline ?? 'generic');
  } catch {
    // No request waits for this result; the event reports it.
  }
}

function succeed(world: World, intent: Intent, method: Method): void {
  const charge = chargeOf(world, intent, method);
  world.store.insert(charge, intent.id);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
  });
  world.store.update(intent);
  world.emit('charge.succeeded', charge);
  world.emit('payment_intent.succeeded', intent);
}

function refuseCharge(
  world: World,
  intent: Intent,
  method: Method,
  decline: keyof typeof declines,
): never {
  const { message, ...detail } = declines[decline];
  const charge: Charge = {
    ...chargeOf(world, intent, method),
    status: 'failed',
    paid: false,
    failure_code: detail.code,
    failure_message: message,
  };
  world.store.insert(charge, intent.id);
  intent.latest_charge = charge.id;
  world.emit('charge.failed', charge);
  const refusal = declined(message, { ...detail, charge: charge.id, payment_method: method });
  fail(world, intent, { ...refusal.body });
  throw declined(message, { ...refusal.body, payment_intent: intent });
}

/** Back to the start, so that another card can be tried on the same intent. */
function fail(world: World, intent: Intent, error: PaymentError): void {
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: error,
  });
  world.store.update(intent);
  world.emit('payment_intent.payment_failed', intent);
}

function chargeOf(world: World, intent: Intent, method: Method): Charge {
  return {
    id: randomId('ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: seconds(world),
    currency: intent.currency,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    refunded: false,
    status: 'succeeded',
  };
}
