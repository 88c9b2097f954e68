// Who is asking: the cookie, the site it comes from, and how long a session lives.
import { afterAll, describe, expect, it } from 'vitest';
import { getAccount } from '../../contract/signin/account.ts';
import { isAdmin } from '../../contract/people/users.ts';
import { appOn, testApp } from '../testing/app.ts';
import { anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aMember, hasSession, Visitor } from '../testing/visitor.ts';

const app = await testApp();
const another = await appOn(app.url);
afterAll(() => another.close());

const valueOf = ({ cookies }: Visitor) => cookies.get('rally.session_token') ?? '';
const asks = async (cookie: string) =>
  (await new Visitor(app).ask('GET', '/api/auth/get-session', undefined, { cookie })).text;

describe('the cookie', async () => {
  const [one, other] = [await aMember(app), await aMember(app)];
  const [first, second] = [valueOf(one.visitor), valueOf(other.visitor)];

  it.each([';', '; ', ';\t'])('that occurs twice has no value: %j', async (between) => {
    const cookies = [first, second].map((value) => `rally.session_token=${value}`);
    expect(await asks(cookies[0] ?? '')).toContain(one.email);
    expect(await asks(cookies.join(between))).toBe('null');
  });

  it('with a no-break space in its name is another', async () => {
    for (const name of ['\u00a0rally.session_token', 'rally.session_token\u00a0']) {
      expect(await asks(`${name}=${first}`)).toBe('null');
      expect(await asks(`${name}=${first}; rally.session_token=${second}`)).toContain(other.email);
    }
  });

  it('with another spelling of its secret is none', async () => {
    for (const wrong of [`${first}=`, `${first}%20`, first.toLowerCase(), first.slice(1), '%'])
      expect(await asks(`rally.session_token=${wrong}`)).toBe('null');
  });
});

describe('a request of another site', () => {
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'http://localhost.evil.example', host: 'localhost.evil.example' }],
  ] as Record<string, string>[][])('is refused: %j', async (headers) => {
    const { visitor, email, password } = await aMember(app);
    for (const [path, form] of [
      ['update-user', { name: 'Eve' }],
      ['sign-in/email', { email, password }],
    ] as const) {
      expect((await visitor.auth(path, form, headers)).body.code).toBe('FORBIDDEN');
    }
  });

  it('is none of the own machine, but in production', async () => {
    const own = { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' };
    const { visitor } = await aMember(app);
    expect((await visitor.auth('sign-out', {}, own)).status).toBe(200);
    const real = await testApp({ production: true });
    expect((await new Visitor(real).auth('sign-out', {}, own)).status).not.toBe(200);
  });
});

const ages = async (who: TestUser, seen: string, made: string) => {
  await app.pool.query(
    `update session set seen_at = now() - $2::interval, made_at = now() - $3::interval where id = $1`,
    [who.sessionId, seen, made],
  );
  return (await app.send(isAdmin, { email: who.email }, who.token)).status;
};

describe('a session', () => {
  it('of staff lives 12 hours after a visit, and seven days', async () => {
    for (const who of [await anAdmin(app), await anInstructor(app)]) {
      expect(await ages(who, '11 hours 59 minutes', '6 days 23 hours')).toBe(200);
      expect(await ages(who, '12 hours 1 minute', '1 day')).toBe(401);
      expect(await ages(who, '1 hour', '7 days 1 minute')).toBe(401);
    }
  });

  it('of a family lives 60 days after a visit', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    const later = (days: number) =>
      app.pool.query(
        `update session set made_at = made_at - n, seen_at = seen_at - n, expires_at = expires_at - n
         from make_interval(days => $1::int) n`,
        [days],
      );
    for (let visit = 0; visit < 2; visit++) {
      await later(59);
      expect(await visitor.isLetIn(token, email)).toBe(true);
      expect(await hasSession(visitor)).toBe(true);
    }
    await later(61);
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
  });

  it('ends in every process at once, also with a block', async () => {
    const [out, blocked] = [await aUser(app), await aUser(app)];
    const statuses = (who: TestUser) =>
      Promise.all(
        [app, another].map(async ({ send }) => (await send(getAccount, {}, who.token)).status),
      );
    expect([await statuses(out), await statuses(blocked)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await app.db.deleteFrom('session').where('id', '=', out.sessionId).execute();
    await app.pool.query('update "user" set blocked_at = now() where id = $1', [blocked.id]);
    expect([await statuses(out), await statuses(blocked)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
  });
});

it('requests that arrive together are answered each for its user', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => aUser(app)));
  const answers = await Promise.all(people.map(({ token }) => app.send(getAccount, {}, token)));
  expect(answers.map(({ body }) => body.sessions.map(({ _id }) => _id))).toEqual(
    people.map(({ sessionId }) => [sessionId]),
  );
});
