// Wires cart, holds, payments, events, refunds and chores together, and registers their jobs.
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import type { On } from '../../http/on.ts';
import type { RawPost } from '../../http/raw.ts';
import type { Cards } from '../../outside/cards.ts';
import type { Mail } from '../../outside/mail.ts';
import { cartRoutes } from './cart.ts';
import type { Log } from './log.ts';
import { objectionRoutes } from './objections.ts';
import { createSync, type Sync } from './provider/sync.ts';
import { createClaims } from './seats/claim.ts';
import { holdRoutes } from './seats/holds.ts';
import { openPaymentRoute } from './payments/open.ts';
import { createSyncRefunds, type SyncRefunds } from './refunds/disputes.ts';
import { createFollowRefund } from './refunds/follow.ts';
import { createSendRefunds, refundRoute, type SendRefunds } from './refunds/send.ts';
import { paymentRoutes } from './payments/routes.ts';
import { type Chores, createChores } from './provider/chores.ts';
import { createGiveUp, createRelease, type GiveUp } from './seats/release.ts';
import { createSettle, type Settle } from './payments/settle.ts';
import { createEvents, type Events } from './provider/events.ts';

export interface CheckoutDeps extends Pick<Database, 'db' | 'prepare' | 'transaction'> {
  on: On;
  onRaw: RawPost;
  jobs: Jobs;
  cards: Cards;
  mail: Pick<Mail, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl' | 'rateLimit'>;
  log: Log;
}

export interface Checkout extends Chores {
  settle: Settle;
  giveUp: GiveUp;
  sync: Sync;
  events: Events;
  sendRefunds: SendRefunds;
  syncRefunds: SyncRefunds;
}

export async function checkout(deps: CheckoutDeps): Promise<Checkout> {
  const { db, jobs, mail } = deps;
  const settle = createSettle(deps);
  const release = createRelease({ ...deps, settle });
  const giveUp = createGiveUp({ db, release });
  const sync = createSync({ ...deps, settle, giveUp });
  const claimSeat = createClaims(db);

  holdRoutes(deps);
  cartRoutes({ ...deps, giveUp });
  openPaymentRoute({ ...deps, claimSeat, giveUp, settle });
  paymentRoutes({ ...deps, settle });
  refundRoute(deps);
  objectionRoutes(deps);
  const followRefund = createFollowRefund(deps);
  const sendRefunds = createSendRefunds({ ...deps, followRefund });
  const syncRefunds = createSyncRefunds({ ...deps, followRefund });
  const events = createEvents({ ...deps, sync, syncRefunds });
  const chores = createChores({ ...deps, release, sync, events, sendRefunds });

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
  await jobs.work('send-mail', (text) => mail.send(text));
  await jobs.work('sweep', chores.sweep);
  await jobs.work('reconcile', () => chores.reconcile());
  await jobs.work('look-back', chores.lookBack);
  jobs.every(15, 'sweep');
  jobs.every(15, 'reconcile');
  jobs.every(3_600, 'look-back', { atStart: true });
  return { ...chores, settle, giveUp, sync, events, sendRefunds, syncRefunds };
}
