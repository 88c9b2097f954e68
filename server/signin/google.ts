// Sign-in with Google, or with any OpenID Connect issuer in its place: code flow with PKCE, state,
// nonce, a checked ID token. Which account the person gets: the one that is connected with this Google
// account, else the one on this address, else a new one.
import { createHash, hkdfSync } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { DatabaseError } from 'pg';
import {
  cleanName,
  email as emailRule,
  isDeletedAddress,
  picture as pictureRule,
} from '../../contract/platform/rules.ts';
import { ownPath } from '../../contract/platform/ownpath.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { googleCallback, signInWithGoogle } from '../../contract/signin/signin.ts';
import type { Config } from '../platform/config.ts';
import { type Db, execute, query } from '../platform/db/connection.ts';
import { newSecret } from '../platform/db/hashed.ts';
import { assertOutsideTransaction } from '../platform/db/transaction.ts';
import { mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked } from '../platform/http/on.ts';
import { seal, unseal } from '../platform/sealed.ts';
import type { Log } from '../platform/services.ts';
import { type Claimed, lockAccount, neutralName, proveAddress } from './prove.ts';
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
    s.giveCookie(exchange, entered);
    return trip.next;
  });

  async function enter(person: Person, request: Asked, tries = 3): Promise<Begun | Refused> {
    const rows = await query<Found>(s.db)`
      select u.id, google_sub is not distinct from ${person.sub} as is_connected
      from "user" u left join login on user_id = u.id
      where u.id = coalesce((select user_id from login where google_sub = ${person.sub}),
        (select id from "user" where email = ${person.email}))`;
    try {
      return await s.system([], async (db) => {
        const user = await claim(db, person, rows[0]);
        return typeof user === 'string' ? user : s.letIn(db, user, { kept: true, request });
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
    const rows = await query<{ sub: string | null; isOn: boolean }>(db)`
      select google_sub as sub, totp_on_at is not null as is_on from login where user_id = ${id}`;
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
    await execute(db)`
      insert into login (user_id, google_sub) values (${id}, ${sub})
      on conflict (user_id) do update set google_sub = excluded.google_sub`;
    await s.tell(db, user, mail('google-connected', { to: id }));
    return user;
  }
}

async function insert(db: Db, { email, name, image }: Person): Promise<string> {
  const rows = await query<{ id: string }>(db)`
    insert into "user" (email, name, image) values (${email}, ${name}, ${image}) returning id`;
  return rows[0]?.id ?? '';
}

interface Endpoints {
  authorization: string;
  token: string;
  userInfo: string;
  keys: JWTVerifyGetKey;
  issuer: string;
}

/** What waits in the browser while the visitor is at Google. The paths are of our own site. */
interface Trip {
  state: string;
  nonce: string;
  verifier: string;
  /** Where it leads, and where nobody was let in. */
  next: string;
  refused: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** A person at Google, and an address that Google has verified. */
interface Person {
  sub: string;
  email: string;
  name: string;
  image: string | null;
}

const tripSeconds = 300;

/** Sealed: the visitor can neither read nor change it. */
export function createTrips({ secret, publicUrl }: Pick<Config, 'secret' | 'publicUrl'>) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'rally way to Google', 32));
  const { origin } = new URL(publicUrl);
  /** In ASCII, for a header. Browsers drop a cookie of more than 4,096 bytes: two such paths fit. */
  function own(asked: string | undefined, otherwise: string): string {
    const path = ownPath(asked ?? otherwise, origin);
    return path.length > 900 ? otherwise : path;
  }
  return {
    begin(asked: Parsed<typeof signInWithGoogle>) {
      const trip: Trip = {
        state: newSecret().slice(0, 32),
        nonce: newSecret().slice(0, 32),
        verifier: newSecret(),
        next: own(asked.callbackURL, '/'),
        refused: own(asked.errorCallbackURL, '/login'),
        until: Date.now() + tripSeconds * 1_000,
      };
      return { trip, sealed: seal(key, 'trip', JSON.stringify(trip)).toString('base64url') };
    },
    /** The trip that began with this state in this browser; null for any other, or one that is over. */
    end(sealed: string | undefined, state: unknown): Trip | null {
      const opened = unseal(key, 'trip', Buffer.from(sealed ?? '', 'base64url'));
      const trip = opened === null ? null : (JSON.parse(opened) as Trip);
      return trip && trip.state === state && trip.until > Date.now() ? trip : null;
    },
    refusal(trip: Trip, reason: string): string {
      const url = new URL(trip.refused, origin);
      url.searchParams.append('error', reason);
      return url.pathname + url.search + url.hash;
    },
  };
}

// Asymmetric only: with HS256 the client secret would be a signing key.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const googleItself = 'https://accounts.google.com';

function createIssuer(
  google: NonNullable<Config['google']>,
  { publicUrl, log }: { publicUrl: string; log: Log },
) {
  /** By its message alone: an error of the ID token has the person. A visitor may have caused it. */
  function note(error: unknown): null {
    const why = error instanceof Error ? error.message : 'The code was refused';
    log.warn({}, `Sign-in with Google refused: ${why}`);
    return null;
  }
  const { clientId, clientSecret, issuer } = google;
  const redirectUri = `${publicUrl}/api/auth/callback/google`;
  let known: Promise<Endpoints> | null = null;

  // Asked at the first sign-in and again after every failure: an issuer that was away at start is
  // found when it is back.
  function endpoints(): Promise<Endpoints> {
    known ??= discover(issuer).catch((err: unknown) => {
      known = null;
      log.error({ err }, 'Sign-in with Google failed');
      return fail('GOOGLE_DOWN');
    });
    return known;
  }

  async function claimsOf(idToken: string, nonce: string): Promise<JWTPayload & { sub: string }> {
    const { keys, issuer } = await endpoints();
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms,
      maxTokenAge: '10 minutes',
      clockTolerance: '60 seconds',
      requiredClaims: ['sub', 'exp'],
    });
    const { sub, aud, azp } = payload;
    if (!isPlain(sub)) throw new Error('The subject of the ID token is no plain text');
    if (payload['nonce'] !== nonce) throw new Error('The nonce of the ID token is not ours');
    if (Array.isArray(aud) && aud.length > 1 && azp !== clientId)
      throw new Error('The ID token is meant for another client, too, and was not issued to us');
    return { ...payload, sub };
  }

  // Google puts the profile into the ID token; issuers by the book keep it for the userinfo
  // endpoint.
  async function profileOf(claims: JWTPayload, accessToken: unknown): Promise<JWTPayload> {
    if (claims['email'] || typeof accessToken !== 'string') return claims;
    const { userInfo } = await endpoints();
    const more = await getJson(userInfo, { headers: { authorization: `Bearer ${accessToken}` } });
    if (more['sub'] !== claims.sub) throw new Error('The userinfo endpoint names another person');
    return more;
  }

  async function tokensFor(code: string, verifier: string): Promise<Record<string, unknown>> {
    assertOutsideTransaction('The OpenID issuer');
    const { token } = await endpoints();
    const body = new URLSearchParams({ grant_type: 'authorization_code', code });
    body.set('code_verifier', verifier);
    body.set('redirect_uri', redirectUri);
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
    return getJson(token, { method: 'POST', body });
  }

  async function personIn(tokens: Record<string, unknown>, nonce: string): Promise<Person> {
    const { id_token: idToken, access_token: accessToken } = tokens;
    if (typeof idToken !== 'string') throw new Error('The issuer answered without an ID token');
    const claims = await claimsOf(idToken, nonce);
    const profile = await profileOf(claims, accessToken);
    const email = addressIn(profile);
    const { email_verified: verified } = profile;
    // It may be anybody's. Refused before an account is looked for: the answer would tell of one.
    if (email === null || (verified !== true && verified !== 'true'))
      throw new Error('The issuer has not verified the address');
    const image = pictureRule.safeParse(profile['picture']).data ?? null;
    return { sub: claims.sub, email, name: nameIn(profile) || neutralName(email), image };
  }

  return {
    /** Where the browser goes on to. */
    addressFor: async ({ state, nonce, verifier }: Trip): Promise<string> => {
      const url = new URL((await endpoints()).authorization);
      const query = {
        response_type: 'code',
        client_id: clientId,
        state,
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        nonce,
        // People with several Google accounts choose; the word is Google's, other issuers may
        // refuse it.
        ...(issuer === googleItself ? { prompt: 'select_account' } : {}),
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },

    /** Who came back with this code, or why nobody did: a word for the address of the login page. */
    personOf: async (
      code: string,
      { verifier, nonce }: Trip,
    ): Promise<Person | 'invalid_code' | 'unable_to_get_user_info'> => {
      const tokens = await tokensFor(code, verifier).catch(note);
      if (!tokens) return 'invalid_code';
      return (await personIn(tokens, nonce).catch(note)) ?? 'unable_to_get_user_info';
    },
  };
}

/** OpenID Connect: at most 255 characters of ASCII. */
const isPlain = (sub: unknown): sub is string =>
  typeof sub === 'string' && /^[\x21-\x7e]{1,255}$/.test(sub);

/**
 * Null for a text that is no address by our own rule. Letters outside ASCII are refused before the
 * rule makes them small: the Kelvin sign would become a k, and the address another person's.
 */
function addressIn({ email }: JWTPayload): string | null {
  const ascii = typeof email === 'string' && /^[\x20-\x7e]*$/.test(email);
  const address = ascii ? emailRule.safeParse(email).data : undefined;
  return address && !isDeletedAddress(address) ? address : null;
}

function nameIn({ name }: JWTPayload): string {
  return typeof name === 'string' ? cleanName(name) : '';
}

async function discover(issuer: string): Promise<Endpoints> {
  const found = await getJson(`${issuer}/.well-known/openid-configuration`);
  if (String(found['issuer']).replace(/\/+$/, '') !== issuer)
    throw new Error('The issuer calls itself by another name');
  const endpoint = (name: string) => {
    const url = new URL(String(found[name]));
    // Tokens and secrets travel there: never in the clear, unless the issuer itself is on this
    // machine.
    if (url.protocol !== 'https:' && url.origin !== new URL(issuer).origin)
      throw new Error(`${name} is not https`);
    return url;
  };
  return {
    authorization: endpoint('authorization_endpoint').href,
    token: endpoint('token_endpoint').href,
    userInfo: endpoint('userinfo_endpoint').href,
    keys: createRemoteJWKSet(endpoint('jwks_uri'), { timeoutDuration: 5_000 }),
    issuer: String(found['issuer']),
  };
}

async function getJson(url: string, asked: RequestInit = {}): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(url, { ...asked, redirect: 'error', signal });
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}`);
  return (await answer.json()) as Record<string, unknown>;
}
