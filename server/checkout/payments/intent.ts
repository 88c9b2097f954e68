// Opens the intent of a basket at the card provider, or finds it. Get-or-create: a repeated request
// for a basket returns the same intent.
import type { Services } from '../../platform/services.ts';
import { type Db, type RowOf, query } from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
import { fail } from '../../platform/http/fail.ts';
import { type Intent, patiently, ProviderError } from '../../platform/cards.ts';
import { type Hold, readHolds } from '../seats/holds.ts';
import type { GiveUp } from '../seats/release.ts';
import { type Basket, keepIntent, raiseAttempt, readBasket } from './basket.ts';
import { isReturned } from './look.ts';
import { metadataOf } from './metadata.ts';
import type { Settle } from './settle.ts';

/** The basket was closed or a seat of it was given up during the request. Another round may succeed. */
export class Gone extends Error {}

/** Only one request at a time calls the provider for a basket; the others wait for it. */
export type OpenIntent = (basket: Basket) => Promise<Intent>;

export function createOpenIntent({
  db,
  cards,
  giveUp,
  settle,
  config,
}: Services & { giveUp: GiveUp; settle: Settle }): OpenIntent {
  const opening = new Map<string, Promise<Intent>>();

  return (basket) => {
    const running = opening.get(basket.id);
    if (running) return running;
    const intent = openOnce(basket).finally(() => opening.delete(basket.id));
    opening.set(basket.id, intent);
    return intent;
  };

  async function openOnce(basket: Basket, again = true): Promise<Intent> {
    const holds = await readHolds(db, basket.id);
    if (basket.intentId) return stillOpen(basket, holds, await cards.intent(basket.intentId));
    let intent: Intent;
    try {
      intent = await ask(basket, holds);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'broken') throw error;
      await raiseAttempt(db, basket);
      const now = again ? await readBasket(db, basket) : null;
      if (now?.state !== 'open') throw error;
      return openOnce(now, false);
    }
    if (await keepIntent(db, basket, intent.id)) return stillOpen(basket, holds, intent);
    // The basket has ended, or another attempt won. The secret of this intent was never returned, so
    // we cancel it. If the process dies first, the hourly comparison cancels it.
    const now = await readBasket(db, basket);
    const isOpen = now?.state === 'open' && (await areHeld(basket));
    if (isOpen && now.intentId === intent.id) {
      // A participant was enrolled, or is looked after by others, while this one was being opened.
      await giveUpUnfit(basket);
      throw new Gone();
    }
    await cards.cancel(intent.id);
    if (isOpen && now.attempt !== basket.attempt) return openOnce(now, again);
    if (isOpen) await giveUpUnfit(basket);
    throw new Gone();
  }

  function ask(basket: Basket, holds: readonly Hold[]): Promise<Intent> {
    const { id, attempt, cardCents: amountCents, currency } = basket;
    const metadata = metadataOf(config, basket, holds);
    const key = `pi:${id}:${attempt}`;
    return cards.openIntent({ amountCents, currency, metadata, key });
  }

  async function stillOpen(
    { id }: Basket,
    holds: readonly Hold[],
    intent: Intent | null,
  ): Promise<Intent> {
    if (intent?.status === 'succeeded') {
      const settled = await settle(intent.id);
      if (settled.outcome === 'recorded') await refusePaid(db, holds);
    }
    if (!intent || intent.status === 'canceled') {
      // Another request is closing it: its seats stay held.
      if ((await readBasket(db, { id }))?.state !== 'open') throw new Gone();
      await refuseUnless(db, await giveUp({ basketId: id }, 'cancelled at the provider'), holds);
      throw new Gone();
    }
    return intent;
  }

  async function areHeld({ id }: Basket): Promise<boolean> {
    return (await readHolds(db, id)).every(({ state }) => state === 'held');
  }

  /** The participant is enrolled already, or the student no longer looks after them. */
  async function giveUpUnfit({ id: basketId }: Basket): Promise<void> {
    const unfit = await query<RowOf<'hold', 'id'> & { reason: string }>(db)`
      select hold.id, case when e.id is null then 'not a guardian' else 'enrolled already' end as reason from hold
      left join enrolment e on e.participant_id = hold.participant_id and e.class_id = hold.class_id and ${activeEnrolment('e')}
      left join guardian g on g.user_id = hold.student_id and g.participant_id = hold.participant_id
      where hold.basket_id = ${basketId} and (e.id is not null or g.user_id is null) order by hold.id`;
    for (const { id, reason } of unfit)
      await refuseUnless(db, await giveUp({ id }, reason), [{ id }]);
  }
}

/** As long as a request may wait for the provider. */
export const inTime = <T>(work: Promise<T>): Promise<T> =>
  patiently(work).catch((error: unknown) => {
    if (error instanceof ProviderError) fail('PROVIDER_DOWN', {}, 2);
    throw error;
  });

/** Refuses unless the payment of these seats is cancelled. */
export async function refuseUnless(
  db: Db,
  outcome: 'released' | 'closed' | 'paid' | 'processing' | 'silent',
  holds: readonly Pick<Hold, 'id'>[],
): Promise<void> {
  if (outcome === 'paid') await refusePaid(db, holds);
  if (outcome === 'processing') fail('PAYMENT_IN_PROGRESS', {}, 5);
  if (outcome === 'silent') fail('PROVIDER_DOWN', {}, 5);
}

/** The card was charged: for a seat, or all of it goes back. */
async function refusePaid(db: Db, holds: readonly Pick<Hold, 'id'>[]): Promise<never> {
  for (const { id } of holds) if (!(await isReturned(db, { holdId: id }))) fail('ALREADY_PAID');
  return fail('PAYMENT_RETURNED');
}
