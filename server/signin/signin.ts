// Signing up, signing in with a password, the session, and the access token that is made from it.
import { cleanName, email as emailRule } from '../../contract/platform/rules.ts';
import {
  type AuthUser,
  getSession,
  jwt,
  passwordCalls,
  revokeOtherSessions,
  signIn as signInCall,
  signOut,
  updateProfile,
} from '../../contract/signin/signin.ts';
import { type Db, execute, query } from '../platform/db/connection.ts';
import { hashOf } from '../platform/db/hashed.ts';
import { own } from '../platform/db/write.ts';
import { mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import type { Exchange } from './cookies.ts';
import { hashPassword, isPassword } from './hashes.ts';
import type { Signin } from './services.ts';
import { linkSeconds, makeLink } from './links.ts';
import { accountOn, type Claimed, endAccess } from './prove.ts';
import { familyDays } from './sessions.ts';

/** An account, with what lets in at this moment. */
interface Entering extends Claimed {
  image: string | null;
  hash: string | null;
  /** Two-step sign-in is on. */
  totp: boolean;
}

async function enteringAt(db: Db, email: string): Promise<Entering | undefined> {
  const rows = await query<Entering>(db)`
    select id, email, name, image, proven_at is not null as proven, blocked_at is not null as blocked,
      registered_at is not null as registered, password_hash as hash, totp_on_at is not null as totp
    from "user" left join login on user_id = id where email = ${email}`;
  return rows[0];
}

export const presentUser = ({ id, email, name, image }: AuthUser): AuthUser => ({
  id,
  email,
  name: cleanName(name),
  image,
});

export function signIn(s: Signin): void {
  const { cookies } = s;

  s.on(signInCall, async ({ password, rememberMe: kept = true, ...form }, exchange) => {
    // A text that is no address is refused like a wrong password and counted nowhere.
    const email = emailRule.safeParse(form.email).data ?? fail('WRONG_CREDENTIALS');
    const { request } = exchange;
    const judged = await judge(email, password, request.ip);
    const { user, session, challenge } = await s.system([judged.id], async (db) => {
      const user = await enteringAt(db, email);
      // The password was replaced, or the address, while it was being judged.
      if (user?.id !== judged.id || user.hash !== judged.hash) fail('WRONG_CREDENTIALS');
      if (user.blocked) refuseBlocked();
      return user.totp
        ? { user, challenge: await makeLink(db, { userId: user.id, kind: 'second-step' }) }
        : { user, session: await s.letIn(db, user, { kept, request }) };
    });
    rememberHow(exchange, kept);
    if (session) {
      s.giveCookie(exchange, session);
      return { user: presentUser(user) };
    }
    cookies.clear(exchange, 'session_token');
    cookies.set(exchange, 'two_factor', challenge, linkSeconds('second-step'));
    return { twoFactor: true };
  });

  /** One statement and one hash, also for an address without an account. */
  async function judge(email: string, password: string, ip: string): Promise<Entering> {
    const found = await enteringAt(s.db, email);
    const isRight = await s.guesses.judge({ email, ip }, () =>
      isPassword(found?.hash ?? null, password),
    );
    return isRight && found ? found : fail('WRONG_CREDENTIALS');
  }

  /** Only who has the password is told. */
  function refuseBlocked(): never {
    const message = `This account is blocked. Write to ${s.config.contactEmail ?? 'the academy'}.`;
    return fail('ACCOUNT_BLOCKED', { message });
  }

  /** Also for the second step, which is another request. */
  function rememberHow(exchange: Exchange, kept: boolean): void {
    if (!kept) cookies.set(exchange, 'dont_remember', 'true');
    else if (cookies.read(exchange.request, 'dont_remember'))
      cookies.clear(exchange, 'dont_remember');
  }

  s.on(signOut, async (_form, exchange) => {
    const secret = cookies.read(exchange.request, 'session_token');
    // First the row: who is told that they are out must be out.
    if (secret) await execute(s.db)`delete from session where secret_hash = ${hashOf(secret)}`;
    cookies.clear(exchange, 'session_token');
    cookies.clear(exchange, 'dont_remember');
    return { status: true };
  });

  s.on(getSession, async (_query, exchange) => {
    const who = await s.holderOf(exchange.request);
    const rows = await query<AuthUser & { expiresAt: Date; renews: boolean }>(s.db)`
      select u.id, u.email, u.name, u.image, s.expires_at,
        s.kept and s.made_at < now() - interval '1 day' as renews
      from session s join "user" u on u.id = s.user_id
      where s.id = ${who?.sessionId ?? null}`;
    if (!who || !rows[0]) return null;
    const { expiresAt, renews, ...user } = rows[0];
    // The session lives on from this visit, and so does its cookie.
    const secret = renews && cookies.read(exchange.request, 'session_token');
    if (secret) cookies.set(exchange, 'session_token', secret, familyDays * 24 * 3_600);
    return {
      user: presentUser(user),
      session: { id: who.sessionId, expiresAt: expiresAt.toISOString() },
    };
  });

  s.on(updateProfile, ({ name, image }, { who }) =>
    s.write(who, async (db) => {
      await execute(db)`
        update "user" set name = coalesce(${name ?? null}, name),
          image = coalesce(${image ?? null}, image), updated_at = now()
        where id = ${who.id}`;
      return own({ status: true });
    }),
  );

  // With the lock for update: an act of another session that is under way makes nothing more.
  s.on(revokeOtherSessions, (_form, { who }) =>
    s.writeAccounts(who, { ids: [], lock: 'update' }, async (db) => {
      await endAccess(db, who.id, who.sessionId);
      return own({ status: true });
    }),
  );

  s.on(jwt, async ({ email }, { who }) => {
    if (email !== who.email) fail('UNAUTHENTICATED');
    return { token: await s.tokens.sign({ userId: who.id, sessionId: who.sessionId }) };
  });
}

interface Form {
  name: string;
  image: string;
  email: string;
}

/** The answer is the same whether the address is known or not; the mail tells its owner. */
export function signUp(s: Signin): void {
  s.on(
    passwordCalls(s.config.strictPasswords).signUp,
    async ({ password, ...form }, { request }) => {
      await s.guesses.signUp({ ip: request.ip, email: form.email }, async () => {
        const hash = await hashPassword(password);
        await s.system([], async (db) => {
          const id = await insertAccount(db, form, hash);
          await (id === null ? tellKnown(db, form.email) : tellNew(db, id, form));
        });
      });
      return { status: true };
    },
  );

  const tellNew = (db: Db, id: string, { email, name }: Form) => {
    const user = { id, email, name, proven: false, blocked: false, registered: false };
    return s.tell(db, user, mail('confirm-address', { to: id }), 'confirm');
  };

  async function tellKnown(db: Db, email: string): Promise<void> {
    // It may have left the address since the insert found it there: the next try finds it free.
    const user = (await accountOn(db, email)) ?? fail('UNAVAILABLE', {}, 1);
    const ids = { to: user.id };
    if (user.proven) await s.tell(db, user, mail('sign-up-again', ids), 'sign-up');
    else await s.tell(db, user, mail('confirm-again', ids), 'confirm');
  }
}

/** Null: the address has an account. Of two sign-ups at the same moment the second waits for the first. */
async function insertAccount(db: Db, form: Form, hash: string): Promise<string | null> {
  const rows = await query<{ id: string }>(db)`
    insert into "user" (name, image, email) values (${form.name}, ${form.image}, ${form.email})
    on conflict (email) do nothing returning id`;
  if (!rows[0]) return null;
  await execute(db)`insert into login (user_id, password_hash) values (${rows[0].id}, ${hash})`;
  return rows[0].id;
}
