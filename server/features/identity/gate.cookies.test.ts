// Two cookies of one name in a request, one with a space before its sign: no guard judges one
// account while Better Auth acts on another.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import {
  anApp,
  aVisitor,
  confirm,
  expectOwnerIn,
  newPassword,
  squatted,
  strangersPassword,
} from '../../testing/squatted.ts';
import { codeOf } from '../../testing/totp.ts';
import { aConfirmedMember, aMember, goodPassword, Visitor } from '../../testing/visitor.ts';
import { createAuth, visit } from './betterauth.ts';

const app = await testApp();

const valueOf = (visitor: Visitor, name: string) => visitor.cookies.get(name) ?? '';
const two = (name: string, first: string, second: string, space = ' ') => ({
  cookie: `${name}${space}=${first}; ${name}=${second}`,
});
const bothSessions = (first: Visitor, second: Visitor, name = 'rally.session_token') =>
  two(name, valueOf(first, name), valueOf(second, name));

async function aCarefulMember() {
  const member = await aConfirmedMember(app);
  const { body } = await member.visitor.auth('two-factor/enable', { password: goodPassword });
  const secret = String(body['secret']);
  expect((await member.visitor.auth('two-factor/verify', { code: codeOf(secret) })).status).toBe(
    200,
  );
  return { ...member, secret, backupCodes: body['backupCodes'] as string[] };
}

async function challengeOf(email: string) {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(email)).body).toEqual({ twoFactor: true });
  return valueOf(visitor, 'rally.two_factor');
}

const countOf = async (email: string) => {
  const { rows } = await app.pool.query<{ n: number }>(
    `select f.failed_verification_count as n from two_factor f join "user" u on u.id = f.user_id where u.email = $1`,
    [email],
  );
  return rows[0]?.n;
};

describe('two sessions in one request', () => {
  it.each([' ', '\t', '  '])('are no session: %j', async (space) => {
    const [one, other] = [await aMember(app), await aMember(app)];
    const name = 'rally.session_token';
    const headers = two(name, valueOf(one.visitor, name), valueOf(other.visitor, name), space);
    const { text } = await new Visitor(app).ask('GET', '/api/auth/get-session', undefined, headers);
    expect(text).toBe('null');
    const { status } = await new Visitor(app).ask(
      'POST',
      '/api/jwt',
      { email: other.email },
      headers,
    );
    expect(status).toBe(401);
  });

  it('are one, if the name of the other has a no-break space: a subdomain can set that one past the __Host- prefix', async () => {
    const [stranger, owner] = [await aMember(app), await aMember(app)];
    const set = (name: string) => `${name}=${valueOf(stranger.visitor, 'rally.session_token')}`;
    const asked = async (cookie: string) =>
      (await new Visitor(app).ask('GET', '/api/auth/get-session', undefined, { cookie })).text;
    for (const name of ['\u00a0rally.session_token', 'rally.session_token\u00a0']) {
      expect(await asked(set(name))).toBe('null');
      const both = `${set(name)}; rally.session_token=${valueOf(owner.visitor, 'rally.session_token')}`;
      expect(await asked(both)).toContain(owner.email);
    }
  });

  it('turn no two-step sign-in on for an unconfirmed address, and its owner comes in', async () => {
    const real = await anApp();
    const scene = await squatted(real);
    const { email, stranger, owner, link } = scene;
    const helper = await aConfirmedMember(real);
    const headers = bothSessions(stranger.visitor, helper.visitor, '__Host-rally.session_token');
    const post = (path: string, body: object) =>
      aVisitor(real).auth(`two-factor/${path}`, body, headers);
    const begun = await post('enable', { password: strangersPassword });
    const verified = await post('verify', {
      code: codeOf(begun.status === 200 ? String(begun.body['secret']) : 'A'.repeat(32)),
    });
    expect([begun.status, verified.status]).toEqual([401, 401]);
    expect((await confirm(owner, link, { newPassword })).status).toBe(200);
    await expectOwnerIn(real, email, newPassword);
  });

  it('do not charge the guesses at one password to another account', async () => {
    const limited = await testApp({ rateLimit: true });
    const stolen = await aConfirmedMember(limited);
    const helper = await aConfirmedMember(limited);
    const headers = bothSessions(stolen.visitor, helper.visitor);
    const answer = await new Visitor(limited).auth(
      'two-factor/enable',
      { password: 'Wrong#2026' },
      headers,
    );
    expect(answer.status).toBe(401);
    expect(
      (await helper.visitor.auth('two-factor/enable', { password: goodPassword })).status,
    ).toBe(200);
  });
});

describe('the second step', () => {
  it('judges no code of one account while it charges another', async () => {
    const [victim, mine] = [await aCarefulMember(), await aCarefulMember()];
    const headers = two(
      'rally.two_factor',
      await challengeOf(victim.email),
      await challengeOf(mine.email),
    );
    const answer = await new Visitor(app).auth(
      'sign-in/second-step',
      { code: codeOf(victim.secret, 1) },
      headers,
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'SECOND_STEP_OVER']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect([await countOf(victim.email), await countOf(mine.email)]).toEqual([0, 0]);
  });

  it('does not begin to count again after a code that is right for another account', async () => {
    const [victim, mine] = [await aCarefulMember(), await aCarefulMember()];
    const session = valueOf(mine.visitor, 'rally.session_token');
    const headers = {
      cookie: `rally.session_token =${session}; rally.two_factor=${await challengeOf(victim.email)}`,
    };
    const answer = await new Visitor(app).auth(
      'sign-in/second-step',
      { code: codeOf(mine.secret, 1) },
      headers,
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'WRONG_CODE']);
    expect(await countOf(victim.email)).toBe(1);
  });
});

describe('a session cookie together with the second step of another account', () => {
  const spellings = [(value: string) => value, (value: string) => value.replace(/%3D$/, '')];

  it.each(['disable', 'backup-codes'])('takes no code of that account: %s', async (path) => {
    const [victim, mine] = [await aCarefulMember(), await aCarefulMember()];
    const challenge = await challengeOf(mine.email);
    const session = valueOf(victim.visitor, 'rally.session_token');
    expect(session).toMatch(/%3D$/);
    for (const [nth, spell] of spellings.entries())
      for (const code of [mine.backupCodes[nth] ?? '', codeOf(mine.secret, 1)]) {
        const cookie = `rally.session_token=${spell(session)}; rally.two_factor=${challenge}`;
        const form = { password: goodPassword, code };
        const answer = await new Visitor(app).auth(`two-factor/${path}`, form, { cookie });
        expect([nth, answer.status, answer.body.code]).toEqual(
          nth === 0 ? [0, 400, 'WRONG_CODE'] : [1, 401, 'UNAUTHENTICATED'],
        );
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    expect((await new Visitor(app).signIn(victim.email)).body).toEqual({ twoFactor: true });
  });

  it('is none with another spelling of its signature', async () => {
    const { visitor, email } = await aMember(app);
    const session = valueOf(visitor, 'rally.session_token');
    const asked = async (value: string) => {
      const headers = { cookie: `rally.session_token=${value}` };
      return (await new Visitor(app).ask('POST', '/api/jwt', { email }, headers)).status;
    };
    const [own, ...others] = [
      session,
      session.replace(/%3D$/, ''),
      `${session}%3D`,
      session.replace(/%3D$/, '%20%3D'),
    ];
    expect(await asked(own)).toBe(200);
    for (const other of others) expect(await asked(other)).toBe(401);
  });
});

it('Better Auth makes no session for a user other than the one whom the guards judged', async () => {
  const member = await aMember(app);
  const auth = createAuth({
    config: app.config,
    database: app,
    complain: () => {},
    onVerified: () => Promise.resolve(),
    queueMail: () => Promise.resolve(),
    onTakenOver: () => Promise.resolve(),
  });
  const signIn = (onlyFor: string) =>
    visit.run({ mails: [], onlyFor }, () =>
      auth.handler(
        new Request(`${app.config.publicUrl}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: app.config.publicUrl },
          body: JSON.stringify({ email: member.email, password: member.password }),
        }),
      ),
    );
  const { rows } = await app.pool.query<{ id: string }>('select id from "user" where email = $1', [
    member.email,
  ]);
  const sessions = () => app.pool.query('select from session where user_id = $1', [rows[0]?.id]);
  const before = (await sessions()).rows.length;
  expect((await signIn(randomUUID())).status).toBe(401);
  expect((await sessions()).rows).toHaveLength(before);
  expect((await signIn(rows[0]?.id ?? '')).status).toBe(200);
});
