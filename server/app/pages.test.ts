// Pages that are rendered while something changes, and the headers of the sitemap. The test lets each
// rendering end.
import { expect, it } from 'vitest';
import { aSite } from '../testing/site.ts';
import { createMemory } from '../platform/http/memory.ts';

const begun: ((html: string) => void)[] = [];
const listeners: (() => void)[] = [];
const change = () => listeners.forEach((listener) => listener());
const server = await aSite({
  // Rendering waits for `ask`, which the test answers.
  render: `async ({ ask }) => ({ status: 200, html: String(await ask('page')), inline: { scripts: [], styles: [] }, whole: true })`,
  ask: async (call) => {
    if (typeof call !== 'string') return { pages: [], result: [], total: 0 };
    return new Promise((resolve) => void begun.push(resolve));
  },
  memory: createMemory({
    on: (channel, listener) => void (channel === 'classes' && listeners.push(listener)),
    seatsWait: () => false,
  }),
});
const page = () => server.inject('/').then(({ body }) => body);

it('a page asked for twice at the same time is rendered once', async () => {
  const answers = [page(), page()];
  await expect.poll(() => begun.length).toBe(1);
  begun[0]?.('first');
  expect(await Promise.all(answers)).toEqual(['first', 'first']);
});

it('a page asked for after a change is rendered after it', async () => {
  change();
  begun.length = 0;
  const before = page();
  await expect.poll(() => begun.length).toBe(1);
  change();
  const after = page();
  await expect.poll(() => begun.length).toBe(2);
  begun[0]?.('old');
  begun[1]?.('new');
  expect(await Promise.all([before, after])).toEqual(['old', 'new']);
  expect(await page()).toBe('new');
});

it('the sitemap has the policy of data', async () => {
  const { statusCode, headers } = await server.inject('/sitemap.xml');
  const policy = "default-src 'none'; frame-ancestors 'none'";
  expect([statusCode, headers['content-security-policy']]).toEqual([200, policy]);
});

it('an address with two slashes is a page of its own', async () => {
  change();
  begun.length = 0;
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const twoSlashes = fetch(`${origin}//sitemap.xml`);
  await expect.poll(() => begun.length).toBe(1);
  const made = await fetch(`${origin}/sitemap.xml`);
  expect([made.status, made.headers.get('content-type')]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ]);
  begun[0]?.('page');
  expect(await (await twoSlashes).text()).toBe('page');
  expect((await fetch(`${origin}//api/classes`)).status).toBe(404);
});

it('a phone can put the academy on its home screen', async () => {
  const { icons } = (await server.inject('/manifest.webmanifest')).json<{
    icons: { sizes: string; purpose?: string }[];
  }>();
  expect(icons.map(({ sizes, purpose = '' }) => `${sizes} ${purpose}`.trim())).toEqual([
    'any',
    '192x192',
    '512x512',
    '512x512 maskable',
  ]);
});

it('the service worker is for the roll call, and never kept', async () => {
  const { headers, body } = await server.inject('/sw.js');
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
    'service-worker-allowed': '/dashboard/rollcall',
  });
  expect(body).toBe('self;');
});
