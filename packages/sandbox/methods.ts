// Payment methods: made from a test card, or from one of Stripe's predefined names.
import { createHash } from 'node:crypto';
import { cardOfToken, readCard } from './cards.ts';
import type { Behaviour, Card } from './cards.ts';
import { badParam, missing, missingParam } from './errors.ts';
import { group, mergeMetadata, onlyKnown, text } from './form.ts';
import type { Args } from './form.ts';
import type { Billing, Method } from './objects.ts';
import { randomId, seconds } from './world.ts';
import type { Call, World } from './world.ts';

const known = 'type card billing_details metadata allow_redisplay key guid muid sid'.split(' ');

export function createMethod(world: World, { args }: Call): Method {
  onlyKnown(args, known);
  return methodFrom(world, args, 'card');
}

/** `param` names the card in error messages: `card`, or `payment_method_data[card]`. */
export function methodFrom(world: World, args: Args, param: string): Method {
  const type = text(args, 'type');
  if (type === undefined) throw missingParam('type');
  if (type !== 'card')
    throw badParam(`Invalid type: the sandbox knows cards only.`, { param: 'type' });
  const card = group(args, 'card');
  if (!card) throw missingParam(param);
  return keep(
    world,
    readCard(card, new Date(world.now()), param),
    readBilling(args),
    mergeMetadata({}, args),
  );
}

export function retrieveMethod(world: World, { id }: Call): Method {
  const method = world.store.get('payment_method', id);
  if (!method) throw missing('PaymentMethod', id);
  return method;
}

/** A method the caller names: one of ours, or a predefined one, which is created now. */
export function namedMethod(world: World, id: string): Method {
  const own = world.store.get('payment_method', id);
  if (own) return own;
  const card = id.startsWith('pm_card_')
    ? cardOfToken(id.slice('pm_card_'.length), new Date(world.now()))
    : undefined;
  if (!card) throw missing('PaymentMethod', id, 'payment_method');
  return keep(world, card, readBilling({}), {});
}

export const behaviourOf = (world: World, method: Method): Behaviour =>
  world.store.hidden(method.id).behaviour ?? {};

function keep(
  world: World,
  card: Card,
  billing: Billing,
  metadata: Record<string, string>,
): Method {
  const method: Method = {
    id: randomId('pm_1'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: card.checked ? (card.behaviour.decline === 'cvc' ? 'fail' : 'pass') : null,
      },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      // Two uses of one card share a fingerprint, as at Stripe; it is made from stored values, not
      // from the number.
      fingerprint: createHash('sha256')
        .update(`${card.brand} ${card.last4} ${JSON.stringify(card.behaviour)}`)
        .digest('base64url')
        .replaceAll(/[-_]/g, 'x')
        .slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(world),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: 'card',
  };
  world.store.insert(method, null, { behaviour: card.behaviour });
  return method;
}

function readBilling(args: Args): Billing {
  const given = group(args, 'billing_details') ?? {};
  const address = group(given, 'address') ?? {};
  const email = text(given, 'email');
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw badParam(`Invalid email address: ${email}`, {
      code: 'email_invalid',
      param: 'billing_details[email]',
    });
  }
  return {
    address: {
      city: text(address, 'city') ?? null,
      country: text(address, 'country') ?? null,
      line1: text(address, 'line1') ?? null,
      line2: text(address, 'line2') ?? null,
      postal_code: text(address, 'postal_code') ?? null,
      state: text(address, 'state') ?? null,
    },
    email: email ?? null,
    name: text(given, 'name') ?? null,
    phone: text(given, 'phone') ?? null,
    tax_id: text(given, 'tax_id') ?? null,
  };
}
