// Knows whether the current code runs inside a database transaction (connection.ts starts it).
import { AsyncLocalStorage } from 'node:async_hooks';

const inside = new AsyncLocalStorage<true>();

export const insideTransaction = <T>(work: () => Promise<T>): Promise<T> => inside.run(true, work);

export const inTransaction = () => inside.getStore() === true;

/** Outside services must not be called while rows are locked: their delay would become ours. */
export function assertOutsideTransaction(what: string): void {
  if (inTransaction()) throw new Error(`${what} must not be called inside a transaction`);
}
