// What needs no human and no webhook: the sweeper frees what nobody pays for, the reconciler asks
// about every open payment, the look back compares all intents at the provider with ours. Any
// number of processes may do all of it at once. Not for: the settling itself.
import type { Config } from '../../../config.ts';
import { type Database, sql } from '../../../db/connection.ts';
import { type Cards, type Intent, ProviderError } from '../../../outside/cards.ts';
import type { Sync } from './sync.ts';
import {
  holdOfIntent,
  isLive,
  putOffRelease,
  readHold,
  startOverdue,
  takeOpenIntents,
  takeReleasing,
} from '../seats/holds.ts';
import type { SendRefunds } from '../refunds/send.ts';
import type { Log } from '../log.ts';
import { isOurs } from '../payments/metadata.ts';
import { takeUnconfirmed } from '../payments/rows.ts';
import type { Release } from '../seats/release.ts';
import { type Events, forgetEvents } from './events.ts';

type Deps = {
  db: Database['db'];
  cards: Pick<Cards, 'cancel' | 'intentsSince' | 'undeliveredSince'>;
  release: Release;
  sync: Sync;
  events: Events;
  sendRefunds: SendRefunds;
  config: Pick<Config, 'publicUrl'>;
  log: Log;
};

export interface Chores {
  /** Expired holds, releases, events and refunds that are due. */
  sweep: () => Promise<void>;
  /** Every open intent and every unconfirmed payment that nobody has asked about for so long. */
  reconcile: (olderThanSeconds?: number) => Promise<void>;
  /** Everything at the provider since the mark, and events that never reached us. */
  lookBack: () => Promise<void>;
}

const atOnce = 8;
const most = 200;
/**
 * Together with the fifteen seconds between two rounds well below the ninety within which money
 * must have found its place.
 */
const askAfterSeconds = 45;
/** Longer than the longest hold, so that an intent whose hold is still alive now is met again. */
const overlapMs = 2 * 3_600_000;
const eventsReachBackMs = 30 * 24 * 3_600_000;

export function createChores({
  db,
  cards,
  release,
  sync,
  events,
  sendRefunds,
  config,
  log,
}: Deps): Chores {
  async function sweep(): Promise<void> {
    // Each part on its own: what breaks one must not stop the others.
    await Promise.all([
      quietly('holds', async () => {
        while ((await startOverdue(db, 200)).length > 0);
        for (
          let due = await takeReleasing(db, 100);
          due.length > 0;
          due = await takeReleasing(db, 100)
        ) {
          await inParallel(due, giveUp);
        }
      }),
      quietly('events', async () => {
        while ((await events.work()) > 0);
      }),
      quietly('refunds', async () => {
        while ((await sendRefunds()) > 0);
      }),
    ]);
  }

  async function giveUp(holdId: string): Promise<void> {
    const outcome = await release(holdId);
    if (outcome === 'silent' || outcome === 'processing') await putOffRelease(db, holdId);
  }

  async function reconcile(olderThanSeconds = askAfterSeconds): Promise<void> {
    for (const take of [takeOpenIntents, takeUnconfirmed]) {
      // After a rush there are more than are taken at once, and none may wait for the next round.
      for (let times = 0; times < 10; times++) {
        const taken = await take(db, olderThanSeconds, most);
        await inParallel(taken, sync);
        if (taken.length < most) break;
      }
    }
  }

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

  /** False when this intent must be looked at again. */
  async function compare(intent: Intent): Promise<boolean> {
    const hold = await holdOfIntent(db, intent.id);
    if (!hold && !isOurs(config, intent)) return true;
    try {
      if (intent.status === 'succeeded') {
        if (hold?.state !== 'consumed') await sync(intent.id);
      } else if (!hold && intent.status === 'open') {
        return await cancelStray(intent);
      } else if (hold && !isLive(hold) && intent.status === 'open') {
        // Freed without the provider's "canceled" (it did not know the intent at that moment).
        // Never payable again.
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
   * An intent of ours that no hold names: its answer was lost, or our row was. While its hold lives
   * without an intent, the same key may still bring it back; otherwise nobody may pay it any more.
   */
  async function cancelStray(intent: Intent): Promise<boolean> {
    const id = intent.metadata['hold'] ?? '';
    const hold = isUuid(id) ? await readHold(db, id) : null;
    if (hold?.state === 'held' && hold.intentId === null) return false;
    // Between the first look and this one it was written down and handed out: no stray, somebody is
    // paying it.
    if (hold?.intentId === intent.id) return false;
    const ended = await cards.cancel(intent.id);
    if (ended?.status === 'succeeded') await sync(intent.id);
    return ended?.status !== 'processing';
  }

  async function mark(name: string): Promise<{ from: Date; started: Date }> {
    const { rows } = await sql<{ from: Date; started: Date }>`
      select at as "from", now() as started from watermark where name = ${name}`.execute(db);
    return rows[0] ?? { from: new Date(0), started: new Date() };
  }

  async function moveMark(name: string, at: Date): Promise<void> {
    await sql`
      insert into watermark (name, at) values (${name}, ${at}) on conflict (name) do update set at = excluded.at`.execute(
      db,
    );
  }

  async function quietly(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProviderError)
        log.warn({ what, code: error.code }, 'the card provider does not answer');
      else log.error({ err: error, what }, 'a round of the reconciler failed');
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
