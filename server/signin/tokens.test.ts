// Tokens that are not exactly ours are worth nothing (invariant A6).
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomUUID,
} from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aMember } from '../testing/visitor.ts';
import { createTokens } from './tokens.ts';

const app = await testApp();
const { publicUrl, secret } = app.config;
const { visitor, email } = await aMember(app);
const genuine = await visitor.token(email);
const [header = '', payload = '', signature = ''] = genuine.split('.');
const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
// The very key of the app, so that each forgery differs from the genuine token in one thing only.
const seed = Buffer.from(hkdfSync('sha256', secret, '', 'rally access token, Ed25519', 32));
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
const ours = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const publicPem = createPublicKey(ours).export({ format: 'pem', type: 'spki' }).toString();
const foreign = generateKeyPairSync('ed25519').privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

type Key = Parameters<SignJWT['sign']>[0];
const made = (
  change: Record<string, unknown> = {},
  head: Record<string, unknown> = {},
  key: Key = ours,
) =>
  new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...head })
    .sign(key);
const hmac = (key: string) => {
  const text = `${json({ alg: 'HS256', typ: 'at+jwt' })}.${payload}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
};
const without = (name: string) => made({ [name]: undefined });
const now = Math.floor(Date.now() / 1_000);
const { sub, sid } = claims;

const as = (head: object, body = payload) => `${json(head)}.${body}.${signature}`;
const typ = 'at+jwt';
const mine = { jwk: createPublicKey(foreign).export({ format: 'jwk' }) };
const elsewhere = { kid: '../../dev/null', jku: 'https://evil.example/jwks' };
const ids = { userId: String(sub), sessionId: String(sid) };
const another = 'another secret of 32 letters, at least';

const forged: [what: string, token: string][] = [
  ['no signature', `${header}.${payload}.`],
  ['alg none', `${json({ alg: 'none', typ })}.${payload}.`],
  ['no alg', as({ typ })],
  ['HS256 with our public key in PEM', hmac(publicPem)],
  ['HS256 with the secret', hmac(secret)],
  ['another Ed25519 key', await made({}, {}, foreign)],
  ['an RSA key', await made({}, { alg: 'RS256' }, rsa)],
  ['a key brought along', await made({}, mine, foreign)],
  ['a key named along', await made({}, elsewhere, foreign)],
  ['a key of another secret', await createTokens({ secret: another, publicUrl }).sign(ids)],
  ['another payload', as({ alg: 'EdDSA', typ }, json({ ...claims, sub: randomUUID() }))],
  ['a flipped signature', `${header}.${payload}.${signature.slice(0, -4)}AAAA`],
  ['typ JWT', await made({}, { typ: 'JWT' })],
  ['no typ', await made({}, { typ: undefined })],
  ['a critical extension', as({ alg: 'EdDSA', typ, crit: ['b64'], b64: false })],
  ['another issuer', await made({ iss: 'https://evil.example' })],
  ['no issuer', await without('iss')],
  ['another audience', await made({ aud: 'another-api' })],
  ['no audience', await without('aud')],
  ['an expired one', await made({ iat: now - 2_000, exp: now - 1 })],
  ['one without an end', await without('exp')],
  ['one that lives for a year', await made({ iat: now - 1_000, exp: now + 31_536_000 })],
  ['one from the future', await made({ iat: now + 600, exp: now + 1_200 })],
  ['no time of issue', await without('iat')],
  ['no jti', await without('jti')],
  ['no subject', await without('sub')],
  ['no session', await without('sid')],
  ['another subject with this session', await made({ sub: randomUUID() })],
  ['this subject with another session', await made({ sid: randomUUID() })],
  ['an SQL fragment for a session', await made({ sid: `${String(sid)}' or '1'='1` })],
  ['something before the subject', await made({ sub: `x${String(sub)}` })],
  ['a list for a subject', await made({ sub: [sub] })],
  ['nothing', ''],
];

const asks = (authorization: string) =>
  visitor.ask('GET', `/api/users/admin/${email}`, undefined, { authorization });

describe('a token is refused when it has', () => {
  it('nothing wrong: only then it is not', async () => {
    expect((await asks(`Bearer ${genuine}`)).status).toBe(200);
    expect((await asks(`Bearer ${await made()}`)).status).toBe(200);
  });

  it.each(forged)('%s', async (_what, token) => {
    expect((await asks(`Bearer ${token}`)).body.code).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['another scheme', `Basic ${genuine}`],
    ['no scheme', genuine],
    ['a lower-case scheme with two tokens', `bearer ${genuine} ${genuine}`],
    ['something behind it', `Bearer ${genuine}, Bearer ${genuine}`],
  ])('%s', async (_what, authorization) => {
    expect((await asks(authorization)).status).toBe(401);
  });
});

const at = (seconds: number) => vi.setSystemTime(Date.UTC(2026, 10, 15, 12) + seconds * 1_000);

it.each([
  [29, true],
  [60, false],
])('a token of a clock that is %i seconds off is taken: %s', async (off, taken) => {
  const tokens = createTokens({ secret, publicUrl });
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [made, used] of [
    [off, 0],
    [-off, 900],
  ] as const) {
    at(made);
    const token = await tokens.sign(ids);
    at(used);
    expect((await tokens.verify(token)) !== null).toBe(taken);
  }
  vi.useRealTimers();
});

it('a token says the role of nobody: it is read live', async () => {
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', email).execute();
  expect((await asks(`Bearer ${genuine}`)).body).toEqual({ admin: true });
  await app.db.updateTable('user').set({ role: 'student' }).where('email', '=', email).execute();
  expect((await asks(`Bearer ${genuine}`)).body).toEqual({ admin: false });
});
