// The rosters that this phone keeps for the roll call: they name children, so the session deletes
// them when it ends, and every page deletes them when their time is over.

/** A database of its own, so that it is deleted as a whole. */
export const rosterDatabase = 'rally-rosters';

const key = 'rosters-until';
const usedKey = 'roll-call';

/** Whether this phone may have marks that are not sent. */
export const rollCallUsed = () => localStorage.getItem(usedKey) !== null;
export const markRollCallUsed = () => localStorage.setItem(usedKey, 'yes');

export function forgetRosters() {
  try {
    indexedDB.deleteDatabase(rosterDatabase);
    localStorage.removeItem(key);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}

/** The last time of all that is kept. */
export const rostersKeptUntil = (until: string) => localStorage.setItem(key, until);

export function forgetOldRosters() {
  const until = localStorage.getItem(key);
  if (until && !(Date.parse(until) > Date.now())) forgetRosters();
}
