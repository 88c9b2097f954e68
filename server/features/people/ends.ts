// What ends with an account that is erased or blocked, and with the care for a participant. People
// imports no other room: each room says here what it does then, when it is started (app.ts).
import type { Db } from '../../db/connection.ts';

export interface Ends {
  /** `image`: the picture that the account had. Its row has none any more. */
  onErase(end: (db: Db, account: { id: string; image: string | null }) => Promise<void>): void;
  onBlock(end: (db: Db, account: { id: string; by: string }) => Promise<void>): void;
  /** Participants are erased (`userId` null), or one account no longer looks after them. */
  onNoLonger(end: NoLonger): void;
  erase: (db: Db, account: { id: string; image: string | null }) => Promise<void>;
  block: (db: Db, account: { id: string; by: string }) => Promise<void>;
  noLonger: NoLonger;
}

export type NoLonger = (
  db: Db,
  participantIds: readonly string[],
  userId: string | null,
) => Promise<void>;

export function createEnds(): Ends {
  const [onErase, erase] = several<Parameters<Ends['erase']>>();
  const [onBlock, block] = several<Parameters<Ends['block']>>();
  const [onNoLonger, noLonger] = several<Parameters<NoLonger>>();
  return { onErase, onBlock, onNoLonger, erase, block, noLonger };
}

/** In the order in which they were added. */
function several<Given extends unknown[]>() {
  type End = (...given: Given) => Promise<void>;
  const ends: End[] = [];
  const add = (end: End) => void ends.push(end);
  const all: End = async (...given) => {
    for (const end of ends) await end(...given);
  };
  return [add, all] as const;
}
