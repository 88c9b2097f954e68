// What ends with an account that is erased or blocked, and with the care for a participant. People
// imports no other room: each room says here what it does then, when it is started (app.ts).
import type { Db } from './db/connection.ts';

/** The account as it was. */
export interface Erased {
  id: string;
  email: string;
  image: string | null;
}

/** Participants are erased (`userId` null), or one account no longer looks after them. */
export type NoLonger = (
  db: Db,
  participantIds: readonly string[],
  userId: string | null,
) => Promise<void>;

export type Ends = ReturnType<typeof createEnds>;

/** What is added is done in the order in which it was added. */
export function createEnds() {
  const [onErase, erase] = several<[db: Db, account: Erased]>();
  const [onBlock, block] = several<[db: Db, account: { id: string; by: string }]>();
  const [onNoLonger, noLonger] = several<Parameters<NoLonger>>();
  return { onErase, onBlock, onNoLonger, erase, block, noLonger };
}

function several<Given extends unknown[]>() {
  type End = (...given: Given) => Promise<void>;
  const ends: End[] = [];
  const add = (end: End) => void ends.push(end);
  const all: End = async (...given) => {
    for (const end of ends) await end(...given);
  };
  return [add, all] as const;
}
