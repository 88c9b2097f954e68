// What becomes of those who wait for a class when seats are left: first come, first served. A pure
// function of the rows that tend.ts has locked.

type WishState = 'waiting' | 'gathering' | 'offered' | 'passed' | 'paused' | 'ended';
type WishEnd = 'enrolled' | 'left' | 'declined' | 'expired' | 'elsewhere' | 'closed';

export interface Wish {
  waitId: string;
  state: WishState;
  /** All of them in this class, or none. */
  seats: number;
  /** Of these, held for it and not over. */
  kept: number;
  /** One of its seats is being freed, or somebody of it is paying for a seat without the list. */
  busy: boolean;
  /** A group has had its time in which seats are gathered. */
  patient: boolean;
  hadTurn: boolean;
  /** Another class of the wait is offered, or gathered for. */
  elsewhere: boolean;
  /** An account or a child is gone, or the one no longer looks after the other. */
  gone: boolean;
  /** Somebody of it has a seat that was paid for. */
  paid: boolean;
  /** The family said no to the offer. */
  declined: boolean;
}

interface Room {
  /** Denied, cancelled or over: nobody waits for it any more. */
  closed: boolean;
  onSale: boolean;
  left: number;
}

export interface Change {
  waitId: string;
  /** As before, where only seats are added. */
  to: WishState;
  ended?: WishEnd;
  /** Seats that are held for it now. */
  take: number;
}

export const isInLine = ({ state }: Pick<Wish, 'state'>) =>
  state === 'waiting' || state === 'gathering';

/** `line`: the wishes that have not ended, in their order. */
export function decide({ closed, onSale, left }: Room, line: readonly Wish[]): Change[] {
  const changes = new Map<string, Change>();
  const change = ({ waitId, state }: Wish, next: Partial<Change>) =>
    changes.set(waitId, { waitId, to: state, take: 0, ...changes.get(waitId), ...next });
  const stateOf = (wish: Wish) => changes.get(wish.waitId)?.to ?? wish.state;

  for (const wish of line) {
    const own = endOf(wish);
    const ended = closed && (own === null || own === 'expired') ? 'closed' : own;
    if (ended) change(wish, { to: 'ended', ended });
    else if (wish.state === 'gathering' && !wish.patient && wish.kept === 0 && !wish.busy)
      change(wish, { to: 'passed' });
    else if (wish.state === 'paused' && !wish.elsewhere)
      change(wish, { to: wish.hadTurn ? 'passed' : 'waiting' });
    // It joined while too few seats were left for it, and took none of these off the sale.
    else if (wish.state === 'passed' && !wish.hadTurn && left <= 0) change(wish, { to: 'waiting' });
  }

  let room = onSale ? left : 0;
  for (const wish of line) {
    const state = stateOf(wish);
    if (state !== 'waiting' && state !== 'gathering' && state !== 'passed') continue;
    const missing = wish.seats - wish.kept;
    if (wish.busy && state === 'gathering') break;
    if (wish.busy) continue;
    if (missing <= room) {
      change(wish, { to: 'offered', take: missing });
      room -= missing;
    } else if (state !== 'passed') {
      // A group keeps what there is until it is whole, or its time is over.
      if (room > 0) change(wish, { to: 'gathering', take: room });
      break;
    }
  }
  return [...changes.values()];
}

function endOf({ state, gone, kept, busy, paid, declined }: Wish): WishEnd | null {
  if (gone) return 'left';
  if (kept > 0 || busy) return null;
  if (paid) return 'enrolled';
  if (state !== 'offered') return null;
  return declined ? 'declined' : 'expired';
}
