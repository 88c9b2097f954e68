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
const isId = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(claim);

export interface Claims {
  userId: string;
  sessionId: string;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Every process derives the same key from the secret, so nothing is stored and any of them can
 * check any token.
 */
export function createTokens({ secret, publicUrl }: { secret: string; publicUrl: string }) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'rally access token, Ed25519', 32));
  // PKCS #8 of an Ed25519 key is this prefix (RFC 8410) and the seed.
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);

  return {
    sign: ({ userId, sessionId }: Claims): Promise<string> =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg, typ })
        .setIssuer(publicUrl)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${lifetime}s`)
        .sign(privateKey),

    /** Null for whatever is not exactly a token of ours. */
    verify: async (token: string): Promise<Claims | null> => {
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
        const { sub, sid } = payload;
        return isId(sub) && isId(sid) ? { userId: sub, sessionId: sid } : null;
      } catch {
        return null;
      }
    },
  };
}
