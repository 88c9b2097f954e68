// Wires cart, holds, payments, events, refunds and chores together, and registers their jobs.
import type { Services } from '../platform/services.ts';
import { cartRoutes, dropFromCarts } from './cart.ts';
import { createClashes } from './clashes.ts';
import { discountRoutes } from './discounts.ts';
import { forgetObjections, objectionRoutes } from './objections.ts';
import { createSync, type Sync } from './provider/sync.ts';
import { createClaims } from './seats/claim.ts';
import { holdRoutes } from './seats/holds.ts';
import { createClose } from './payments/close.ts';
import { checkoutRoutes } from './payments/checkout.ts';
import { createOpenIntent } from './payments/intent.ts';
import { createOpenBasket } from './payments/open.ts';
import { forgetBuyer, forgetOnReceipts } from './payments/rows.ts';
import { createSyncRefunds, type SyncRefunds } from './refunds/disputes.ts';
import { createFollow } from './refunds/follow.ts';
import { refundRoutes } from './refunds/routes.ts';
import { createSendRefunds, type SendRefunds } from './refunds/send.ts';
import { receiptRoutes } from './payments/receipts.ts';
import { paymentRoutes } from './payments/routes.ts';
import { type Chores, createChores } from './provider/chores.ts';
import { createGiveUp, createRelease, type GiveUp } from './seats/release.ts';
import { whoRoutes } from './who.ts';
import { createSettle, type Settle } from './payments/settle.ts';
import { createEvents, type Events } from './provider/events.ts';

export interface Checkout extends Chores {
  settle: Settle;
  giveUp: GiveUp;
  sync: Sync;
  events: Events;
  sendRefunds: SendRefunds;
  syncRefunds: SyncRefunds;
}

export async function checkout(deps: Services): Promise<Checkout> {
  const { db, jobs, ends } = deps;
  ends.onErase(forgetBuyer);
  for (const forget of [dropFromCarts, forgetObjections, forgetOnReceipts]) ends.onNoLonger(forget);
  const settle = createSettle(deps);
  const close = createClose({ ...deps, settle });
  const release = createRelease({ ...deps, close });
  const giveUp = createGiveUp({ db, release });
  const sync = createSync({ ...deps, settle, giveUp, close });
  const claimSeat = createClaims(db);

  holdRoutes(deps);
  const clashesOf = createClashes(db);
  cartRoutes({ ...deps, giveUp, clashesOf });
  whoRoutes({ ...deps, close, giveUp, clashesOf });
  const openIntent = createOpenIntent({ ...deps, giveUp, settle });
  const openBasket = createOpenBasket({ ...deps, claimSeat, openIntent, giveUp, close });
  checkoutRoutes({ ...deps, openBasket, clashesOf, settleFree: settle.free });
  paymentRoutes({ ...deps, settle });
  receiptRoutes(deps);
  refundRoutes(deps);
  objectionRoutes(deps);
  discountRoutes(deps);
  const follow = createFollow(deps);
  const syncRefunds = createSyncRefunds({ ...deps, ...follow });
  const sendRefunds = createSendRefunds({ ...deps, ...follow, syncRefunds });
  const events = createEvents({ ...deps, sync, syncRefunds });
  const chores = createChores({ ...deps, release, close, sync, events, sendRefunds });

  await jobs.work(
    'class-denied',
    async ({ classId }) => void (await giveUp({ classId }, 'denied')),
  );
  await jobs.work(
    'guardian-gone',
    async (whose) => void (await giveUp(whose, 'no longer a guardian')),
  );
  await jobs.work('settle-event', async ({ eventId }) => void (await events.work(eventId)));
  await jobs.work('pay-back', async ({ refundId }) => void (await sendRefunds(refundId)));
  await jobs.work('sweep', chores.sweep);
  await jobs.work('reconcile', () => chores.reconcile());
  await jobs.work('look-back', chores.lookBack);
  jobs.every(15, 'sweep');
  jobs.every(15, 'reconcile');
  jobs.every(3_600, 'look-back', { atStart: true });
  return { ...chores, settle, giveUp, sync, events, sendRefunds, syncRefunds };
}
