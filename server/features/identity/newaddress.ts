// A new address of an account: the new one is proven first by a mailed link, the old one is told.
//
// The link works only in a session of the account that asked. Otherwise a stranger could mail it to
// a person whose press would prove the address for the stranger's account. It ends with the
// password: a thief who asked for a new address loses it when the owner chooses a new password.
// An unconfirmed account keeps its address: it may be another person's, and the links in their
// mailbox must not end because a stranger moves on.
import type { Services } from '../../services.ts';
import type { Config } from '../../config.ts';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { changeEmail, confirmNewEmail } from '../../../contract/join.ts';
import { type Database, type Db, type RowOf, sql } from '../../db/connection.ts';
import { own } from '../../db/write.ts';
import { fail, refuseField } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { mail, type NewAddress } from '../mails/kinds.ts';
import { endInvitations } from '../people/participants.ts';
import { endStaffInvitations, refuseUnconfirmed } from '../people/users.ts';
import {
  disconnectGoogle,
  endAccess,
  endLinks,
  isShown,
  lockAccount,
  passwordOf,
} from './confirmation.ts';
import type { Guesses } from './guesses.ts';
import { verifyPassword } from './passwords.ts';
import type { Provider } from './provider.ts';
import { unblocked } from './staff.ts';

const audience = 'rally-new-address';

interface Asked {
  from: string;
  to: string;
  /** Of the password of that moment. */
  mark: string;
}

export function newAddress({
  on,
  config,
  database,
  jobs,
  guesses,
  provider,
}: Pick<Services, 'on' | 'config' | 'jobs'> & {
  database: Database;
  guesses: Guesses;
  provider: Provider;
}): void {
  const { db, system, writeAccounts } = database;
  const { publicUrl } = config;
  const key = keyOf(config);

  on(changeEmail, async ({ email, password }, { who, request }) => {
    await refuseUnconfirmed(db, who);
    // A stolen session must not become a way to guess the password.
    const guess = await guesses.charge({ purpose: 'change', who: who.id, address: request.ip });
    const hash = await passwordOf(db, who.id);
    if (hash === null)
      fail('PASSWORD_NEEDED', {
        field: 'password',
        message: 'Your account has no password yet. Log out and choose one with Forgot password.',
      });
    if (!(await guess.judge(verifyPassword({ hash, password }))))
      fail('WRONG_PASSWORD', { field: 'password' });
    if (!(await isShown(db, who.id, who))) fail('UNAUTHENTICATED');
    await guess.succeeded();
    if (email === who.email) refuseField('email', 'is your address already');
    const { rows: holders } = await sql<RowOf<'user', 'id'>>`
      select id from "user" where email = ${email}`.execute(db);
    const ids = holders.map(({ id }) => id);
    await writeAccounts(who, { ids, lock: 'key share' }, async (db, accounts) => {
      const taken = accounts.find((one) => one.email === email && one.id !== who.id);
      // Not of the kind 'confirm': anybody can cause it, and its link is of no use to the address.
      if (!(await guesses.mayWrite(email, 'new-address', db))) return own(null);
      const at = Math.floor(Date.now() / 1_000);
      const asked = { by: who.id, email, mark: markOf(key, hash), at };
      const told = taken ? mail('address-taken', { to: taken.id }) : mail('new-address', asked);
      await jobs.send(db, 'send-mail', told);
      return own(null);
    });
    return { status: true };
  });

  on(confirmNewEmail, async ({ token }, context) => {
    const { who } = context;
    const read = await jwtVerify<Asked>(token, key, {
      algorithms: ['HS256'],
      issuer: publicUrl,
      audience,
      subject: who.id,
      clockTolerance: '30 seconds',
      requiredClaims: ['exp', 'from', 'to', 'mark'],
    }).catch(() => fail('BAD_LINK'));
    const { from, to, mark, iat = 0 } = read.payload;
    const asked = { from, to, mark, at: iat };
    const hash = await unlessTaken(() => system([], (db) => change(db, who, asked)));
    // Another person may sign up with the old address.
    await guesses.forgetPlaces({ id: who.id, email: from });
    if (hash) provider.rememberDevice(context, guesses.deviceFor(to, hash));
    return { status: true, email: to };
  });

  async function change(
    db: Db,
    who: Caller,
    { from, to, mark, at }: Asked & { at: number },
  ): Promise<string | null> {
    const user = await lockAccount(db, who.id);
    if (!user?.emailVerified || user.email !== from) fail('BAD_LINK');
    if (!(await isShown(db, who.id, who))) fail('BAD_LINK');
    const hash = await passwordOf(db, who.id);
    if (!isSame(markOf(key, hash), mark)) fail('BAD_LINK');
    if (await hasEnded(db, who.id, at)) fail('BAD_LINK');
    if (await isTaken(db, to)) fail('HAS_ACCOUNT');
    await sql`update "user" set email = ${to}, email_verified = true, bounced_at = null, updated_at = now()
      where id = ${who.id}`.execute(db);
    // These belong to the old address: invitations, the Google account, links to choose a password.
    await endStaffInvitations(db, { by: who.id, to: from });
    await endInvitations(db, { by: who.id, to: from });
    await endAccess(db, who.id, who.sessionId);
    await disconnectGoogle(db, who.id);
    await endLinks(db, who.id);
    await audit(db, { actorId: who.id, action: changed, subject: who.id });
    await jobs.send(db, 'send-mail', mail('address-changed', { to: who.id, email: from }));
    return hash;
  }
}

type Secret = Pick<Config, 'secret'>;

const keyOf = ({ secret }: Secret) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'rally new address link, HMAC', 32));

const markOf = (key: Uint8Array, hash: string | null) =>
  createHmac('sha256', key)
    .update(hash ?? '')
    .digest('base64url');

/** Null: since it asked, the account got another address or password, or was blocked. */
export async function newAddressLink(
  db: Db,
  config: Secret & Pick<Config, 'publicUrl'>,
  { by, email: to, mark, at }: NewAddress,
): Promise<string | null> {
  const key = keyOf(config);
  const { rows } = await sql<{ from: string }>`
    select email as from from "user" where id = ${by} and blocked_at is null`.execute(db);
  const isAsked = isSame(markOf(key, await passwordOf(db, by)), mark);
  if (!rows[0] || !isAsked || (await hasEnded(db, by, at))) return null;
  const { from } = rows[0];
  const token = await new SignJWT({ from, to, mark })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(config.publicUrl)
    .setAudience(audience)
    .setSubject(by)
    .setIssuedAt(at)
    .setExpirationTime(new Date(Date.now() + 3_600_000))
    .sign(key);
  // A fragment reaches no log.
  return `${config.publicUrl}/newaddress#${token}`;
}

/** A sign-up with the address at the same moment. */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'user_email_key')
      fail('HAS_ACCOUNT');
    throw error;
  }
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const changed = 'address changed';

/** A block and a new address end every link that was mailed before. The log has the second of each. */
async function hasEnded(db: Db, userId: string, since: number): Promise<boolean> {
  const { rows } = await sql`
    select from audit where subject = ${userId} and action in (${unblocked}, ${changed}) and at >= to_timestamp(${since})`.execute(
    db,
  );
  return rows.length > 0;
}

/** Also by an unconfirmed account: its seats may be paid for. Its owner takes it over by a reset. */
async function isTaken(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql`select from "user" where email = ${email}`.execute(db);
  return rows.length > 0;
}
