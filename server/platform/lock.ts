// One process of the machine at a time, by SQLite's file lock. The kernel releases it when its holder
// dies; a lock file could be stale.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export async function locked<T>(
  file: string,
  work: () => Promise<T>,
  stillWaiting: () => void = () => undefined,
): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let round = 1; !take(lock); round++) {
      if (round % 250 === 50) stillWaiting();
      await sleep(20);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const busy = 5;
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
  }
}
