// Sign-in with Google, or with any OpenID Connect issuer in its place: code flow with PKCE, state,
// nonce, a checked ID token.
// Not for: which account such a person gets. Better Auth links only addresses that both sides have
// verified; before that, onProven ends the ways in that a stranger may have to an unconfirmed account
// (confirmation.ts).
import { APIError } from 'better-auth';
import {
  createAuthorizationURL,
  validateAuthorizationCode,
  type OAuthProvider,
} from 'better-auth/oauth2';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import {
  cleanName,
  email as emailRule,
  isDeletedAddress,
  picture as pictureRule,
} from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Db, sql } from '../../db/connection.ts';
import { hashOf } from '../../db/hashed.ts';
import { assertOutsideTransaction } from '../../db/transaction.ts';
import { neutralName } from './confirmation.ts';

type Google = NonNullable<Config['google']>;

interface Endpoints {
  authorization: string;
  token: string;
  userInfo: string;
  keys: JWTVerifyGetKey;
  issuers: string[];
}

const scopes = ['openid', 'email', 'profile'];
// Asymmetric only: with HS256 the client secret would be a signing key.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** Known by heart, so that a start without the network does not leave the button dead. */
const googleItself = 'https://accounts.google.com';
const byHeart = (): Endpoints => ({
  authorization: `${googleItself}/o/oauth2/v2/auth`,
  token: 'https://oauth2.googleapis.com/token',
  userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  keys: createRemoteJWKSet(new URL('https://www.googleapis.com/oauth2/v3/certs')),
  issuers: [googleItself, 'accounts.google.com'],
});

interface Around {
  /** A fault of ours or of the issuer. */
  complain: (error: unknown) => void;
  /** What a visitor may have caused. */
  note: (message: string) => void;
  /**
   * Google says that this address belongs to this person. Called before an account is chosen for
   * them.
   */
  onProven: (proven: { email: string; sub: string }) => Promise<void>;
}

export function googleProvider(
  google: Google,
  { complain, note, onProven }: Around,
): OAuthProvider<JWTPayload> {
  const { clientId, clientSecret, issuer } = google;
  let known: Promise<Endpoints> | null = null;

  // Asked at the first sign-in and again after every failure: an issuer that was away at start is
  // found when it is back.
  function endpoints(): Promise<Endpoints> {
    known ??= (issuer === googleItself ? Promise.resolve(byHeart()) : discover(issuer)).catch(
      (error: unknown) => {
        known = null;
        complain(error);
        throw new APIError('SERVICE_UNAVAILABLE', {
          code: 'ISSUER_DOWN',
          message: 'The issuer does not answer',
        });
      },
    );
    return known;
  }

  async function claimsOf(idToken: string, nonce: string): Promise<JWTPayload> {
    const { keys, issuers } = await endpoints();
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: issuers,
      audience: clientId,
      algorithms,
      maxTokenAge: '10 minutes',
      clockTolerance: '60 seconds',
      requiredClaims: ['sub', 'exp'],
    });
    if (!isPlain(payload.sub)) throw new Error('The subject of the ID token is no plain text');
    if (payload['nonce'] !== nonce) throw new Altered('The nonce of the ID token is not ours');
    if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload['azp'] !== clientId)
      throw new Error('The ID token is meant for another client, too, and was not issued to us');
    return payload;
  }

  // Google puts the profile into the ID token; issuers by the book keep it for the userinfo
  // endpoint.
  async function profileOf(
    claims: JWTPayload,
    accessToken: string | undefined,
  ): Promise<JWTPayload> {
    if (claims['email'] || !accessToken) return claims;
    const { userInfo } = await endpoints();
    const more = await getJson(userInfo, { authorization: `Bearer ${accessToken}` });
    if (more['sub'] !== claims.sub) throw new Error('The userinfo endpoint names another person');
    return { ...more, sub: claims.sub };
  }

  async function whoSignedIn(
    idToken: string | undefined,
    accessToken: string | undefined,
    expectedIdTokenNonce: string | undefined,
  ) {
    try {
      if (!idToken || !expectedIdTokenNonce)
        throw new Altered('The issuer answered without an ID token');
      const profile = await profileOf(await claimsOf(idToken, expectedIdTokenNonce), accessToken);
      const { email_verified: verified } = profile;
      const image = pictureRule.safeParse(profile['picture']).data;
      const email = addressIn(profile);
      if (email === null) return null;
      return {
        user: {
          email,
          emailVerified: verified === true || verified === 'true',
          name: nameIn(profile) || neutralName(email),
          ...(image && { image }),
        },
        data: profile,
      };
    } catch (error) {
      if (error instanceof Altered) note(error.message);
      else complain(error);
      return null;
    }
  }

  return {
    id: 'google',
    name: 'Google',
    // Makes Better Auth create a nonce, keep it with the state and hand it back to getUserInfo.
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => profile.sub ?? '',

    createAuthorizationURL: async ({ state, codeVerifier, redirectURI, idTokenNonce }) =>
      createAuthorizationURL({
        id: 'google',
        options: { clientId, clientSecret },
        authorizationEndpoint: (await endpoints()).authorization,
        scopes,
        state,
        codeVerifier,
        redirectURI,
        nonce: idTokenNonce,
        // People with several Google accounts choose; the word is Google's, other issuers may
        // refuse it.
        ...(issuer === googleItself ? { prompt: 'select_account' } : {}),
      }),

    validateAuthorizationCode: async ({ code, codeVerifier, redirectURI }) => {
      assertOutsideTransaction('The OpenID issuer');
      return validateAuthorizationCode({
        code,
        codeVerifier,
        redirectURI,
        options: { clientId, clientSecret },
        tokenEndpoint: (await endpoints()).token,
      });
    },

    getUserInfo: async ({ idToken, accessToken, expectedIdTokenNonce }) => {
      const found = await whoSignedIn(idToken, accessToken, expectedIdTokenNonce);
      if (!found) return null;
      const { emailVerified, email } = found.user;
      // It may be anybody's. Refused before an account is looked for: the answer would tell of one.
      if (!emailVerified) {
        note('The issuer has not verified the address');
        return null;
      }
      await onProven({ email, sub: found.data.sub ?? '' });
      return found;
    },
  };
}

/** The visitor changed the address that we sent the browser to. */
class Altered extends Error {}

/** OpenID Connect: at most 255 characters of ASCII. */
const isPlain = (sub: unknown) => typeof sub === 'string' && /^[\x21-\x7e]{1,255}$/.test(sub);

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
    issuers: [String(found['issuer'])],
  };
}

async function getJson(
  url: string,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  });
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Whether the visitor who left with this state has not come back with it. It stays unspent. */
export async function isUnderWay(db: Db, state: string): Promise<boolean> {
  // Better Auth stores the identifier as a hash.
  const identifier = hashOf(`auth-state:${state}`).toString('base64url');
  const { rows } = await sql`
    select from verification where identifier = ${identifier} and expires_at > now()`.execute(db);
  return rows.length > 0;
}
