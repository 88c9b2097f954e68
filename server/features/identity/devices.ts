// Tells an account of a sign-in with a device that has not signed in to it before. A device is known
// by the cookie of guesses.ts, which ends with the password.
import type { Services } from '../../services.ts';
import { type Db, sql } from '../../db/connection.ts';
import { cookieOf } from '../../http/cookies.ts';
import type { Asked } from '../../http/on.ts';
import { doneBy, mail } from '../mails/kinds.ts';
import { cookiePrefix } from './betterauth.ts';
import type { Enter } from './entry.ts';
import type { Guesses } from './guesses.ts';

export interface Devices {
  /** To be run in the transaction that lets a sign-in in. */
  tellOf: (request: Asked) => Enter;
  /** The cookie with which this account knows the device from now on. */
  cookieFor: (db: Db, userId: string | undefined) => Promise<string | null>;
}

export function createDevices({
  config,
  guesses,
  jobs,
}: Pick<Services, 'config' | 'jobs'> & {
  guesses: Pick<Guesses, 'isDevice' | 'deviceFor' | 'mayWrite'>;
}): Devices {
  return {
    tellOf: (request) => async (db, userId) => {
      const found = await accountOf(db, userId);
      // The first sign-in of all is expected, and a stranger may have chosen an unconfirmed address.
      if (!found?.isTold) return;
      const device = cookieOf(request, `${cookiePrefix(config)}.device`);
      if (guesses.isDevice(device, found.email, found.hash)) return;
      if (!(await guesses.mayWrite(found.email, 'device', db))) return;
      await jobs.send(db, 'send-mail', mail('new-device', { to: found.id, ...doneBy(request) }));
    },
    cookieFor: async (db, userId) => {
      const found = userId === undefined ? null : await accountOf(db, userId);
      return found && guesses.deviceFor(found.email, found.hash);
    },
  };
}

/** An account that signs in with Google only has no hash. */
async function accountOf(db: Db, userId: string) {
  const { rows } = await sql<{ id: string; email: string; hash: string; isTold: boolean }>`
    select id, email, email_verified and registered_at is not null as is_told, coalesce((
      select password from account where user_id = u.id and provider_id = 'credential'), '') as hash
    from "user" u where id = ${userId}`.execute(db);
  return rows[0] ?? null;
}
