// The second step of signing in: a code from an authenticator app or, without the phone, a backup
// code. Turning it on and off. Codes are judged under the lock on the account: what ends the
// password, the session or the factor waits, or has ended it before.
import { hkdfSync } from 'node:crypto';
import {
  type AuthUser,
  disableSecondStep,
  enableSecondStep,
  newBackupCodes,
  secondStep,
  verifySecondStep,
} from '../../contract/signin/signin.ts';
import type { Config } from '../platform/config.ts';
import { type Database, type Db, execute, exists, query } from '../platform/db/connection.ts';
import { own } from '../platform/db/write.ts';
import { doneBy, mail } from '../mail/kinds.ts';
import type { Mail } from '../mail/mail.ts';
import { audit } from '../people/audit.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked, Caller } from '../platform/http/on.ts';
import { seal, unseal } from '../platform/sealed.ts';
import type { Guesses } from './guesses.ts';
import { endLinks, findLink, spendLink } from './links.ts';
import { accountOn, endAccess, lockAccount, passwordOf } from './prove.ts';
import type { Signin } from './services.ts';
import { renewSession } from './sessions.ts';
import { presentUser } from './signin.ts';
import { secondStepRemoved } from './texts.ts';
import {
  appAddress,
  base32,
  codeHash,
  isAppCode,
  isFromApp,
  newAppSecret,
  newCodes,
} from './totp.ts';

const mostCodes = 10;
const lockMinutes = 30;

interface Showing {
  who: Caller;
  request: Asked;
}

type TurnedOn = 'second-step-on' | 'second-step-off' | 'backup-codes-new';

const isOn = (db: Db, userId: string) =>
  exists(db)`select from login where user_id = ${userId} and totp_on_at is not null`;

async function turnOff(db: Db, userId: string): Promise<void> {
  await execute(db)`
    update login set totp_secret = null, totp_on_at = null, backup_hashes = '{}', totp_failures = 0,
      totp_locked_until = null where user_id = ${userId}`;
  await endLinks(db, userId, 'second-step');
}

export function secondFactor(s: Signin): void {
  const { on, db, config, cookies, guesses } = s;
  const key = new Uint8Array(hkdfSync('sha256', config.secret, '', 'rally second step', 32));

  async function secretOf(db: Db, userId: string): Promise<Buffer | null> {
    const rows = await query<{ sealed: Buffer | null }>(db)`
      select totp_secret as sealed from login where user_id = ${userId}`;
    const opened = rows[0]?.sealed ? unseal(key, userId, rows[0].sealed) : null;
    return opened === null ? null : Buffer.from(opened, 'hex');
  }

  /** Whether it is a code of the app that was not shown before, or a backup code, which is spent. */
  async function spendCode(db: Db, userId: string, code: string): Promise<boolean> {
    if (isFromApp(code)) {
      const secret = await secretOf(db, userId);
      // A person who saw the code on a screen could use it for another minute.
      return secret !== null && isAppCode(secret, code) && guesses.once(userId, code, db);
    }
    const count = await execute(db)`
      update login set backup_hashes = array_remove(backup_hashes, ${codeHash(code)}::bytea)
      where user_id = ${userId} and ${codeHash(code)}::bytea = any (backup_hashes)`;
    return count === 1;
  }

  /**
   * Counts a code before it is judged, so that codes sent at the same moment cannot all be judged:
   * ten in a row, then half an hour of waiting. A right code sets the count back. Answers the address.
   */
  async function charge(userId: string): Promise<string> {
    const rows = await query<{ email: string }>(db)`
      update login set
        totp_failures = case when totp_locked_until is null then totp_failures + 1 else 1 end,
        totp_locked_until = case when totp_locked_until is null and totp_failures >= ${mostCodes - 1}
          then now() + ${lockMinutes} * interval '1 minute' end
      from "user" u where u.id = user_id and user_id = ${userId} and totp_on_at is not null
        and (totp_locked_until is null or totp_locked_until <= now())
      returning u.email`;
    if (rows[0]) return rows[0].email;
    const locked = await query<{ wait: number | null }>(db)`
      select ceil(extract(epoch from totp_locked_until - now()))::int as wait from login
      where user_id = ${userId} and totp_on_at is not null`;
    if (!locked[0]) fail('SECOND_STEP_OVER');
    return fail('RATE_LIMITED', {}, Math.max(1, locked[0].wait ?? 1));
  }

  on(secondStep, async ({ code }, exchange) => {
    const { request } = exchange;
    const secret = cookies.read(request, 'two_factor') ?? fail('SECOND_STEP_OVER');
    const { userId } = (await findLink(db, 'second-step', secret)) ?? fail('SECOND_STEP_OVER');
    const email = await charge(userId);
    const kept = cookies.read(request, 'dont_remember') === undefined;
    const entered = await s.system([userId], async (db) => {
      // The link has ended with the password that was right, and with the factor.
      const link = await spendLink(db, 'second-step', secret);
      const user = await accountOn(db, email);
      if (!link || user?.id !== userId || user.blocked) fail('SECOND_STEP_OVER');
      // The link stays unspent.
      if (!(await spendCode(db, userId, code))) fail('WRONG_CODE');
      const rows = await query<AuthUser>(db)`
        update login set totp_failures = 0, totp_locked_until = null from "user" u
        where u.id = user_id and user_id = ${userId} returning u.id, u.email, u.name, u.image`;
      const session = await s.letIn(db, user, { kept, request });
      return { session, user: rows[0] ?? fail('SECOND_STEP_OVER') };
    });
    s.giveCookie(exchange, entered.session);
    cookies.clear(exchange, 'two_factor');
    return { user: presentUser(entered.user) };
  });

  /** Null means that the code was wrong. */
  async function judged<T>(
    { who, request }: Showing,
    work: (db: Db) => Promise<T | null>,
  ): Promise<T> {
    const made: T[] = [];
    await guesses.judge({ email: who.email, ip: request.ip }, async () => {
      const result = await s.writeAccounts(who, { ids: [], lock: 'update' }, async (db) =>
        own(await work(db)),
      );
      if (result !== null) made.push(result);
      return result !== null;
    });
    return made[0] ?? fail('WRONG_CODE');
  }

  const tell = (db: Db, { who, request }: Showing, kind: TurnedOn) =>
    s.jobs.send(db, 'send-mail', mail(kind, { to: who.id, ...doneBy(request) }));

  // On an unproven address the factor could be a stranger's, and lock its owner out: the call asks
  // for a proven one.
  on(enableSecondStep, async ({ password }, context) => {
    const { who, request } = context;
    const hash = await s.rightPassword(who, request, { password });
    const [secret, backupCodes] = [newAppSecret(), newCodes()];
    await s.write(who, async (db) => {
      if ((await passwordOf(db, who.id)) !== hash) fail('UNAUTHENTICATED');
      // The set-up of before ends.
      const count = await execute(db)`
        update login set totp_secret = ${seal(key, who.id, secret.toString('hex'))},
          backup_hashes = ${backupCodes.map(codeHash)}
        where user_id = ${who.id} and totp_on_at is null`;
      return count === 1 ? own(null) : fail('SECOND_STEP_ON');
    });
    const uri = appAddress(secret, { issuer: config.brand, email: who.email });
    return { uri, secret: base32(secret), backupCodes };
  });

  // The first right code proves that the app has the secret; only then it is wanted at the next
  // sign-in.
  on(verifySecondStep, async ({ code }, context) => {
    const { who } = context;
    const session = await judged(context, async (db) => {
      if (await isOn(db, who.id)) fail('SECOND_STEP_ON');
      const secret = (await secretOf(db, who.id)) ?? fail('SECOND_STEP_OFF');
      if (!isAppCode(secret, code) || !(await guesses.once(who.id, code, db))) return null;
      await execute(db)`
        update login set totp_on_at = now(), totp_failures = 0, totp_locked_until = null
        where user_id = ${who.id}`;
      // Sessions that began without a code end, and with them the calendar feeds and open invitations.
      const renewed = (await renewSession(db, who)) ?? fail('UNAUTHENTICATED');
      await endAccess(db, who.id, renewed.id);
      await tell(db, context, 'second-step-on');
      return renewed;
    });
    s.giveCookie(context, session);
    return { status: true };
  });

  /** What needs password and code. */
  async function changed<T>(
    context: Showing,
    { password, code }: { password: string; code: string },
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const { who, request } = context;
    if (!(await isOn(db, who.id))) fail('SECOND_STEP_OFF');
    // Before a code is spent.
    const hash = await s.rightPassword(who, request, { password });
    return judged(context, async (db) => {
      if ((await passwordOf(db, who.id)) !== hash) fail('UNAUTHENTICATED');
      if (!(await isOn(db, who.id))) fail('SECOND_STEP_OFF');
      return (await spendCode(db, who.id, code)) ? work(db) : null;
    });
  }

  on(disableSecondStep, (shown, context) =>
    changed(context, shown, async (db) => {
      await turnOff(db, context.who.id);
      await tell(db, context, 'second-step-off');
      return { status: true };
    }),
  );

  on(newBackupCodes, (shown, context) =>
    changed(context, shown, async (db) => {
      const backupCodes = newCodes();
      await execute(db)`
        update login set backup_hashes = ${backupCodes.map(codeHash)}
        where user_id = ${context.who.id}`;
      await tell(db, context, 'backup-codes-new');
      return { backupCodes };
    }),
  );
}

interface Around {
  database: Pick<Database, 'system'>;
  config: Config;
  guesses: Pick<Guesses, 'lift'>;
  mail: Pick<Mail, 'send'>;
}

/**
 * `npm run admin -- --remove-second-factor EMAIL`: for an owner who cannot pass two-step sign-in. A thief
 * of the password may have set the factor up, so the password ends, too. The owner chooses a new one by
 * mail.
 */
export async function removeSecondFactor(
  { database, config, guesses, mail: mailer }: Around,
  email: string,
): Promise<{ done: boolean; says: string }> {
  const { user, wasOn } = await database.system([], async (db) => {
    const found = await accountOn(db, email);
    const user = found && (await lockAccount(db, found));
    if (!user || !(await isOn(db, user.id))) return { user, wasOn: false };
    await turnOff(db, user.id);
    await execute(db)`update login set password_hash = null where user_id = ${user.id}`;
    await endAccess(db, user.id);
    await guesses.lift(db, email);
    const action = 'second factor removed';
    await audit(db, { actorId: null, action, subject: user.id, detail: 'by the operator' });
    return { user, wasOn: true };
  });
  if (!user) return { done: false, says: `No account has the address ${email}.` };
  if (!wasOn)
    return { done: false, says: `Two-step sign-in is off for ${email}. Nothing was changed.` };
  const says =
    `Two-step sign-in of ${email} is removed. Its password and its backup codes no longer work, and every\n` +
    'device is signed out. Its owner chooses a new password with "Forgot password?" on the login page.';
  try {
    await mailer.send(secondStepRemoved(config, user));
    return { done: true, says };
  } catch {
    const untold = 'The mail about it could not be sent: please tell the owner.';
    return { done: false, says: `${says}\n${untold}` };
  }
}
