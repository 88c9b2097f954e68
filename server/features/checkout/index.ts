// Puts cart, holds, payments, events, refunds and the chores together, and gives their jobs to the
// queue. Not for: any rule.
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import type { On } from '../../http/on.ts';
import type { RawPost } from '../../http/raw.ts';
import type { Cards } from '../../outside/cards.ts';
import type { Mail } from '../../outside/mail.ts';
import { cart, type Release } from './cart.ts';
import { type CatchUp, createCatchUp } from './provider/sync.ts';
import { createClaims } from './seats/claim.ts';
import { holds, startRelease } from './seats/holds.ts';
import { intents } from './payments/open.ts';
import { type PayBack, payBack } from './refunds/send.ts';
import { payments } from './payments/routes.ts';
import { createReconcile, type Reconcile } from './provider/chores.ts';
import { createRelease } from './seats/release.ts';
import { createSettle, type Log, type Settle } from './payments/settle.ts';
import { type Events, webhooks } from './provider/events.ts';

export interface CheckoutDeps extends Pick<Database, 'db' | 'transaction'> {
  on: On;
  onRaw: RawPost;
  jobs: Jobs;
  cards: Cards;
  mail: Pick<Mail, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl' | 'rateLimit'>;
  log: Log;
}

export interface Checkout extends Reconcile {
  settle: Settle;
  release: Release;
  catchUp: CatchUp;
  events: Events;
  payBack: PayBack;
}

export async function checkout(deps: CheckoutDeps): Promise<Checkout> {
  const { db, jobs, mail } = deps;
  const settle = createSettle(deps);
  const release = createRelease({ ...deps, settle });
  const catchUp = createCatchUp({ ...deps, settle, release });
  const claimSeat = createClaims(db);

  holds(deps);
  cart({ ...deps, release });
  intents({ ...deps, claimSeat, release, settle });
  payments({ ...deps, settle });
  const back = payBack(deps);
  const events = webhooks({ ...deps, catchUp, readBack: back.readBack });
  const chores = createReconcile({ ...deps, release, catchUp, events, payBack: back });

  await jobs.work('class-denied', async ({ classId }) => {
    for (const id of await startRelease(db, { classId }, 'denied')) await release(id);
  });
  await jobs.work('settle-event', async ({ eventId }) => void (await events.work(eventId)));
  await jobs.work('pay-back', async ({ refundId }) => void (await back.send(refundId)));
  await jobs.work('send-mail', (letter) => mail.send(letter));
  await jobs.work('sweep', chores.sweep);
  await jobs.work('reconcile', () => chores.reconcile());
  await jobs.work('look-back', chores.lookBack);
  jobs.every(15, 'sweep');
  jobs.every(15, 'reconcile');
  jobs.every(3_600, 'look-back', { atStart: true });
  return { ...chores, settle, release, catchUp, events, payBack: back };
}
