// A new address of an account: the new one is proven first by a mailed link, the old one is told.
//
// The link works only in a session of the account that asked. Otherwise a stranger could mail it to
// a person whose press would prove the address for the stranger's account. It ends with the
// password: a thief who asked for a new address loses it when the owner chooses a new password.
// An unconfirmed account keeps its address: it may be another person's, and the links in their
// mailbox must not end because a stranger moves on.
import type { Services } from '../../services.ts';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { changeEmail, confirmNewEmail } from '../../../contract/join.ts';
import { type Database, type Db, type RowOf, sql } from '../../db/connection.ts';
import { own } from '../../db/write.ts';
import { fail, refuseField } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { addressChangedMail, addressTakenMail, newAddressMail } from '../mails/staff.ts';
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
  const { secret, publicUrl } = config;
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'rally new address link, HMAC', 32));
  const markOf = (hash: string | null) =>
    createHmac('sha256', key)
      .update(hash ?? '')
      .digest('base64url');

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
    const link = await linkOf(who, { to: email, mark: markOf(hash) });
    const { rows: holders } = await sql<RowOf<'user', 'id'>>`
      select id from "user" where email = ${email}`.execute(db);
    const ids = holders.map(({ id }) => id);
    // A deletion of one of the two accounts erases the mail, or has ended before.
    await writeAccounts(who, { ids, lock: 'key share' }, async (db, accounts) => {
      const taken = accounts.find((one) => one.email === email && one.id !== who.id);
      // Not of the kind 'confirm': anybody can cause it, and its link is of no use to the address.
      if (!(await guesses.mayWrite(email, 'new-address', db))) return own(null);
      const message = taken
        ? addressTakenMail(config, taken)
        : newAddressMail(config, email, { link, about: [who.id] });
      await jobs.send(db, 'send-mail', message);
      return own(null);
    });
    return { status: true };
  });

  const linkOf = async (who: Caller, { to, mark }: Omit<Asked, 'from'>) => {
    const token = await new SignJWT({ from: who.email, to, mark })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(publicUrl)
      .setAudience(audience)
      .setSubject(who.id)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key);
    // A fragment reaches no log.
    return `${publicUrl}/newaddress#${token}`;
  };

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
    if (!isSame(markOf(hash), mark)) fail('BAD_LINK');
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
    await jobs.leaveAddress(db, from, who.id);
    await audit(db, { actorId: who.id, action: changed, subject: who.id });
    await jobs.send(db, 'send-mail', addressChangedMail(config, user, to));
    return hash;
  }
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
