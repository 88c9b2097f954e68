// Requests in a known order: a lock holds them back until something else has changed.
import type { PoolClient } from 'pg';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/**
 * Holds the user's row until `proof` waits for it and then `entry` has come to wait as well:
 * `entry` has passed its checks with what was true before, and PostgreSQL lets the two go on in the
 * order in which they came.
 */
export async function overtaken<T>(
  app: TestApp,
  email: string,
  proof: () => Promise<{ status: number }>,
  entry: () => Promise<T>,
): Promise<T> {
  return whileHeld(app, email, async (holder) => {
    const proving = proof();
    await waiters(app, 1);
    const entering = entry();
    await waiters(app, 2);
    await holder.query('commit');
    expect((await proving).status).toBe(200);
    return await entering;
  });
}

type Statement = [text: string, values?: unknown[]];

/** The work holds what the statement locks until it commits. */
export async function whileLocked<T>(
  app: TestApp,
  lock: Statement,
  work: (holder: PoolClient) => Promise<T>,
): Promise<T> {
  // The mail of a sign-up stores a link of the account: it would wait, too, and be one waiter more.
  await app.settled();
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(...lock);
    return await work(holder);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

export const whileHeld = <T>(
  app: TestApp,
  email: string,
  work: (holder: PoolClient) => Promise<T>,
): Promise<T> =>
  whileLocked(app, ['select from "user" where email = $1 for update', [email]], work);

/** `change` is committed while `work` waits for what `lock` locks. */
export const changedMeanwhile = <T>(
  app: TestApp,
  {
    lock,
    work,
    change,
  }: { lock: Statement; work: () => Promise<T>; change: Statement | (() => Promise<unknown>) },
): Promise<T> =>
  whileLocked(app, lock, async (holder) => {
    const working = work();
    await waiters(app, 1);
    await (typeof change === 'function' ? change() : holder.query(...change));
    await holder.query('commit');
    return working;
  });

/** Resolves when so many statements wait for a lock. */
export async function waiters(app: TestApp, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await app.pool.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.n;
      },
      { interval: 10 },
    )
    .toBe(count);
}
