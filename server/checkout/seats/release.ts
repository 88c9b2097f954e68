// Releases held seats. Its basket is closed first: only the provider's "canceled" lets a seat be freed.
// A student who paid in the meantime keeps the seat.
import type { Services } from '../../platform/services.ts';
import type { Close } from '../payments/close.ts';
import { free, type Hold, type HoldChoice, lockHold, readHold, startRelease } from './holds.ts';
import { freeSeat, lockSeats } from './counters.ts';

type Outcome = 'released' | 'paid' | 'processing' | 'silent';
export type Release = ReturnType<typeof createRelease>['release'];
export type GiveUp = ReturnType<typeof createRelease>['giveUp'];

export function createRelease({
  db,
  system,
  close,
}: Pick<Services, 'db' | 'system'> & { close: Close }) {
  return { release, giveUp };

  /**
   * Moves holds from `held` to `releasing` and releases them. Returns the first outcome that is not
   * `released`. The sweeper retries those.
   */
  async function giveUp(holds: HoldChoice, reason: string): Promise<Outcome> {
    const started = await startRelease(db, holds, reason);
    const outcomes: Outcome[] = [];
    // A hold given by its id may already be in `releasing`. It is released too.
    for (const id of 'id' in holds ? [holds.id] : started) outcomes.push(await release(id));
    return outcomes.find((outcome) => outcome !== 'released') ?? 'released';
  }

  /** Closes the basket of a hold in `releasing`, then frees its seat. */
  async function release(holdId: string): Promise<Outcome> {
    const hold = await readHold(db, holdId);
    if (!hold || hold.state === 'released') return 'released';
    if (hold.state === 'consumed') return 'paid';
    if (hold.state === 'held') throw new Error('a hold that is not being released was to be freed');
    if (hold.basketId !== null) {
      const ended = await close(hold.basketId, 'a seat of it is given up');
      if (ended !== 'closed') return ended;
    }
    return (await freeIts(hold)) ? 'released' : release(holdId);
  }

  /** False when the hold changed since it was read: it is in a basket, or it was paid. */
  function freeIts({ id, studentId }: Hold): Promise<boolean> {
    return system([studentId], async (db) => {
      const hold = await lockHold(db, id);
      if (hold?.state !== 'releasing' || hold.basketId !== null) return false;
      await lockSeats(db, hold.classId);
      await free(db, hold);
      await freeSeat(db, hold.classId);
      return true;
    });
  }
}
