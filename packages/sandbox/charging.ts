// From the confirmation to the end of a payment: challenge, decision of the bank, charge, events.
// Whether an intent may be confirmed: intents.ts.
import { declines } from './cards.ts';
import { declined, missing, refused } from './errors.ts';
import { behaviourOf } from './methods.ts';
import type { Charge, Intent, Method, PaymentError } from './objects.ts';
import { randomId, seconds } from './world.ts';
import type { Call, World } from './world.ts';

export function attempt(
  world: World,
  intent: Intent,
  method: Method,
  slowly?: Call['slowly'],
): void {
  const behaviour = behaviourOf(world, method);
  if (world.store.hidden(method.id).used) {
    throw refused(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      { payment_intent: intent },
    );
  }
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

/**
 * The result of the challenge. `source` is the client's key to it; a server with the secret key
 * needs none.
 */
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
      {
        code: 'payment_intent_unexpected_state',
      },
    );
  }
  const method = world.store.get('payment_method', intent.payment_method ?? '');
  if (!method) throw missing('PaymentMethod', intent.payment_method ?? '');
  closeChallenge(world, intent);
  if (passed) {
    try {
      ask(world, intent, method);
    } catch {
      // Declined after a passed challenge: the intent has the error, and the browser reads it
      // there.
    }
    return intent;
  }
  fail(world, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
  });
  return intent;
}

/** The decision of the simulated bank. */
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

/** The end of `processing`. */
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
  const behaviour = behaviourOf(world, method);
  world.store.insert(charge, intent.id);
  // A method without a customer can be used for one payment.
  world.store.hide(method.id, { behaviour, used: true });
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
  if (behaviour.dispute) world.later(2000, 'dispute', charge.id);
}

function refuseCharge(
  world: World,
  intent: Intent,
  method: Method,
  decline: keyof typeof declines,
): never {
  const { message, ...detail } = declines[decline];
  const charge = chargeOf(world, intent, method);
  Object.assign(charge, {
    status: 'failed',
    paid: false,
    captured: false,
    amount_captured: 0,
    balance_transaction: null,
    failure_code: detail.code,
    failure_message: message,
    outcome: {
      network_status: decline === 'fraud' ? 'not_sent_to_network' : 'declined_by_network',
      reason: detail.decline_code,
      risk_level: decline === 'fraud' ? 'highest' : 'normal',
      seller_message: 'The bank did not return any further details with this decline.',
      type: decline === 'fraud' ? 'blocked' : 'issuer_declined',
    },
  });
  world.store.insert(charge, intent.id);
  intent.latest_charge = charge.id;
  world.emit('charge.failed', charge);
  const refusal = declined(message, { ...detail, charge: charge.id, payment_method: method });
  fail(world, intent, { ...refusal.body, payment_method: method });
  throw declined(message, {
    ...detail,
    charge: charge.id,
    payment_intent: intent,
    payment_method: method,
  });
}

/** Back to the start, so that another card can be tried on the same intent. */
function fail(
  world: World,
  intent: Intent,
  error: PaymentError & { payment_intent?: unknown },
): void {
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
  const { brand, last4, exp_month, exp_year, fingerprint, funding, country, checks } = method.card;
  return {
    id: randomId('ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: randomId('txn_3'),
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: true,
    created: seconds(world),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: 20,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: {
        brand,
        checks,
        country,
        exp_month,
        exp_year,
        fingerprint,
        funding,
        last4,
        network: brand,
        wallet: null,
      },
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}
