// Who counts as one visitor, and that one visitor does not use up the limit of others: pages are
// rendered from calls that have limits themselves.
import { describe, expect, it } from 'vitest';
import { inviteGuardian } from '../../contract/family.ts';
import { testApp, unique } from '../testing/app.ts';
import { aSite } from '../testing/site.ts';
import { aUser } from '../testing/factories.ts';
import { aChild } from '../testing/family.ts';
import { aConfirmedMember, goodPassword, Visitor } from '../testing/visitor.ts';
import { networkOf } from './limits.ts';
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

it('a session uses up no limit of another one of the same account', async () => {
  const { visitor: thief, email } = await aConfirmedMember(app);
  for (let time = 0; time < 11; time++) await thief.auth('revoke-other-sessions');
  expect((await thief.auth('revoke-other-sessions')).status).toBe(429);
  const owner = new Visitor(app);
  await owner.signIn(email);
  expect((await owner.auth('revoke-other-sessions')).status).toBe(200);
});

it('an address is invited as a guardian three times, whoever asks, and then every 20 minutes', async () => {
  const email = `${unique('victim')}@example.com`;
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const parent = await aUser(app);
    const { id } = await aChild(app, [parent]);
    const asked = { email, participantIds: [id] };
    statuses.push((await app.send(inviteGuardian, asked, parent.token)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
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
