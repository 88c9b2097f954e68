// Releases held seats. The provider cancels the payment first; only its "canceled" frees the seat.
// A student who paid in the meantime keeps the seat.
import type { Database } from '../../../db/connection.ts';
import { type Cards, type Intent, ProviderError } from '../../../outside/cards.ts';
import type { Log } from '../log.ts';
import type { Settle } from '../payments/settle.ts';
import {
  type Hold,
  type HoldChoice,
  lockHolds,
  readHold,
  setState,
  startRelease,
} from './holds.ts';
import { freeSeat, lockSeats } from './counters.ts';

type Deps = Pick<Database, 'db' | 'transaction'> & {
  cards: Pick<Cards, 'cancel'>;
  settle: Settle;
  log: Log;
};

export type ReleaseOutcome = 'released' | 'paid' | 'processing' | 'silent';

/** Cancels the payment of a hold in `releasing` at the provider, then frees its seat. */
export type Release = (holdId: string) => Promise<ReleaseOutcome>;

/**
 * Moves holds from `held` to `releasing` and releases them. Returns the first outcome that is not
 * `released`. The sweeper retries those.
 */
export type GiveUp = (holds: HoldChoice, reason: string) => Promise<ReleaseOutcome>;

export const createGiveUp =
  ({ db, release }: { db: Database['db']; release: Release }): GiveUp =>
  async (holds, reason) => {
    const started = await startRelease(db, holds, reason);
    const outcomes: ReleaseOutcome[] = [];
    // A hold given by its id may already be in `releasing`. It is released too.
    for (const id of 'id' in holds ? [holds.id] : started) outcomes.push(await release(id));
    return outcomes.find((outcome) => outcome !== 'released') ?? 'released';
  };

export function createRelease({ db, transaction, cards, settle, log }: Deps): Release {
  return async function release(holdId: string): ReturnType<Release> {
    const hold = await readHold(db, holdId);
    if (!hold || hold.state === 'released') return 'released';
    if (hold.state === 'consumed') return 'paid';
    if (hold.state === 'held') throw new Error('a hold that is not being released was to be freed');
    if (hold.intentId !== null) {
      const ended = await cancelled(hold.intentId);
      if (ended !== 'canceled') return ended;
    }
    return (await free(hold)) ? 'released' : release(holdId);
  };

  async function cancelled(
    intentId: string,
  ): Promise<'canceled' | 'paid' | 'processing' | 'silent'> {
    try {
      const intent = await cards.cancel(intentId);
      if (intent?.status === 'succeeded')
        return (await settle(intentId)).outcome === 'recorded' ? 'paid' : 'silent';
      if (!intent)
        log.error(
          { intentId },
          'the card provider does not know an intent of ours; its seat is freed',
        );
      return intent === null || isOver(intent) ? 'canceled' : 'processing';
    } catch (error) {
      // The seat stays taken: an unsold seat is better than a seat sold twice.
      if (error instanceof ProviderError) return 'silent';
      throw error;
    }
  }

  /** False when the hold changed since it was read: it got an intent, or it was paid. */
  function free({ id, intentId }: Hold): Promise<boolean> {
    return transaction(async (db) => {
      const before = await readHold(db, id);
      const [hold] = before ? await lockHolds(db, before) : [];
      if (hold?.state !== 'releasing' || hold.intentId !== intentId) return false;
      await lockSeats(db, hold.classId);
      await setState(db, hold, 'released');
      await freeSeat(db, hold.classId);
      return true;
    });
  }
}

const isOver = (intent: Intent) => intent.status === 'canceled';
