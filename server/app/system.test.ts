// Routes about the server itself: the OpenAPI document and the page for it.
import { brotliDecompressSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testApp } from '../testing/app.ts';
import { production } from '../testing/squatted.ts';
import { compressors } from '../platform/http/memory.ts';

const { apiDocs } = readConfig(production);
const app = await testApp({ production: true, apiDocs });

const ask = (headers: Record<string, string>) => app.ask({ url: '/api/openapi.json', headers });

it('the OpenAPI document is compressed once, and 304 when known', async () => {
  const brotli = vi.spyOn(compressors, 'br');
  const [first, second, gzipped] = [
    await ask({ 'accept-encoding': 'gzip, br' }),
    await ask({ 'accept-encoding': 'br' }),
    await ask({ 'accept-encoding': 'gzip' }),
  ];
  expect(brotli.mock.calls.length).toBe(1);
  expect([first, second, gzipped].map(({ headers }) => headers['content-encoding'])).toEqual([
    'br',
    'br',
    undefined,
  ]);
  expect(String(brotliDecompressSync(second.rawPayload))).toBe(gzipped.body);
  const etag = String(first.headers['etag']);
  expect((await ask({ 'if-none-match': etag })).statusCode).toBe(304);
});

it('production has the API page only when API_DOCS is on', async () => {
  const opened = await testApp({ production: true, apiDocs: true });
  const paths = ['/api/docs', '/api/docs/swagger-ui.css', '/api/openapi.json'];
  const statuses = (of: typeof app) =>
    Promise.all(paths.map(async (url) => (await of.ask({ url })).statusCode));
  expect(await statuses(app)).toEqual([404, 404, 200]);
  expect(await statuses(opened)).toEqual([200, 200, 200]);
});

it('production has no page of mails', async () => {
  for (const url of ['/dev/mail', '/dev/mail.json', '/dev/mail/samples', '/dev/mail/sample'])
    expect((await app.ask({ url })).statusCode).toBe(404);
});
