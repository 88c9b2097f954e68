// POST /create-payment-intent: holds a seat, opens a payment for it and returns the client secret.
// Get-or-create: a repeated request of a student for a class returns the same payment. Recording
// the payment: payments/routes.ts.
import { createIntent } from '../../../../contract/payments.ts';
import { cents, dollars } from '../../../../contract/rules.ts';
import type { Config } from '../../../config.ts';
import { type Database, sql, type Db, type RowOf } from '../../../db/connection.ts';
import { fail, refuseField } from '../../../http/fail.ts';
import type { On } from '../../../http/on.ts';
import { type Cards, type Intent, patiently, ProviderError } from '../../../outside/cards.ts';
import type { ClaimSeat } from '../seats/claim.ts';
import { type Hold, type HoldState, keepIntent, raiseAttempt, readHold } from '../seats/holds.ts';
import type { GiveUp } from '../seats/release.ts';
import { approvedFacts } from '../../classes/reviewed.ts';
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

/** Live holds, and new holds per hour. One account can neither block a class nor try cards in bulk. */
const most = { holds: 3, holdsOfOneClass: 4, holdsAnHour: 10 };
const rounds = 5;

interface Found extends RowOf<'class', 'name' | 'priceCents' | 'status' | 'free'> {
  classId: string;
  onSale: boolean;
  cartItemId: string | null;
  holdId: string | null;
  holdState: HoldState | null;
  holdAmountCents: number | null;
  holdOver: boolean | null;
  enrolled: boolean;
  liveHolds: number;
  classHolds: number;
  recentHolds: number;
  /** Seconds until the oldest hold of the last hour is an hour old. */
  nextHour: number;
}

/** The hold was released during the request. A new hold may succeed. */
class Gone extends Error {}

export function openPaymentRoute({ on, db, cards, claimSeat, giveUp, settle, config }: Deps): void {
  const opening = new Map<string, Promise<Intent>>();

  on(createIntent, async ({ price, itemId: named }, { who }) => {
    const seen = cents(price) ?? refuseField('price', 'must be an amount in dollars such as 19.99');
    const wanted = named ?? (await cartItemOfPrice(db, who.id, seen));
    for (let round = 1; round <= rounds; round++) {
      const found = await look(db, who.id, wanted);
      const hold = await seatFor(who.id, found, seen);
      if (!hold) continue;
      try {
        const intent = await patiently(open(hold));
        return {
          clientSecret: intent.clientSecret,
          holdId: hold.id,
          expiresAt: hold.expiresAt.toISOString(),
          itemId: hold.classId,
          name: found.name,
          price: dollars(hold.amountCents),
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
    if (
      found.holdId &&
      (found.holdState === 'releasing' || found.holdOver || found.status === 'denied')
    ) {
      await giveUpOrRefuse(found.holdId, found.status === 'denied' ? 'denied' : 'expired');
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
    if (!found.onSale) fail('NOT_FOUND');
    if (!found.cartItemId) fail('NOT_IN_CART');
    if (charged !== seen) fail('PRICE_CHANGED', { price: dollars(charged) });
    if (found.free < 1) fail('SOLD_OUT');
    if (found.liveHolds >= most.holds) {
      const names = await namesOfHeld(db, studentId);
      // One of the holds was released since.
      if (names.length < most.holds) return null;
      fail('TOO_MANY_HOLDS', { message: tooMany(names) });
    }
    const tooOften =
      found.classHolds >= most.holdsOfOneClass || found.recentHolds >= most.holdsAnHour;
    if (config.rateLimit && tooOften) fail('RATE_LIMITED', {}, found.nextHour);
    const { classId, cartItemId } = found;
    const claimed = await claimSeat({ studentId, classId, cartItemId, amountCents: seen });
    if (claimed?.amountCents !== seen) return null;
    return {
      ...claimed,
      studentId,
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

async function namesOfHeld(db: Db, studentId: string): Promise<string[]> {
  const { rows } = await sql<RowOf<'class', 'name'>>`
    select class.name from hold join class on class.id = hold.class_id
    where hold.student_id = ${studentId} and hold.state in ('held', 'releasing') order by hold.created_at, hold.id`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

type Attempt =
  | { holdId: string }
  | { studentId: string; classId: string; cartItemId: string | null };

/**
 * True when this attempt charged the card without a seat, so it is refunded. The attempt is a hold,
 * or the student's last hold for the class. A payment made before the class was added to the cart
 * again is another attempt.
 */
async function isReturned(db: Db, attempt: Attempt): Promise<boolean> {
  const matching =
    'studentId' in attempt
      ? sql`student_id = ${attempt.studentId} and class_id = ${attempt.classId}`
      : sql`id = ${attempt.holdId}`;
  const cartItemId = 'studentId' in attempt ? attempt.cartItemId : null;
  const { rows } = await sql`
    select from (select * from hold where ${matching} order by created_at desc limit 1) last
    join payment on payment.hold_id = last.id
    where payment.status in ('refund_due', 'refunded', 'refund_failed') and (${cartItemId}::uuid is null or last.item_id = ${cartItemId})
      and not exists (select from enrolment e where e.student_id = last.student_id and e.class_id = last.class_id and e.state = 'active')`.execute(
    db,
  );
  return rows.length > 0;
}

/** Clients of the specification send only a price. It selects the one cart item with that price. */
async function cartItemOfPrice(db: Db, studentId: string, seen: number): Promise<string> {
  const { rows } = await sql<RowOf<'cartItem', 'id'>>`
    select item.id from cart_item item
    join class on class.id = item.class_id
    left join hold on hold.student_id = item.student_id and hold.class_id = item.class_id and hold.state in ('held', 'releasing')
    where item.student_id = ${studentId} and coalesce(hold.amount_cents, class.price_cents) = ${seen} limit 2`.execute(
    db,
  );
  const [item, another] = rows;
  if (!item) fail('NOT_IN_CART');
  if (another) fail('ITEM_REQUIRED');
  return item.id;
}

/** `wanted` is the id of a cart item, of a cart item paid since, or of a class. */
async function look(db: Db, studentId: string, wanted: string): Promise<Found> {
  const { rows } = await sql<Found>`
    with recent as (
      select class_id, created_at, state from hold
      where student_id = ${studentId} and (created_at > now() - interval '1 hour' or state in ('held', 'releasing'))
    )
    select class.id as class_id, ${approvedFacts('name')}, class.price_cents, class.status, on_sale(class) as on_sale, class.free,
      item.id as cart_item_id, hold.id as hold_id, hold.state as hold_state, hold.amount_cents as hold_amount_cents,
      hold.expires_at <= now() as hold_over,
      exists (select from enrolment e where e.student_id = ${studentId} and e.class_id = class.id and e.state = 'active') as enrolled,
      (select count(*)::int from recent where state in ('held', 'releasing')) as live_holds,
      (select count(*)::int from recent where class_id = class.id and created_at > now() - interval '1 hour') as class_holds,
      (select count(*)::int from recent where created_at > now() - interval '1 hour') as recent_holds,
      (select coalesce(ceil(extract(epoch from min(created_at) filter (where created_at > now() - interval '1 hour') + interval '1 hour' - now())), 60)::int
        from recent) as next_hour
    from class
    left join cart_item item on item.class_id = class.id and item.student_id = ${studentId}
    left join hold on hold.class_id = class.id and hold.student_id = ${studentId} and hold.state in ('held', 'releasing')
    where class.id = coalesce(
      (select class_id from cart_item where id = ${wanted} and student_id = ${studentId}),
      (select class_id from hold where item_id = ${wanted} and student_id = ${studentId} limit 1),
      ${wanted})`.execute(db);
  return rows[0] ?? fail('NOT_FOUND');
}
