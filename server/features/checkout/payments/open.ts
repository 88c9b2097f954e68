// POST /create-payment-intent: holds a seat, opens a payment for it and returns the client secret.
// Get-or-create: a repeated request of a student for a class returns the same payment. Recording
// the payment: payments/routes.ts.
import { createIntent } from '../../../../contract/payments.ts';
import { cents, dollars } from '../../../../contract/rules.ts';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../db/connection.ts';
import { fail, refuseField } from '../../../http/fail.ts';
import type { On } from '../../../http/on.ts';
import { type Cards, type Intent, patiently, ProviderError } from '../../../outside/cards.ts';
import type { ClaimSeat } from '../seats/claim.ts';
import { type Hold, keepIntent, raiseAttempt, readHold } from '../seats/holds.ts';
import type { GiveUp } from '../seats/release.ts';
import { wrongAge } from '../../people/participants.ts';
import { cartItemOfPrice, type Found, isReturned, look, namesOfHeld, resolve } from './look.ts';
import { clashesOf, withClashes } from '../clashes.ts';
import { metadataOf } from './metadata.ts';
import type { Settle } from './settle.ts';

type Deps = {
  on: On;
  db: Database['db'];
  cards: Pick<Cards, 'openIntent' | 'intent' | 'cancel'>;
  claimSeat: ClaimSeat;
  giveUp: GiveUp;
  settle: Settle;
  config: Pick<Config, 'publicUrl' | 'rateLimit'>;
};

/**
 * Live holds, and new holds per hour: of one participant and class, not paid, and in all. One
 * account can neither block a class nor try cards in bulk, and a family can pay for twelve seats in
 * one sitting.
 */
const most = { holds: 3, holdsOfOneClass: 4, unpaidAnHour: 10, holdsAnHour: 30 };
const rounds = 5;

/** The hold was released during the request. A new hold may succeed. */
class Gone extends Error {}

export function openPaymentRoute({ on, db, cards, claimSeat, giveUp, settle, config }: Deps): void {
  const opening = new Map<string, Promise<Intent>>();

  on(createIntent, async ({ price, itemId: named }, { who }) => {
    const seen = cents(price) ?? refuseField('price', 'must be an amount in dollars such as 19.99');
    const wanted = named ?? (await cartItemOfPrice(db, who.id, seen));
    for (let round = 1; round <= rounds; round++) {
      const found = await look(db, who.id, await resolve(db, who.id, wanted));
      const hold = await seatFor(who.id, found, seen);
      if (!hold) continue;
      try {
        const intent = await patiently(open(hold));
        const clashes = await clashesOf(db, who.id, found.dated ? [found] : []);
        return {
          clientSecret: intent.clientSecret,
          holdId: hold.id,
          expiresAt: hold.expiresAt.toISOString(),
          itemId: hold.classId,
          name: found.name,
          price: dollars(hold.amountCents),
          ...(found.participant !== null && { participant: found.participant }),
          ...withClashes(clashes(found)),
        };
      } catch (error) {
        if (error instanceof ProviderError) fail('PROVIDER_DOWN', {}, 2);
        if (!(error instanceof Gone)) throw error;
      }
    }
    return fail('HOLD_EXPIRED');
  });

  /** Returns a live hold, or refuses. Null: the rows changed meanwhile, so the caller retries. */
  async function seatFor(studentId: string, found: Found, seen: number): Promise<Hold | null> {
    if (found.enrolled) fail('ALREADY_ENROLLED');
    const closed = found.status === 'denied' ? 'denied' : found.ended ? 'class over' : null;
    if (found.holdId && (found.holdState === 'releasing' || found.holdOver || closed)) {
      await giveUpOrRefuse(found.holdId, closed ?? 'expired');
      return null;
    }
    // We charge the price at the time of the hold. A student who saw another price is told before
    // paying.
    const charged = found.holdAmountCents ?? found.priceCents;
    if (found.holdId) {
      if (charged !== seen) fail('PRICE_CHANGED', { price: dollars(charged) });
      return readHold(db, found.holdId);
    }
    if (found.status === 'denied' && (await isReturned(db, { studentId, ...found })))
      fail('PAYMENT_RETURNED');
    if (found.status === 'denied' && found.cartItemId) fail('CLASS_CLOSED');
    if (found.status === 'pending' && found.cartItemId) fail('CLASS_IN_REVIEW');
    if (found.status === 'approved' && found.ended) fail('CLASS_OVER');
    if (!found.onSale) fail('NOT_FOUND');
    if (!found.cartItemId) fail('NOT_IN_CART');
    if (found.beingPaid) fail('BEING_PAID');
    if (!found.rightAge) wrongAge(found);
    if (charged !== seen) fail('PRICE_CHANGED', { price: dollars(charged) });
    if (found.free < 1) fail('SOLD_OUT');
    if (found.liveHolds >= most.holds) {
      const names = await namesOfHeld(db, studentId);
      // One of the holds was released since.
      if (names.length < most.holds) return null;
      fail('TOO_MANY_HOLDS', { message: tooMany(names) });
    }
    const tooOften =
      found.classHolds >= most.holdsOfOneClass ||
      found.unpaidHolds >= most.unpaidAnHour ||
      found.recentHolds >= most.holdsAnHour;
    if (config.rateLimit && tooOften) fail('RATE_LIMITED', {}, found.nextHour);
    const { classId, participantId, cartItemId } = found;
    const claim = { studentId, participantId, classId, cartItemId, amountCents: seen };
    const claimed = await claimSeat(claim);
    if (claimed?.amountCents !== seen) return null;
    return {
      ...claimed,
      studentId,
      participantId,
      classId,
      cartItemId,
      currency: 'usd',
      state: 'held',
      attempt: 1,
      intentId: null,
    };
  }

  /**
   * The intent of a hold. Only one request at a time calls the provider; the others wait for it.
   */
  function open(hold: Hold): Promise<Intent> {
    const running = opening.get(hold.id);
    if (running) return running;
    const intent = openOnce(hold).finally(() => opening.delete(hold.id));
    opening.set(hold.id, intent);
    return intent;
  }

  async function openOnce(hold: Hold, again = true): Promise<Intent> {
    if (hold.intentId) return stillOpen(hold, await cards.intent(hold.intentId));
    let intent: Intent;
    try {
      intent = await ask(hold);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'broken') throw error;
      await raiseAttempt(db, hold);
      const now = again ? await readHold(db, hold.id) : null;
      if (now?.state !== 'held') throw error;
      return openOnce(now, false);
    }
    if (await keepIntent(db, hold, intent.id)) return stillOpen(hold, intent);
    // The hold has ended, or another attempt won. The secret of this intent was never returned, so
    // we cancel it. If the process dies first, the hourly comparison cancels it.
    const now = await readHold(db, hold.id);
    if (now?.intentId === intent.id && now.state === 'held') {
      // Another payment enrolled the student while this one was being opened.
      await giveUpOrRefuse(hold.id, 'enrolled already');
      throw new Gone();
    }
    await cards.cancel(intent.id);
    if (now?.state === 'held' && now.attempt !== hold.attempt) return openOnce(now, again);
    if (now?.state === 'held') await giveUpOrRefuse(hold.id, 'enrolled already');
    throw new Gone();
  }

  function ask(hold: Hold): Promise<Intent> {
    const { amountCents, currency } = hold;
    const metadata = metadataOf(config, hold);
    return cards.openIntent({
      amountCents,
      currency,
      metadata,
      key: `pi:${hold.id}:${hold.attempt}`,
    });
  }

  async function stillOpen(hold: Hold, intent: Intent | null): Promise<Intent> {
    if (intent?.status === 'succeeded') {
      const settled = await settle(intent.id);
      if (settled.outcome === 'recorded') await refusePaid(hold.id);
    }
    if (!intent || intent.status === 'canceled') {
      await giveUpOrRefuse(hold.id, 'cancelled at the provider');
      throw new Gone();
    }
    return intent;
  }

  async function giveUpOrRefuse(holdId: string, reason: string): Promise<void> {
    const outcome = await giveUp({ id: holdId }, reason);
    if (outcome === 'paid') await refusePaid(holdId);
    if (outcome === 'processing') fail('PAYMENT_IN_PROGRESS', {}, 5);
    if (outcome === 'silent') fail('PROVIDER_DOWN', {}, 5);
  }

  async function refusePaid(holdId: string): Promise<never> {
    return fail((await isReturned(db, { holdId })) ? 'PAYMENT_RETURNED' : 'ALREADY_PAID');
  }
}

const tooMany = (names: string[]) =>
  `You are paying for ${names.slice(0, -1).join(', ')} and ${names.at(-1)} already. Finish or remove one of them first.`;
