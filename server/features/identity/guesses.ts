// How often a password may be guessed. Many addresses together get a handful of guesses an hour
// at one account, and the owner still comes in: a device or an address that has signed in to it
// before has a budget of its own.
// Not for: ordinary rate limits (server/http). State is in PostgreSQL, so several processes count
// together.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { limits } from '../../../contract/limits.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import { networkOf } from '../../http/limits.ts';
import { storedHash } from './entry.ts';

/**
 * What a guess is for: 'change' is a password asked for again inside a session, 'code' a second
 * factor shown there.
 */
export type Purpose = 'sign-in' | 'change' | 'code';

/**
 * Each kind of mail has a budget of its own: what a stranger can cause must not use up the reset
 * mails of the owner.
 */
export type MailKind =
  | 'confirm'
  | 'new-address'
  | 'sign-up'
  | 'reset'
  | 'notice'
  | 'device'
  | 'guardian';

export interface Visitor {
  purpose: Purpose;
  /** The email for 'sign-in', otherwise the user's id. */
  who: string;
  address: string;
  /** The value of the device cookie, if the browser sent one. */
  device?: string | undefined;
}

export interface Guess {
  /**
   * Waits for the verdict on the password, and gives back what the guess was charged if it is right, or
   * if there is none because too many wait to be hashed. What follows may fail without counting.
   */
  judge<T>(verdict: Promise<T>): Promise<T>;
  /**
   * The password was right: gives back what this guess was charged. The place is known from now on,
   * unless the password with this hash was replaced meanwhile. Answers the device's new cookie.
   */
  succeeded(hash?: string): Promise<string>;
}

export interface Guesses {
  /**
   * Charges one guess before the password is looked at; refuses with Retry-After when there is none
   * left.
   */
  charge(visitor: Visitor): Promise<Guess>;
  /** Whether a device cookie was made for this account while it had this password. */
  isDevice(device: string | undefined, email: string, hash: string): boolean;
  /** The cookie for a device whose user proved otherwise who they are (a mailed link, Google). */
  deviceFor(email: string, hash: string): string;
  /**
   * True a few times an hour per address and kind: a mail too many is dropped silently, not
   * refused. Inside a transaction it counts what the transaction keeps.
   */
  mayWrite(email: string, kind: MailKind, db?: Db): Promise<boolean>;
  /**
   * The same for an invitation of a guardian. The first of a sender in a day is not counted with those
   * of others: they cannot use it up.
   */
  mayInvite(email: string, sender: string, db: Db): Promise<boolean>;
  /**
   * Makes an account. Of one network and for one address so many succeed in an hour; what is refused
   * is not counted.
   */
  signUp<T>(who: { address: string; email: string }, make: () => Promise<T>): Promise<T>;
  /** True the first time that this code is shown; it lives 90 seconds. */
  once(userId: string, code: string): Promise<boolean>;
  /**
   * No place is known any more: the password is new, and a stranger may have signed in there with
   * the old one.
   */
  forgetPlaces(account: { id: string; email: string }): Promise<void>;
  /**
   * Nothing is remembered of this account any more. Mails to its address stay counted for a day:
   * signing up again must not begin anew.
   */
  forget(db: Db, account: { id: string; email: string }): Promise<void>;
}

// A leaky bucket by one timestamp: `burst` at once, then one every `every` seconds.
interface Bucket {
  account: string;
  place: string;
  burst: number;
  every: number;
}

const strangers = { burst: 10, every: 360 }; // at most 20 in any hour, from however many addresses
const address = { burst: 30, every: 30 }; // one address over all accounts: a school is behind one, too
const letters = { burst: 3, every: 1_200 };
const onceADay = { burst: 1, every: 86_400 };

/** Of a device cookie: all of it, its id and its MAC. */
const partsOf = (device: string | undefined) =>
  /^([\w-]{16})\.([\w-]{32})$/.exec(device ?? '') ?? [];

export function createGuesses(
  database: Database,
  { secret, enabled }: { secret: string; enabled: boolean },
): Guesses {
  const keyed = (...parts: string[]) =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 32);

  // The purpose is a part of its own in the key, so that no text from outside reaches the counter
  // of another purpose.
  const accountOf = (
    purpose: Purpose | `mail ${MailKind}` | 'used code' | 'sign-up',
    who: string,
  ) => keyed('account', purpose, who);

  /**
   * A device cookie is an id and a MAC. The MAC covers the stored password hash, so a new password
   * ends every device cookie.
   */
  const macOf = (id: string, email: string, hash: string) =>
    keyed('device', id, email, createHash('sha256').update(hash).digest('hex'));

  // By the hash that was proven, not by the one that is stored now: the owner of the address may
  // have replaced it meanwhile.
  const deviceFor = (email: string, hash: string) => {
    const id = randomBytes(12).toString('base64url');
    return `${id}.${macOf(id, email, hash)}`;
  };

  function isDevice(device: string | undefined, email: string, hash: string): boolean {
    const [, id, mac] = partsOf(device);
    if (!id || !mac) return false;
    return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(id, email, hash)));
  }

  /** The id in a device cookie that is genuine for this account. */
  async function deviceOf({ purpose, who, device }: Visitor): Promise<string | null> {
    const [, id] = partsOf(device);
    if (purpose !== 'sign-in' || !id) return null;
    const hash = await storedHash(database.db, who);
    return hash !== null && isDevice(device, who, hash) ? id : null;
  }

  async function placeOf(
    visitor: Visitor,
    device: string | null,
  ): Promise<{ place: string; known: boolean }> {
    if (device) return { place: `device ${keyed('place', device)}`, known: true };
    const place = `address ${keyed('place', networkOf(visitor.address))}`;
    const { rows } = await sql`
      select from sign_in_attempt
      where account = ${accountOf(visitor.purpose, visitor.who)} and place = ${place}
        and succeeded_at > now() - interval '30 days'
    `.execute(database.db);
    return { place, known: rows.length > 0 };
  }

  /**
   * From the fifth failure in a row on, every further one doubles the wait: 1, 2, 4, 8, 16, 32
   * minutes.
   */
  async function chargePlace(account: string, place: string): Promise<void> {
    const { rows } = await sql`
      insert into sign_in_attempt as a (account, place, failures) values (${account}, ${place}, 1)
      on conflict (account, place) do update set
        failures = case when a.touched_at < now() - interval '1 hour' then 1 else a.failures + 1 end,
        blocked_until = case
          when a.touched_at < now() - interval '1 hour' or a.failures < 4 then now()
          else now() + least(power(2, a.failures - 4), 32) * interval '1 minute' end,
        touched_at = now()
      where a.blocked_until <= now()
      returning failures
    `.execute(database.db);
    if (rows.length === 0) await refuse(account, place, 0);
  }

  async function drip(
    { account, place, burst, every }: Bucket,
    db: Db = database.db,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into sign_in_attempt as a (account, place, blocked_until)
      values (${account}, ${place}, now() + ${every} * interval '1 second')
      on conflict (account, place) do update set
        blocked_until = greatest(a.blocked_until, now()) + ${every} * interval '1 second',
        touched_at = now()
      where a.blocked_until <= now() + ${(burst - 1) * every} * interval '1 second'
      returning place
    `.execute(db);
    return rows.length > 0;
  }

  const giveBack = ({ account, place, every }: Bucket) =>
    sql`update sign_in_attempt set blocked_until = blocked_until - ${every} * interval '1 second'
        where account = ${account} and place = ${place}`.execute(database.db);

  /** Counts one in the hour that began with the first, unless the work fails; refuses after the last. */
  async function inHour<T>(account: string, place: string, most: number, work: () => Promise<T>) {
    const { rows } = await sql`
      insert into sign_in_attempt as a (account, place, failures, blocked_until)
      values (${account}, ${place}, 1, now() + interval '1 hour')
      on conflict (account, place) do update set touched_at = now(),
        failures = case when a.blocked_until <= now() then 1 else a.failures + 1 end,
        blocked_until = case when a.blocked_until <= now() then excluded.blocked_until else a.blocked_until end
      where a.blocked_until <= now() or a.failures < ${most} returning place`.execute(database.db);
    if (rows.length === 0) await refuse(account, place, 0);
    return work().catch(async (error: unknown) => {
      await sql`update sign_in_attempt set failures = failures - 1
        where account = ${account} and place = ${place} and failures > 0`.execute(database.db);
      throw error;
    });
  }

  async function refuse(account: string, place: string, slack: number): Promise<never> {
    const { rows } = await sql<{ wait: number }>`
      select ceil(extract(epoch from blocked_until - now()) - ${slack})::int as wait
      from sign_in_attempt where account = ${account} and place = ${place}
    `.execute(database.db);
    return fail('RATE_LIMITED', {}, Math.max(1, rows[0]?.wait ?? 60));
  }

  let calls = 0;
  /** Now and then. No request waits for it. */
  function sweep() {
    calls += 1;
    if (calls % 100 !== 0) return;
    void sql`
      delete from sign_in_attempt where touched_at < now() - interval '30 days'
        or (succeeded_at is null and touched_at < now() - interval '1 day')
    `
      .execute(database.db)
      .catch(() => {});
  }

  const mayWrite: Guesses['mayWrite'] = async (email, kind, db) =>
    !enabled ||
    drip({ account: accountOf(`mail ${kind}`, email), place: 'letters', ...letters }, db);

  return {
    deviceFor,
    isDevice,
    mayWrite,
    mayInvite: async (email, sender, db) => {
      const account = accountOf('mail guardian', email);
      const own = { account, place: `sender ${keyed('place', sender)}`, ...onceADay };
      return (await drip(own, db)) || mayWrite(email, 'guardian', db);
    },
    signUp: ({ address, email }, make) => {
      const [account, place] = [accountOf('sign-up', email), keyed('place', networkOf(address))];
      const { network, email: ofEmail } = limits.signUpsPerHour;
      const counted = () => inHour('*', `sign-ups ${place}`, network, make);
      return enabled ? inHour(account, '*', ofEmail, counted) : make();
    },
    once: (userId, code) =>
      drip({
        account: accountOf('used code', userId),
        place: `code ${keyed('code', code)}`,
        burst: 1,
        every: 120,
      }),
    forgetPlaces: async ({ id, email }) => {
      const accounts = [accountOf('sign-in', email), accountOf('code', id)];
      await sql`update sign_in_attempt set succeeded_at = null where account = any(${accounts})`.execute(
        database.db,
      );
      // Wrong guesses at the old one must not keep the owner from the next change.
      await sql`delete from sign_in_attempt where account = ${accountOf('change', id)}`.execute(
        database.db,
      );
    },
    forget: async (handle, { id, email }) => {
      const accounts = [
        accountOf('sign-in', email),
        accountOf('change', id),
        accountOf('code', id),
        accountOf('used code', id),
      ];
      await sql`delete from sign_in_attempt where account = any(${accounts})`.execute(handle);
    },
    charge: async (visitor) => {
      if (!enabled)
        return {
          judge: (verdict) => verdict,
          succeeded: (hash = '') => Promise.resolve(deviceFor(visitor.who, hash)),
        };
      sweep();
      const account = accountOf(visitor.purpose, visitor.who);
      const device = await deviceOf(visitor);
      const { place, known } = await placeOf(visitor, device);
      const buckets: Bucket[] = known
        ? []
        : [
            // First the one that refuses most under attack: a refusal here has written nothing yet.
            { account, place: '*', ...strangers },
            {
              account: '*',
              place: `address ${keyed('place', networkOf(visitor.address))}`,
              ...address,
            },
          ];
      const charged: Bucket[] = [];
      try {
        for (const bucket of buckets) {
          if (!(await drip(bucket)))
            await refuse(bucket.account, bucket.place, (bucket.burst - 1) * bucket.every);
          charged.push(bucket);
        }
        await chargePlace(account, place);
      } catch (error) {
        // What was refused reached no password: it must not use up the guesses of others.
        await Promise.all(charged.map(giveBack));
        throw error;
      }
      let isCharged = true;
      const takeBack = async () => {
        if (!isCharged) return;
        isCharged = false;
        await sql`
          update sign_in_attempt set failures = greatest(failures - 1, 0), blocked_until = now()
          where account = ${account} and place = ${place}
        `.execute(database.db);
        await Promise.all(charged.map(giveBack));
      };
      return {
        judge: async (verdict) => {
          // It was let in, so nothing was blocked before it.
          const isRight = await verdict.catch(async (error: unknown) => {
            await takeBack();
            throw error;
          });
          if (isRight) await takeBack();
          return isRight;
        },
        succeeded: async (hash) => {
          await sql`
            update sign_in_attempt set failures = 0, blocked_until = now(), succeeded_at = now(), touched_at = now()
            where account = ${account} and place = ${place} and (${hash === undefined} or exists (
              select from account a join "user" u on u.id = a.user_id
              where u.email = ${visitor.who} and a.password = ${hash ?? ''}))
          `.execute(database.db);
          await takeBack();
          return device && visitor.device ? visitor.device : deviceFor(visitor.who, hash ?? '');
        },
      };
    },
  };
}
