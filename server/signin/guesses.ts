// How often something may be tried: passwords, sign-ups, mails that a stranger can cause. Counted
// in PostgreSQL, so several processes count together. Wrong passwords within 15 minutes: 10 for an
// account from one network, 100 for a network, 100 for an account from all networks. The network of
// a live session of the account, and of its last one, is not among the last hundred: nobody can
// lock an owner out of the owner's own house.
import { createHmac } from 'node:crypto';
import { limits } from '../../contract/platform/limits.ts';
import { type Database, type Db, execute, exists, query, sql } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';
import { networkOf } from '../platform/http/limits.ts';
import { isOwnNetwork } from './sessions.ts';

/** Each kind of mail is counted by itself: a stranger must not use up the owner's reset mails. */
export type MailKind =
  | 'confirm'
  | 'new-address'
  | 'sign-up'
  | 'reset'
  | 'notice'
  | 'device'
  | 'guardian';

interface Visitor {
  /** The address of the account, also where there is none. */
  email: string;
  ip: string;
}

export type Guesses = ReturnType<typeof createGuesses>;

interface Counter {
  account: string;
  place: string;
  most: number;
  seconds: number;
}

const hour = 3_600;
const day = 24 * hour;
const guessed = { seconds: hour / 4 };

export function createGuesses(
  database: Database,
  { secret, enabled }: { secret: string; enabled: boolean },
) {
  const keyed = (...parts: string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  const placeOf = (network: string) => `network ${keyed('network', network)}`;

  /** One more in the time that began with the first; false after the last. */
  const take = ({ account, place, most, seconds }: Counter, db: Db = database.db) => exists(db)`
      insert into sign_in_attempt as a (account, place, count, ends_at)
      values (${account}, ${place}, 1, now() + ${seconds} * interval '1 second')
      on conflict (account, place) do update set
        count = case when a.ends_at <= now() then 1 else a.count + 1 end,
        ends_at = case when a.ends_at <= now() then excluded.ends_at else a.ends_at end
      where a.ends_at <= now() or a.count < ${most} returning place`;

  const giveBack = ({ account, place }: Counter) =>
    sql`update sign_in_attempt set count = count - 1
      where account = ${account} and place = ${place} and count > 0`.execute(database.db);

  async function refuse({ account, place }: Counter): Promise<never> {
    const rows = await query<{ wait: number }>(database.db)`
      select ceil(extract(epoch from ends_at - now()))::int as wait
      from sign_in_attempt where account = ${account} and place = ${place}`;
    return fail('RATE_LIMITED', {}, Math.max(1, rows[0]?.wait ?? 60));
  }

  /** Counts all, or none and refuses. */
  async function takeAll(counters: readonly Counter[]): Promise<void> {
    for (const [at, counter] of counters.entries()) {
      if (await take(counter)) continue;
      await Promise.all(counters.slice(0, at).map(giveBack));
      await refuse(counter);
    }
  }

  async function countersOf({ email, ip }: Visitor): Promise<Counter[]> {
    const network = networkOf(ip);
    const [account, place] = [keyed('account', email), placeOf(network)];
    const { account: ofAccount, network: ofNetwork, everywhere } = limits.wrongPasswords;
    const elsewhere = (await isOwnNetwork(database.db, email, ip))
      ? []
      : [{ account, place: '*', most: everywhere, ...guessed }];
    return [
      ...elsewhere,
      { account, place, most: ofAccount, ...guessed },
      { account: '*', place, most: ofNetwork, ...guessed },
    ];
  }

  /** Counted before the work, and taken back when it fails or its outcome does not count. */
  async function counted<T>(
    counters: readonly Counter[],
    work: () => Promise<T>,
    counts: (outcome: T) => boolean,
  ): Promise<T> {
    const takeBack = () => Promise.all(counters.map(giveBack));
    await takeAll(counters);
    const outcome = await work().catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
    if (!counts(outcome)) await takeBack();
    return outcome;
  }

  /** False: the mail is dropped silently. In a transaction it counts what the transaction keeps. */
  const mayWrite = async (email: string, kind: MailKind, db?: Db): Promise<boolean> => {
    const account = keyed(`mail ${kind}`, email);
    const counter = { account, place: '*', most: limits.mailsPerHour, seconds: hour };
    return !enabled || take(counter, db);
  };

  return {
    mayWrite,
    /**
     * The same for an invitation of a guardian. The first of a sender in a day is not counted with
     * those of others: they cannot use it up.
     */
    mayInvite: async (email: string, sender: string, db: Db): Promise<boolean> => {
      const account = keyed('mail guardian', email);
      const own = { account, place: `sender ${keyed('sender', sender)}`, most: 1, seconds: day };
      return (await take(own, db)) || mayWrite(email, 'guardian', db);
    },
    /**
     * Counts a guess before it is judged, and takes it back when it was right, or could not be judged.
     * Refuses with the time when there is a guess again.
     */
    judge: async (visitor: Visitor, verdict: () => Promise<boolean>): Promise<boolean> =>
      enabled ? counted(await countersOf(visitor), verdict, (right) => !right) : verdict(),
    /** Whoever reads the mails of an account is let in at once. */
    lift: async (db: Db, email: string): Promise<void> => {
      await execute(db)`delete from sign_in_attempt where account = ${keyed('account', email)}`;
    },
    /** Makes an account. Only successes count. */
    signUp: async <T>({ ip, email }: Visitor, make: () => Promise<T>): Promise<T> => {
      const { network, email: ofEmail } = limits.signUpsPerHour;
      const counters = [
        { account: keyed('sign-up', email), place: '*', most: ofEmail, seconds: hour },
        { account: 'sign-ups', place: placeOf(networkOf(ip)), most: network, seconds: hour },
      ];
      return enabled ? counted(counters, make, () => true) : make();
    },
    /** True the first time that this code is shown; it lives 90 seconds. */
    once: (userId: string, code: string, db: Db): Promise<boolean> =>
      take(
        { account: keyed('used code', userId), place: keyed('code', code), most: 1, seconds: 120 },
        db,
      ),
    /**
     * Nothing is remembered of this account any more. Mails to its address stay counted: signing up
     * again must not begin anew.
     */
    forget: async (db: Db, { id, email }: { id: string; email: string }): Promise<void> => {
      const accounts = [keyed('account', email), keyed('used code', id)];
      await execute(db)`delete from sign_in_attempt where account = any(${accounts})`;
    },
  };
}
