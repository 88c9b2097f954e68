// Periodic work. The sweeper releases expired holds. The reconciler asks the provider about every
// open payment. The hourly comparison checks all intents at the provider against our rows. Several
// processes may run all of them concurrently.
import type { Services } from '../../platform/services.ts';
import { execute, queryOne } from '../../platform/db/connection.ts';
import { type Intent, ProviderError } from '../../platform/cards.ts';
import type { Sync } from './sync.ts';
import { putOff, startOverdue, takeEnding } from '../seats/holds.ts';
import type { SendRefunds } from '../refunds/send.ts';
import { readBasket, takeOpenIntents } from '../payments/basket.ts';
import type { Close } from '../payments/close.ts';
import { isOurs } from '../payments/metadata.ts';
import { takeUnconfirmed } from '../payments/rows.ts';
import type { Release } from '../seats/release.ts';
import { type Events, forgetEvents } from './events.ts';

const atOnce = 8;
const most = 200;
/**
 * Plus the fifteen seconds between two rounds, this is well below the ninety seconds within which a
 * payment must be settled.
 */
const askAfterSeconds = 45;
/** Longer than the longest hold, so an intent whose hold is still live is compared again later. */
const overlapMs = 2 * 3_600_000;
const eventsReachBackMs = 30 * 24 * 3_600_000;

export function createChores({
  db,
  cards,
  release,
  close,
  sync,
  events,
  sendRefunds,
  tendLists,
  endCancelled,
  config,
  log,
}: Services & {
  release: Release;
  close: Close;
  sync: Sync;
  events: Events;
  sendRefunds: SendRefunds;
  tendLists: () => Promise<void>;
  endCancelled: () => Promise<void>;
}) {
  /** Handles expired holds, releases, events and refunds that are due, and cancelled classes. */
  async function sweep(): Promise<void> {
    // Each part runs separately: an error in one must not stop the others.
    await Promise.all([
      quietly('holds', async () => {
        while ((await startOverdue(db, 200)).length > 0);
        await end('hold', release);
        // Those that were to be regrouped, and the request died.
        await end('basket', (id) => close(id, 'again'));
      }),
      quietly('events', async () => {
        while ((await events.work()) > 0);
      }),
      quietly('refunds', async () => {
        while ((await sendRefunds()) > 0);
      }),
      quietly('cancelled classes', endCancelled),
    ]);
    await quietly('lists', tendLists);
  }

  /** All that are due. */
  async function end(table: 'hold' | 'basket', work: (id: string) => Promise<string>) {
    const take = () => takeEnding(db, table, 100);
    for (let due = await take(); due.length > 0; due = await take())
      await inParallel(due, async (id) => {
        const outcome = await work(id);
        if (outcome === 'silent' || outcome === 'processing') await putOff(db, table, id);
      });
  }

  /** Asks about every open intent and unconfirmed payment that was not asked about for this long. */
  async function reconcile(olderThanSeconds = askAfterSeconds): Promise<void> {
    for (const take of [takeOpenIntents, takeUnconfirmed]) {
      // After a rush one batch does not take all of them. None may wait for the next round.
      for (let times = 0; times < 10; times++) {
        const taken = await take(db, olderThanSeconds, most);
        await inParallel(taken, sync);
        if (taken.length < most) break;
      }
    }
  }

  /** Compares everything at the provider since the mark, and reads events that never reached us. */
  async function lookBack(): Promise<void> {
    await quietly('intents', async () => {
      const { from, started } = await mark('intents');
      let upTo = started;
      for await (const intent of cards.intentsSince(new Date(from.getTime() - overlapMs))) {
        if (await compare(intent)) continue;
        if (intent.created < upTo) upTo = intent.created;
      }
      await moveMark('intents', upTo);
    });
    await quietly('events', async () => {
      const { from, started } = await mark('events');
      const reach = Math.max(from.getTime() - overlapMs, started.getTime() - eventsReachBackMs);
      for await (const event of cards.undeliveredSince(new Date(reach))) await events.note(event);
      await moveMark('events', started);
    });
    await forgetEvents(db);
  }

  /** False when this intent must be compared again. */
  async function compare(intent: Intent): Promise<boolean> {
    const basket = await readBasket(db, { intentId: intent.id });
    if (!basket && !isOurs(config, intent)) return true;
    try {
      if (intent.status === 'succeeded') {
        if (basket?.state !== 'paid') await sync(intent.id);
      } else if (!basket && intent.status === 'open') {
        return await cancelStray(intent);
      } else if (basket?.state === 'closed' && intent.status === 'open') {
        // The basket was closed without a "canceled" because the provider did not know the intent
        // then. Cancel it now, so that it can never be paid.
        await cards.cancel(intent.id);
      }
      return true;
    } catch (error) {
      if (!(error instanceof ProviderError))
        log.error({ err: error, intentId: intent.id }, 'an intent could not be compared');
      return false;
    }
  }

  /**
   * An intent of ours without a basket that names it: the response or our row was lost. While its
   * basket is open without an intent, a retry with the same key may still return it. Otherwise
   * cancel it.
   */
  async function cancelStray(intent: Intent): Promise<boolean> {
    const id = intent.metadata['basket'] ?? '';
    const basket = isUuid(id) ? await readBasket(db, { id }) : null;
    if (basket?.state === 'open' && basket.intentId === null) return false;
    // The intent was stored and its secret returned since the first check: a student is paying it.
    if (basket?.intentId === intent.id) return false;
    const ended = await cards.cancel(intent.id);
    if (ended?.status === 'succeeded') await sync(intent.id);
    return ended?.status !== 'processing';
  }

  async function mark(name: string): Promise<{ from: Date; started: Date }> {
    const found = await queryOne<{ from: Date; started: Date }>(db)`
      select at as "from", now() as started from watermark where name = ${name}`;
    return found ?? { from: new Date(0), started: new Date() };
  }

  async function moveMark(name: string, at: Date): Promise<void> {
    await execute(db)`
      insert into watermark (name, at) values (${name}, ${at}) on conflict (name) do update set at = excluded.at`;
  }

  async function quietly(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProviderError)
        log.warn({ what, code: error.code }, 'the card provider does not answer');
      else log.error({ err: error, what }, 'a chore of the checkout failed');
    }
  }

  async function inParallel(ids: string[], work: (id: string) => Promise<unknown>): Promise<void> {
    const waiting = ids.values();
    const hand = async () => {
      for (const id of waiting) await quietly('one of many', () => work(id));
    };
    await Promise.all(Array.from({ length: atOnce }, hand));
  }

  return { sweep, reconcile, lookBack };
}

const isUuid = (id: string) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id);
