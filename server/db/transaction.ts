// Knows whether the code that runs now is inside a database transaction. Not for: starting one
// (connection.ts does).
import { AsyncLocalStorage } from 'node:async_hooks';

const inside = new AsyncLocalStorage<true>();

export const insideTransaction = <T>(work: () => Promise<T>): Promise<T> => inside.run(true, work);

export const inTransaction = () => inside.getStore() === true;

/**
 * Machines we do not run are never asked while rows are locked: their silence would become ours.
 */
export function assertOutsideTransaction(what: string): void {
  if (inTransaction()) throw new Error(`${what} must not be called inside a transaction`);
}
