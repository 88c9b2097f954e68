// Who counts as one visitor, and how often an account and a network are answered.
import { expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { aMemory, serveCalls, type Spec } from '../../testing/calls.ts';
import { aSite } from '../../testing/site.ts';
import { networkOf, ownAddress, withoutPort } from './limits.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::'],
  ['unknown', 'unknown'],
  ['192.0.2.1:54321', '192.0.2.1'],
  ['[2001:db8:1:2::9]:54321', '2001:db8:1:2::'],
  ['::ffff:c000:201', '192.0.2.1'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));

it('a client that has reset its connection has no network', () => {
  expect([networkOf(undefined), withoutPort(undefined)]).toEqual(['', '']);
});

/** A server of two calls. The header `as` is the account. */
async function served({ isOn = true, ...spec }: { isOn?: boolean; perMinute?: number } = {}) {
  const specs: Spec[] = [
    { method: 'GET', ...spec },
    { method: 'POST', ...spec },
  ];
  const { app } = await serveCalls(specs, () => ({}), { rateLimit: isOn });
  return async (times: number, options: InjectOptions = {}) => {
    const answers = [];
    for (let time = 0; time < times; time++)
      answers.push(await app.inject({ method: 'GET', url: '/api/things', ...options }));
    const served = answers.filter(({ statusCode }) => statusCode === 200).length;
    return { served, last: answers.at(-1) };
  };
}
const as = (account: string) => ({ headers: { as: account } });
const from = (remoteAddress: string) => ({ remoteAddress });

it('an account reads 300 times a minute and writes 60 times', async () => {
  const ask = await served();
  expect((await ask(301, as('pia'))).served).toBe(300);
  expect((await ask(61, { ...as('pia'), method: 'POST' })).served).toBe(60);
  expect((await ask(1, { ...as('pia'), remoteAddress: '192.0.2.1' })).served).toBe(0);
  expect((await ask(1, as('stan'))).served).toBe(1);
});

it('the visitors of a network ask 1,000 times a minute', async () => {
  const ask = await served();
  expect((await ask(1_001, from('2001:db8::1'))).served).toBe(1_000);
  expect((await ask(1, { ...from('2001:db8::2'), method: 'POST' })).served).toBe(0);
  expect((await ask(1, from('2001:db8:0:1::2'))).served).toBe(1);
  expect((await ask(1, { ...from('2001:db8::1'), ...as('pia') })).served).toBe(1);
});

it('a call may have a limit of its own, which tells until when', async () => {
  const ask = await served({ perMinute: 2 });
  const { served: answered, last } = await ask(3, as('pia'));
  expect(answered).toBe(2);
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(30);
  expect(last?.json()).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/try again after \d\d:\d\d\.$/),
  });
});

it('limits that are off, and the server itself, are not counted', async () => {
  expect((await (await served({ isOn: false, perMinute: 2 }))(4)).served).toBe(4);
  expect((await (await served({ perMinute: 2 }))(4, from(ownAddress))).served).toBe(4);
});

it('pages count when they are rendered, not when they are kept', async () => {
  const site = await aSite({
    render: `async ({ url, settings }) => ({ status: url === '/' ? 200 : 404, html: '', inline: { scripts: [], styles: [] }, whole: true })`,
    ask: async () => ({}),
    memory: aMemory(),
    rateLimit: true,
  });
  const ask = async (times: number, path: string) => {
    const counts: Record<number, number> = {};
    for (let time = 0; time < times; time++) {
      const { statusCode } = await site.inject(path === '/' ? path : `${path}${time}`);
      counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    }
    return counts;
  };
  expect(await ask(10, '/')).toEqual({ 200: 10 });
  expect(await ask(1_000, '/nothing/')).toEqual({ 404: 999, 429: 1 });
});
