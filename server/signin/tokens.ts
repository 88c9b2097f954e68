// The access token of section 7: made from a live session, checked at every request. It says who
// and which session, never a role.
import { createPrivateKey, createPublicKey, hkdfSync, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

const audience = 'rally-api';
const typ = 'at+jwt';
const alg = 'EdDSA';
const lifetime = 15 * 60;
/** The clocks of several machines differ, and a 401 signs people out. */
const clockTolerance = 30;
/** Enough for all who are active within the life of a token; each takes about a kilobyte. */
const most = 10_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Claims {
  userId: string;
  sessionId: string;
}

export interface Tokens {
  sign(claims: Claims): Promise<string>;
  /** Null for whatever is not exactly a token of ours. */
  verify(token: string): Promise<Claims | null>;
}

/**
 * Every process derives the same key from the secret, so nothing is stored and any of them can
 * check any token.
 */
export function createTokens(
  { secret, publicUrl }: { secret: string; publicUrl: string },
  { remembered = most } = {},
): Tokens {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'rally access token, Ed25519', 32));
  // PKCS #8 of an Ed25519 key is this prefix (RFC 8410) and the seed.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const verified = new Verified(remembered);

  return {
    sign: ({ userId, sessionId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg, typ })
        .setIssuer(publicUrl)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${lifetime}s`)
        .sign(privateKey),

    verify: async (token) => {
      const known = verified.get(token);
      if (known) return known;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: [alg],
          typ,
          issuer: publicUrl,
          audience,
          maxTokenAge: lifetime,
          clockTolerance,
          requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp'],
        });
        const { sub, sid, iat = 0, exp = 0 } = payload;
        if (
          typeof sub !== 'string' ||
          typeof sid !== 'string' ||
          !uuid.test(sub) ||
          !uuid.test(sid)
        )
          return null;
        const claims = { userId: sub, sessionId: sid };
        verified.add(token, claims, { from: iat, to: Math.min(exp, iat + lifetime) });
        return claims;
      } catch {
        return null;
      }
    },
  };
}

/**
 * The tokens whose signature was right, so that it is not checked again at every request. They are
 * valid for the same seconds as when their signature is checked. When there are too many, the one
 * that was used least recently is dropped. Whether the session lives is not remembered.
 */
class Verified {
  readonly #most: number;
  readonly #known = new Map<string, { claims: Claims; from: number; to: number }>();

  constructor(limit: number) {
    this.#most = limit;
  }

  get(token: string): Claims | null {
    const known = this.#known.get(token);
    if (!known) return null;
    this.#known.delete(token);
    const now = Math.floor(Date.now() / 1_000);
    if (now < known.from - clockTolerance || now >= known.to + clockTolerance) return null;
    this.#known.set(token, known);
    return known.claims;
  }

  add(token: string, claims: Claims, { from, to }: { from: number; to: number }): void {
    this.#known.set(token, { claims, from, to });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
  }
}
