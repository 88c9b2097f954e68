// The API of payment intents: create, retrieve, update, confirm, cancel. The charge itself:
// charging.ts.
import { badParam, missing, missingParam, refused } from './errors.ts';
import {
  flag,
  group,
  integer,
  mergeMetadata,
  oneOf,
  onlyKnown,
  requiredText,
  text,
  texts,
} from './form.ts';
import type { Args } from './form.ts';
import { attempt, closeChallenge } from './charging.ts';
import { methodFrom, namedMethod } from './methods.ts';
import type { Intent, Method } from './objects.ts';
import { randomId, seconds } from './world.ts';
import type { Call, World } from './world.ts';

const confirmable = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
] as const;
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

const settable =
  'amount currency customer description metadata payment_method payment_method_data payment_method_options payment_method_types receipt_email setup_future_usage statement_descriptor statement_descriptor_suffix transfer_group'.split(
    ' ',
  );
const confirming =
  'return_url use_stripe_sdk off_session error_on_requires_action mandate_data'.split(' ');

export function createIntent(world: World, call: Call): Intent {
  const { args } = call;
  onlyKnown(args, [
    ...settable,
    ...confirming,
    'automatic_payment_methods',
    'capture_method',
    'confirm',
    'confirmation_method',
  ]);
  const amount = readAmount(args);
  if (amount === undefined) throw missingParam('amount');
  const currency = requiredText(args, 'currency').toLowerCase();
  if (!currencies.has(currency))
    throw badParam(`Invalid currency: ${currency}.`, { param: 'currency' });
  checkSize(amount, currency);
  const captured =
    oneOf(args, 'capture_method', ['automatic', 'automatic_async', 'manual']) ?? 'automatic_async';
  if (captured === 'manual') {
    throw badParam('The sandbox captures at once; manual capture is not supported.', {
      param: 'capture_method',
    });
  }
  oneOf(args, 'confirmation_method', ['automatic']);
  const types = texts(args, 'payment_method_types');
  if (types && !types.includes('card')) {
    throw badParam('The sandbox knows cards only.', { param: 'payment_method_types' });
  }
  const id = call.id || randomId('pi_3');
  const intent: Intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: types ? null : { allow_redirects: 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: captured,
    client_secret: randomId(`${id}_secret_`, 25),
    confirmation_method: 'automatic',
    created: seconds(world),
    currency,
    customer: text(args, 'customer') ?? null,
    customer_account: null,
    description: text(args, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata({}, args),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: types ?? ['card'],
    processing: null,
    receipt_email: text(args, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: text(args, 'setup_future_usage') ?? null,
    shipping: null,
    source: null,
    statement_descriptor: text(args, 'statement_descriptor') ?? null,
    statement_descriptor_suffix: text(args, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: text(args, 'transfer_group') ?? null,
  };
  const confirm = flag(args, 'confirm') ?? false;
  const method = readMethod(world, args);
  if (confirm && !method) throw lacksMethod(intent);
  if (method) {
    intent.payment_method = method.id;
    intent.status = 'requires_confirmation';
  }
  world.store.insert(intent, null);
  world.emit('payment_intent.created', intent);
  if (confirm && method) attempt(world, intent, method, call.slowly);
  return intent;
}

export function retrieveIntent(world: World, call: Call): Intent {
  return ownIntent(world, call);
}

export function updateIntent(world: World, call: Call): Intent {
  const { args } = call;
  onlyKnown(args, settable);
  const intent = ownIntent(world, call);
  const open =
    intent.status !== 'succeeded' && intent.status !== 'canceled' && intent.status !== 'processing';
  const amount = readAmount(args);
  if (amount !== undefined) checkSize(amount, intent.currency);
  if (!open && (amount !== undefined || args['payment_method'] !== undefined)) {
    throw unexpected(
      intent,
      `This PaymentIntent could not be updated because it has a status of ${intent.status}.`,
    );
  }
  const method = readMethod(world, args);
  if (method)
    Object.assign(intent, {
      payment_method: method.id,
      status: 'requires_confirmation',
      next_action: null,
    });
  intent.amount = amount ?? intent.amount;
  intent.description = text(args, 'description') ?? intent.description;
  intent.receipt_email = text(args, 'receipt_email') ?? intent.receipt_email;
  intent.metadata = mergeMetadata(intent.metadata, args);
  world.store.update(intent);
  return intent;
}

export function confirmIntent(world: World, call: Call): Intent {
  const { args } = call;
  if (call.key === 'secret')
    onlyKnown(args, [...settable, ...confirming, 'client_secret', 'capture_method']);
  const intent = ownIntent(world, call);
  if (intent.status === 'succeeded') {
    throw unexpected(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  }
  if (!confirmable.some((status) => status === intent.status)) {
    throw unexpected(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${confirmable.join(', ')}.`,
    );
  }
  const given = readMethod(world, args);
  // Confirmed again while a challenge is open, without another card: the challenge is still the
  // next step.
  if (!given && intent.status === 'requires_action') return intent;
  const method =
    given ?? (intent.payment_method ? namedMethod(world, intent.payment_method) : undefined);
  if (!method) throw lacksMethod(intent);
  attempt(world, intent, method, call.slowly);
  return intent;
}

export function cancelIntent(world: World, call: Call): Intent {
  const { args } = call;
  onlyKnown(args, ['cancellation_reason']);
  const reason = oneOf(args, 'cancellation_reason', [
    'duplicate',
    'fraudulent',
    'requested_by_customer',
    'abandoned',
  ]);
  const intent = ownIntent(world, call);
  if (!confirmable.some((status) => status === intent.status)) {
    throw unexpected(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
    );
  }
  closeChallenge(world, intent);
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: seconds(world),
    cancellation_reason: reason ?? null,
    next_action: null,
  });
  world.store.update(intent);
  world.emit('payment_intent.canceled', intent);
  return intent;
}

/** The intent of the path; a caller with the publishable key must know its secret. */
function ownIntent(world: World, { id, args, key }: Call): Intent {
  const intent = world.store.get('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  const secret = text(args, 'client_secret');
  if (key === 'publishable' && secret === undefined) throw missingParam('client_secret');
  if (secret !== undefined && secret !== intent.client_secret) {
    throw refused(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      {
        code: 'payment_intent_invalid_parameter',
        param: 'client_secret',
      },
    );
  }
  return intent;
}

function readAmount(args: Args): number | undefined {
  const amount = integer(args, 'amount');
  if (amount !== undefined && amount < 1) {
    throw badParam('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  }
  return amount;
}

function checkSize(amount: number, currency: string): void {
  if (amount < 50) {
    throw badParam(`Amount must be at least 50 of the smallest unit of ${currency}.`, {
      code: 'amount_too_small',
      param: 'amount',
    });
  }
  if (amount > 99_999_999) {
    throw badParam('Amount must be no more than 99999999.', {
      code: 'amount_too_large',
      param: 'amount',
    });
  }
}

function readMethod(world: World, args: Args): Method | undefined {
  const id = text(args, 'payment_method');
  if (id) return namedMethod(world, id);
  const data = group(args, 'payment_method_data');
  return data && methodFrom(world, data, 'payment_method_data[card]');
}

const unexpected = (intent: Intent, message: string) =>
  refused(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });

const lacksMethod = (intent: Intent) =>
  unexpected(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
  );

const publicFields =
  'id object amount amount_details automatic_payment_methods canceled_at cancellation_reason capture_method client_secret confirmation_method created currency description last_payment_error livemode next_action payment_method payment_method_configuration_details payment_method_types processing receipt_email setup_future_usage shipping source status'.split(
    ' ',
  );

/** A browser sees only a part of the intent: no metadata, no charge. */
export const publicPart = (intent: Intent): object =>
  Object.fromEntries(publicFields.map((field) => [field, intent[field]]));
