// Routes about the server itself: the OpenAPI document and the page for it.
import { brotliDecompressSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testApp } from '../testing/app.ts';
import { compressors } from '../platform/http/memory.ts';

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://rally.example.com',
  TRUST_PROXY: 'none',
  TIME_ZONE: 'Europe/Lisbon',
  AUTH_SECRET: 'q7Zr0m-VtY3kLx9uEwB2nHs5_dJcPa8fGiTo4RvKyMb',
  CARE_KEYS: '1:pGUbahc1AJQMVnCcDcZ+Ap2EO5IXB0v81ee5cd3zzbU=',
  SMTP_URL: 'smtps://u:p@mail.example.com',
  STRIPE_SECRET_KEY: 'sk_test_51Hq8Zr2Lw0vN5tXy7Kd1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51Hq8Zr2Lw0vN5tXy7Kd1',
  STRIPE_WEBHOOK_SECRET: 'whsec_8Zr2Lw0vN5tXy7Kd1Mh4Jp9B',
};

it('in production has the API page only when API_DOCS is on, and the OpenAPI document always', async () => {
  const closed = await testApp(readConfig({ ...production }));
  const opened = await testApp(readConfig({ ...production, API_DOCS: 'on' }));
  const paths = ['/api/docs', '/api/docs/swagger-ui.css', '/api/openapi.json'];
  const statuses = (app: typeof closed) =>
    Promise.all(paths.map(async (url) => (await app.ask({ url })).statusCode));
  expect(await statuses(closed)).toEqual([404, 404, 200]);
  expect(await statuses(opened)).toEqual([200, 200, 200]);
});

const app = await testApp();
const ask = (headers: Record<string, string>) => app.ask({ url: '/api/openapi.json', headers });

it('compresses the OpenAPI document once, and answers 304 to a client that has it', async () => {
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
