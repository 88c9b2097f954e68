// The payments of Rally's demo data (server/demo/seed.ts). They were never made here: one is made,
// without events, when it is asked for the first time, so that an admin can try a refund.
import { createIntent } from './intents.ts';
import type { Intent } from './objects.ts';
import type { World } from './world.ts';

/** More than any demo class costs. A refund needs no more of the payment than that. */
const amount = '100000';

export function intentOf(world: World, id: string): Intent | undefined {
  const found = world.store.get('payment_intent', id);
  if (found || !id.startsWith('pi_demo_')) return found;
  const args = { amount, currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
  return createIntent({ ...world, emit: () => undefined }, { id, args, key: 'secret' });
}
