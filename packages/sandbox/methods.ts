// Payment methods: made from a test card, or from one of Stripe's predefined names.
import { type Behaviour, type Card, cardOfToken, readCard } from './cards.ts';
import { badParam, missing, missingParam } from './errors.ts';
import { type Args, group, onlyKnown, text } from './form.ts';
import type { Method } from './objects.ts';
import { type Call, randomId, seconds, type World } from './world.ts';

export function createMethod(world: World, { args }: Call): Method {
  onlyKnown(args, ['type', 'card', 'billing_details', 'key']);
  if (text(args, 'type') !== 'card')
    throw badParam('Invalid type: the sandbox knows cards only.', { param: 'type' });
  const card = group(args, 'card');
  if (!card) throw missingParam('card');
  return keep(world, readCard(card), group(args, 'billing_details'));
}

/** A method the caller names: one of ours, or a predefined one, which is created now. */
export function namedMethod(world: World, id: string): Method {
  const own = world.store.get('payment_method', id);
  if (own) return own;
  const token = /^pm_card_(.+)$/.exec(id)?.[1];
  const card = token && cardOfToken(token);
  if (!card) throw missing('PaymentMethod', id, 'payment_method');
  return keep(world, card);
}

export const behaviourOf = (world: World, method: Method): Behaviour =>
  world.store.hidden(method.id).behaviour ?? {};

function keep(world: World, card: Card, billing: Args = {}): Method {
  const method: Method = {
    id: randomId('pm_1'),
    object: 'payment_method',
    billing_details: {
      email: text(billing, 'email') ?? null,
      name: text(billing, 'name') ?? null,
    },
    card: { brand: card.brand, last4: card.last4 },
    created: seconds(world),
    livemode: false,
    type: 'card',
  };
  world.store.insert(method, null, { behaviour: card.behaviour });
  return method;
}
