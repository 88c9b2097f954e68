// Verified tokens are remembered, which no request may notice: not when the token expires, and not
// when its session ends, in this process or in another.
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteAccount, getAccount } from '../../../contract/account.ts';
import { isAdmin, listUsers } from '../../../contract/users.ts';
import { appOn, testApp } from '../../testing/app.ts';
import { anAdmin, aUser } from '../../testing/factories.ts';
import { aConfirmedMember, goodPassword } from '../../testing/visitor.ts';
import { createTokens } from './tokens.ts';

const app = await testApp();
const another = await appOn(app.url);
afterAll(() => another.close());
const both = [app, another];

const { secret, publicUrl } = app.config;
const whose = { userId: crypto.randomUUID(), sessionId: crypto.randomUUID() };

const at = (seconds: number) => vi.setSystemTime(Date.UTC(2026, 10, 15, 12) + seconds * 1_000);

describe('a token whose signature was verified', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers().restoreAllMocks());

  it.each([-31, -30, 0, 899, 900, 929, 930, 931, 86_400])(
    'is taken %i seconds after it was made exactly if it would be verified then',
    async (age) => {
      const [known, fresh] = [createTokens(app.config), createTokens(app.config)];
      at(0);
      const token = await known.sign(whose);
      expect(await known.verify(token)).toEqual(whose);
      at(age);
      expect(await known.verify(token)).toEqual(await fresh.verify(token));
    },
  );

  it('is not verified again, unless too many others were used since', async () => {
    const tokens = createTokens({ secret, publicUrl }, { remembered: 2 });
    at(0);
    const [one = '', two = '', three = ''] = await Promise.all(
      [whose, whose, whose].map((claims) => tokens.sign(claims)),
    );
    const verified = vi.spyOn(crypto.subtle, 'verify');
    for (const token of [one, two, one, two, one, three, one, three]) await tokens.verify(token);
    expect(verified).toHaveBeenCalledTimes(3);
    // The third one took the place of the second, which was used longest ago.
    await tokens.verify(two);
    expect(verified).toHaveBeenCalledTimes(4);
  });

  it('does not make a similar one valid, and a wrong one is verified each time', async () => {
    const tokens = createTokens({ secret, publicUrl });
    at(0);
    const token = await tokens.sign(whose);
    await tokens.verify(token);
    const wrong = `${token.slice(0, -4)}AAAA`;
    const verified = vi.spyOn(crypto.subtle, 'verify');
    for (let turn = 0; turn < 3; turn++) expect(await tokens.verify(wrong)).toBeNull();
    expect(verified).toHaveBeenCalledTimes(3);
  });
});

type Member = Awaited<ReturnType<typeof aConfirmedMember>>;

const ends: [what: string, end: (member: Member, token: string) => Promise<{ status: number }>][] =
  [
    ['sign-out', ({ visitor }) => visitor.auth('sign-out')],
    [
      'a new password',
      ({ visitor }) =>
        visitor.auth('change-password', {
          currentPassword: goodPassword,
          newPassword: 'Hockey#2027',
        }),
    ],
    [
      'the deletion of the account',
      (_member, token) => app.send(deleteAccount, { password: goodPassword }, token),
    ],
  ];

describe('a session that was ended in one process', () => {
  it.each(ends)('by %s is refused at the next request to each process', async (_what, end) => {
    const member = await aConfirmedMember(app, { password: goodPassword });
    const token = await member.visitor.token(member.email);
    const statuses = async () =>
      Promise.all(
        both.map(async ({ send }) => (await send(isAdmin, { email: member.email }, token)).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    expect((await end(member, token)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('by its expiry, or by a day without use, is refused by each process', async () => {
    for (const column of ['expires_at', 'seen_at'] as const) {
      const who = await anAdmin(app);
      const statuses = async () =>
        Promise.all(both.map(async ({ send }) => (await send(listUsers, {}, who.token)).status));
      expect(await statuses()).toEqual([200, 200]);
      await app.pool.query(
        `update session set ${column} = now() - interval '25 hours' where id = $1`,
        [who.sessionId],
      );
      expect(await statuses()).toEqual([401, 401]);
    }
  });
});

it('a role that was taken away is gone at the next request to each process', async () => {
  const who = await anAdmin(app);
  const statuses = async () =>
    Promise.all(both.map(async ({ send }) => (await send(listUsers, {}, who.token)).status));
  expect(await statuses()).toEqual([200, 200]);
  await app.db.updateTable('user').set({ role: 'student' }).where('id', '=', who.id).execute();
  expect(await statuses()).toEqual([403, 403]);
});

it('requests of many users that arrive together are each answered for their own user', async () => {
  const people = await Promise.all(Array.from({ length: 30 }, () => aUser(app)));
  const answers = await Promise.all(people.map(({ token }) => app.send(getAccount, {}, token)));
  expect(answers.map(({ body }) => body.sessions.map(({ _id }) => _id))).toEqual(
    people.map(({ sessionId }) => [sessionId]),
  );
});
