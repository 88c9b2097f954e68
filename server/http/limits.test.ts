// Who counts as one visitor, and that one visitor does not use up the limit of others: pages are
// rendered from calls that have limits themselves.
import { describe, expect, it } from 'vitest';
import { getAccount } from '../../contract/account.ts';
import { inviteGuardian } from '../../contract/family.ts';
import { isAdmin, isInstructor } from '../../contract/users.ts';
import { testApp, unique } from '../testing/app.ts';
import { aSite } from '../testing/site.ts';
import { aUser } from '../testing/factories.ts';
import { aChild } from '../testing/family.ts';
import { aConfirmedMember, goodPassword, Visitor } from '../testing/visitor.ts';
import { networkOf, withoutPort } from './limits.ts';
import { createMemory } from './memory.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['192.0.2.1:54321', '192.0.2.1'],
  ['[2001:db8:1:2::9]:54321', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));

it('a client that has reset its connection has no network', () => {
  expect([networkOf(undefined), withoutPort(undefined)]).toEqual(['', '']);
});

const app = await testApp({ rateLimit: true });
/** A web app of one page; anything else is not found. */
async function site() {
  const server = await aSite({
    render: `async ({ url, settings }) => ({ status: url === '/' ? 200 : 404, html: settings.brand, inline: { scripts: [], styles: [] }, whole: true })`,
    ask: app.askItself,
    memory: createMemory({ on: () => undefined, seatsWait: () => false }),
    rateLimit: true,
  });
  return async (times: number, remoteAddress: string, path: (time: number) => string) => {
    const counts: Record<number, number> = {};
    for (let time = 0; time < times; time++) {
      const { statusCode } = await server.inject({ url: path(time), remoteAddress });
      counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    }
    return counts;
  };
}

it('requests without a session use up no limit of those who have one', async () => {
  const { visitor } = await aConfirmedMember(app);
  const stranger = new Visitor(app);
  const form = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
  for (let time = 0; time < 11; time++) await stranger.auth('change-password', form);
  expect((await stranger.auth('change-password', form)).status).toBe(429);
  expect((await visitor.auth('change-password', form)).status).toBe(200);
  for (let time = 0; time < 11; time++) await stranger.auth('revoke-other-sessions');
  expect((await visitor.auth('revoke-other-sessions')).status).toBe(200);
});

it('a session does not keep another one of the account from the page on which it is ended', async () => {
  const { visitor: thief, email } = await aConfirmedMember(app);
  const stolen = await thief.token(email);
  for (let time = 0; time < 31; time++) await thief.ask('POST', '/api/jwt', { email });
  expect((await thief.ask('POST', '/api/jwt', { email })).status).toBe(429);
  for (let time = 0; time < 11; time++) await thief.auth('revoke-other-sessions');
  expect((await thief.auth('revoke-other-sessions')).status).toBe(429);
  const page = (token: string) =>
    Promise.all([
      app.send(getAccount, {}, token),
      app.send(isAdmin, { email }, token),
      app.send(isInstructor, { email }, token),
    ]);
  for (let time = 0; time < 301; time++) await app.send(getAccount, {}, stolen);
  expect((await page(stolen)).map(({ status }) => status)).toEqual([429, 429, 429]);
  const owner = new Visitor(app);
  await owner.signIn(email);
  expect((await owner.ask('POST', '/api/jwt', { email })).status).toBe(200);
  const shown = await page(await owner.token(email));
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await owner.auth('revoke-other-sessions')).status).toBe(200);
});

it('another session of the account does not begin the limits of what is mailed anew', async () => {
  const { visitor, email } = await aConfirmedMember(app);
  const changes: number[] = [];
  for (let time = 0; time < 12; time++) {
    const asked = { email: `${unique('stranger')}@example.com`, password: goodPassword };
    changes.push((await visitor.auth('change-email', asked)).status);
    if (time % 5 === 0) await visitor.signIn(email);
  }
  expect(changes).toEqual([...Array<number>(10).fill(200), 429, 429]);
});

it.each(['disable', 'backup-codes'])(
  'two-factor/%s, which is mailed to the owner, is refused after ten in an hour',
  async (what) => {
    const { visitor } = await aConfirmedMember(app);
    const form = { password: goodPassword, code: '123456' };
    for (let time = 0; time < 10; time++)
      expect((await visitor.auth(`two-factor/${what}`, form)).status).toBe(409);
    const { status, headers } = await visitor.auth(`two-factor/${what}`, form);
    expect([status, Number(headers['retry-after']) > 3_000]).toEqual([429, true]);
  },
);

it('a new password, which makes a new session, does not begin the limit of new passwords anew', async () => {
  const { visitor } = await aConfirmedMember(app);
  const changes: number[] = [];
  for (let time = 0; time < 12; time++) {
    const form = { currentPassword: goodPassword, newPassword: goodPassword };
    changes.push((await visitor.auth('change-password', form)).status);
  }
  expect(changes).toEqual([...Array<number>(10).fill(200), 429, 429]);
});

it('one address gets one invitation of guardians a day from each sender, three more from all together, then one every 20 minutes', async () => {
  const email = `${unique('victim')}@example.com`;
  const invites = async (times: number) => {
    const parent = await aUser(app);
    const { id } = await aChild(app, [parent]);
    const asked = { email, participantIds: [id] };
    const statuses: number[] = [];
    for (let n = 0; n < times; n++)
      statuses.push((await app.send(inviteGuardian, asked, parent.token)).status);
    return statuses;
  };
  expect(await invites(5)).toEqual([200, 200, 200, 200, 429]);
  expect(await invites(2)).toEqual([200, 429]);
});

describe('pages', () => {
  it('that must be rendered are rendered 300 times a minute for one visitor, without effect on others', async () => {
    const ask = await site();
    expect(await ask(301, '192.0.2.1', (time) => `/nothing/${time}`)).toEqual({ 404: 300, 429: 1 });
    expect(await ask(300, '2001:db8::1', (time) => `/nothing/${time}`)).toEqual({ 404: 300 });
    expect(await ask(1, '2001:db8::2', () => '/nothing')).toEqual({ 429: 1 });
    expect(await ask(1, '192.0.2.2', () => '/')).toEqual({ 200: 1 });
  });

  it('that are cached are not counted', async () => {
    const ask = await site();
    expect(await ask(400, '192.0.2.3', () => '/')).toEqual({ 200: 400 });
  });
});
