// Wires cart, holds, payments, events, refunds and chores together, and registers their jobs.
import type { Services } from '../platform/services.ts';
import { cartRoutes, dropFromCarts } from './cart.ts';
import { cancelRoutes, createCancelled } from './cancel.ts';
import { creditRoutes } from './credit.ts';
import { discountRoutes } from './discounts.ts';
import { leavingRoutes } from './leaving.ts';
import { createDateCredit } from './datecredit.ts';
import { impactRoutes } from './impact.ts';
import { forgetObjections, objectionRoutes } from './objections.ts';
import { createSync } from './provider/sync.ts';
import { createClaims } from './seats/claim.ts';
import { holdRoutes } from './seats/holds.ts';
import { createClose } from './payments/close.ts';
import { checkoutRoutes } from './payments/checkout.ts';
import { createOpenIntent } from './payments/intent.ts';
import { createOpenBasket } from './payments/open.ts';
import { forgetBuyer, forgetOnReceipts } from './payments/rows.ts';
import { createSyncRefunds } from './refunds/disputes.ts';
import { createFollow } from './refunds/follow.ts';
import { refundRoutes } from './refunds/end.ts';
import { createPayResale } from './resale.ts';
import { createSendRefunds } from './refunds/send.ts';
import { receiptRoutes } from './payments/receipts.ts';
import { paymentRoutes } from './payments/routes.ts';
import { createChores } from './provider/chores.ts';
import { createRelease } from './seats/release.ts';
import { whoRoutes } from './who.ts';
import { createSettle } from './payments/settle.ts';
import { createEvents } from './provider/events.ts';
import { endsOfLists } from './waiting/ends.ts';
import { listRoutes } from './waiting/list.ts';
import { createTend } from './waiting/tend.ts';
import { waitRoutes } from './waiting/waits.ts';

export type Checkout = Awaited<ReturnType<typeof checkout>>;

export async function checkout(deps: Services) {
  const { db, jobs, ends } = deps;
  ends.onErase(forgetBuyer);
  for (const forget of [dropFromCarts, forgetObjections, forgetOnReceipts]) ends.onNoLonger(forget);
  const { settle, settleFree } = createSettle(deps);
  const close = createClose({ ...deps, settle });
  const { release, giveUp } = createRelease({ ...deps, close });
  const sync = createSync({ ...deps, settle, giveUp, close });
  const claimSeats = createClaims(db);

  holdRoutes(deps);
  cartRoutes({ ...deps, giveUp });
  whoRoutes({ ...deps, close, giveUp });
  const openIntent = createOpenIntent({ ...deps, giveUp, settle });
  const openBasket = createOpenBasket({ ...deps, claimSeats, openIntent, giveUp, close });
  checkoutRoutes({ ...deps, openBasket, settleFree });
  paymentRoutes({ ...deps, settle });
  receiptRoutes(deps);
  refundRoutes(deps);
  creditRoutes(deps);
  leavingRoutes(deps);
  objectionRoutes(deps);
  waitRoutes({ ...deps, giveUp });
  listRoutes(deps);
  discountRoutes(deps);
  cancelRoutes(deps);
  impactRoutes(deps);
  const endCancelled = createCancelled(deps);
  const follow = createFollow(deps);
  const syncRefunds = createSyncRefunds({ ...deps, ...follow });
  const sendRefunds = createSendRefunds({ ...deps, ...follow, syncRefunds });
  const events = createEvents({ ...deps, sync, syncRefunds });
  const lists = createTend(deps);
  endsOfLists(deps);
  const tending = { tendLists: lists.sweep, endCancelled };
  const chores = createChores({ ...deps, release, close, sync, events, sendRefunds, ...tending });

  await jobs.work('class-denied', async ({ classId }) => {
    await giveUp({ classId }, 'denied');
    await lists.tend([classId]);
  });
  await jobs.work('class-cancelled', endCancelled);
  await jobs.work('date-cancelled', createDateCredit(deps));
  await jobs.work('tend', ({ classIds }) => lists.tend(classIds));
  await jobs.work(
    'guardian-gone',
    async (whose) => void (await giveUp(whose, 'no longer a guardian')),
  );
  await jobs.work('settle-event', async ({ eventId }) => void (await events.work(eventId)));
  await jobs.work('resold', createPayResale(deps));
  await jobs.work('pay-back', async ({ refundId }) => void (await sendRefunds(refundId)));
  await jobs.work('sweep', chores.sweep);
  await jobs.work('reconcile', () => chores.reconcile());
  await jobs.work('look-back', chores.lookBack);
  jobs.every(15, 'sweep');
  jobs.every(15, 'reconcile');
  jobs.every(3_600, 'look-back', { atStart: true });
  return {
    ...chores,
    tend: lists.tend,
    hearOfLine: lists.hear,
    settle,
    giveUp,
    sync,
    events,
    sendRefunds,
    syncRefunds,
  };
}
