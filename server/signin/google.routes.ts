// The way to Google and back, and which account the person gets: the one that is connected with
// this Google account, else the one on this address, else a new one.
import { DatabaseError } from 'pg';
import { googleCallback, signInWithGoogle } from '../../contract/signin/signin.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked } from '../platform/http/on.ts';
import { createIssuer, createTrips, type Person, tripSeconds } from './google.ts';
import { type Claimed, lockAccount, proveAddress } from './prove.ts';
import type { Signin } from './services.ts';
import type { Begun } from './sessions.ts';

/** Why nobody is let in: a word for the address of the login page. */
type Refused = 'account_not_linked' | 'blocked' | 'second_step' | 'unable_to_link_account';
type Found = { id: string; isConnected: boolean };

export function google(s: Signin): void {
  const { config, cookies, log } = s;
  const { adminEmail } = config;
  const trips = createTrips(config);
  const issuer = config.google && createIssuer(config.google, { ...config, log });

  s.on(signInWithGoogle, async (asked, exchange) => {
    if (!issuer) fail('GOOGLE_NOT_SET_UP');
    const { trip, sealed } = trips.begin(asked);
    const url = await issuer.addressFor(trip);
    cookies.set(exchange, 'state', sealed, tripSeconds);
    return { url };
  });

  s.on(googleCallback, async ({ state, code, error }, exchange) => {
    if (!issuer) fail('GOOGLE_NOT_SET_UP');
    if (!state) return '/login?error=state_not_found';
    const trip = trips.end(cookies.read(exchange.request, 'state'), state);
    if (!trip) return '/login?error=state_mismatch';
    cookies.clear(exchange, 'state');
    const refused = (reason: string) => trips.refusal(trip, reason);
    if (error) return refused(typeof error === 'string' ? error : 'unknown');
    if (typeof code !== 'string' || code === '') return refused('no_code');
    const person = await issuer.personOf(code, trip);
    if (typeof person === 'string') return refused(person);
    const entered = await enter(person, exchange.request);
    if (typeof entered === 'string') return refused(entered);
    s.giveCookie(exchange, entered.session);
    return entered.isNew ? trip.isNew : trip.next;
  });

  async function enter(
    person: Person,
    request: Asked,
    tries = 3,
  ): Promise<{ session: Begun; isNew: boolean } | Refused> {
    const { rows } = await sql<Found>`
      select u.id, google_sub is not distinct from ${person.sub} as is_connected
      from "user" u left join login on user_id = u.id
      where u.id = coalesce((select user_id from login where google_sub = ${person.sub}),
        (select id from "user" where email = ${person.email}))`.execute(s.db);
    try {
      return await s.system([], async (db) => {
        const user = await claim(db, person, rows[0]);
        if (typeof user === 'string') return user;
        const session = await s.letIn(db, user, { kept: true, request });
        return { session, isNew: rows.length === 0 };
      });
    } catch (error) {
      // Somebody has signed up with this address, or connected this Google account, meanwhile.
      const isTaken = error instanceof DatabaseError && error.code === '23505';
      if (isTaken && tries > 1) return enter(person, request, tries - 1);
      throw error;
    }
  }

  async function claim(db: Db, person: Person, found?: Found): Promise<Claimed | Refused> {
    const { sub, email } = person;
    const { id, isConnected } = found ?? { id: await insert(db, person), isConnected: false };
    const user = await lockAccount(db, isConnected ? { id } : { id, email, adminEmail });
    const { rows } = await sql<{ sub: string | null; isOn: boolean }>`
      select google_sub as sub, totp_on_at is not null as is_on from login where user_id = ${id}`.execute(
      db,
    );
    const login = rows[0] ?? { sub: null, isOn: false };
    // Deleted, moved to another address, or disconnected since it was found.
    if (!user || (isConnected && login.sub !== sub)) return 'account_not_linked';
    if (user.blocked) return 'blocked';
    const isTheirs = login.sub === sub;
    if (!user.proven && !isTheirs) {
      await proveAddress(db, user, { adminEmail, googleSub: sub });
      if (found)
        await s.tell(db, { ...user, proven: true }, mail('account-taken-over', { to: id }));
      return user;
    }
    // Google asks for no code of ours.
    if (login.isOn) return 'second_step';
    if (isTheirs) return user;
    if (login.sub !== null) return 'unable_to_link_account';
    await sql`
      insert into login (user_id, google_sub) values (${id}, ${sub})
      on conflict (user_id) do update set google_sub = excluded.google_sub`.execute(db);
    await s.tell(db, user, mail('google-connected', { to: id }));
    return user;
  }
}

async function insert(db: Db, { email, name, image }: Person): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into "user" (email, name, image) values (${email}, ${name}, ${image}) returning id`.execute(
    db,
  );
  return rows[0]?.id ?? '';
}
