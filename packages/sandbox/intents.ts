// The API of payment intents: create, retrieve, update, confirm, cancel. The charge itself:
// charging.ts.
import { badParam, missing, missingParam, refused } from './errors.ts';
import { type Args, flag, mergeMetadata, onlyKnown, requiredText, text } from './form.ts';
import { attempt, closeChallenge } from './charging.ts';
import { namedMethod } from './methods.ts';
import type { Intent, Method } from './objects.ts';
import { type Call, randomId, seconds, type World } from './world.ts';

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

export function createIntent(world: World, call: Call): Intent {
  const { args } = call;
  onlyKnown(args, [
    'amount',
    'confirm',
    'currency',
    'metadata',
    'payment_method',
    'payment_method_types',
  ]);
  const currency = requiredText(args, 'currency').toLowerCase();
  if (!currencies.has(currency))
    throw badParam(`Invalid currency: ${currency}.`, { param: 'currency' });
  const id = call.id || randomId('pi_3');
  const intent: Intent = {
    id,
    object: 'payment_intent',
    amount: readAmount(args, currency),
    amount_received: 0,
    canceled_at: null,
    client_secret: randomId(`${id}_secret_`, 25),
    created: seconds(world),
    currency,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: mergeMetadata({}, args),
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
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

export function updateIntent(world: World, call: Call): Intent {
  onlyKnown(call.args, ['metadata']);
  const intent = retrieveIntent(world, call);
  intent.metadata = mergeMetadata(intent.metadata, call.args);
  world.store.update(intent);
  return intent;
}

export function confirmIntent(world: World, call: Call): Intent {
  const { args } = call;
  if (call.key === 'secret') onlyKnown(args, ['payment_method', 'client_secret']);
  const intent = retrieveIntent(world, call);
  mustBeOpen(intent, 'confirm');
  const given = readMethod(world, args);
  // Confirmed again without another card: the open challenge is still the next step.
  if (!given && intent.status === 'requires_action') return intent;
  const method =
    given ?? (intent.payment_method ? namedMethod(world, intent.payment_method) : undefined);
  if (!method) throw lacksMethod(intent);
  attempt(world, intent, method, call.slowly);
  return intent;
}

export function cancelIntent(world: World, call: Call): Intent {
  onlyKnown(call.args, []);
  const intent = retrieveIntent(world, call);
  mustBeOpen(intent, 'cancel');
  closeChallenge(world, intent);
  Object.assign(intent, { status: 'canceled', canceled_at: seconds(world) });
  world.store.update(intent);
  world.emit('payment_intent.canceled', intent);
  return intent;
}

function mustBeOpen(intent: Intent, verb: 'confirm' | 'cancel'): void {
  if (confirmable.includes(intent.status)) return;
  throw unexpected(
    intent,
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${verb}ed: ${confirmable.join(', ')}.`,
  );
}

/** The intent of the path; a caller with the publishable key must know its secret. */
export function retrieveIntent(world: World, { id, args, key }: Call): Intent {
  const intent = world.store.get('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, 'intent');
  const secret = text(args, 'client_secret');
  if (key === 'publishable' && secret === undefined) throw missingParam('client_secret');
  if (secret !== undefined && secret !== intent.client_secret) {
    throw refused(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    );
  }
  return intent;
}

const wrongAmount = (message: string, code: string) => badParam(message, { code, param: 'amount' });

function readAmount(args: Args, currency: string): number {
  const amount = Number(requiredText(args, 'amount'));
  if (!Number.isInteger(amount))
    throw wrongAmount(`Invalid integer: ${amount}`, 'parameter_invalid_integer');
  const least = `Amount must be at least 50 of the smallest unit of ${currency}.`;
  if (amount < 50) throw wrongAmount(least, 'amount_too_small');
  if (amount > 99_999_999)
    throw wrongAmount('Amount must be no more than 99999999.', 'amount_too_large');
  return amount;
}

function readMethod(world: World, args: Args): Method | undefined {
  const id = text(args, 'payment_method');
  return id ? namedMethod(world, id) : undefined;
}

const unexpected = (intent: Intent, message: string) =>
  refused(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });

const lacksMethod = (intent: Intent) =>
  unexpected(
    intent,
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
  );

/** More than any demo class costs. A refund needs no more of the payment than that. */
const demoAmount = '100000';

/**
 * Also a payment of Rally's demo data (server/demo/seed.ts), which was never made here: it is made,
 * without events, when it is asked for the first time, so that an admin can try a refund.
 */
export function intentOf(world: World, id: string): Intent | undefined {
  const found = world.store.get('payment_intent', id);
  if (found || !id.startsWith('pi_demo_')) return found;
  const card = { confirm: 'true', payment_method: 'pm_card_visa' };
  const args = { amount: demoAmount, currency: 'usd', ...card };
  return createIntent({ ...world, emit: () => undefined }, { id, args, key: 'secret' });
}

/** A browser sees only a part of the intent: no metadata, no charge. */
export function publicPart(intent: Intent): object {
  const { metadata: _, latest_charge: __, ...shown } = intent;
  return shown;
}
