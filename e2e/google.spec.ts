// Signing in with Google, through a real OpenID Connect issuer on loopback that stands in for it, on an academy set up for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentKeys } from '../server/config.ts';
import { type Issuer, startIssuer } from '../server/testing/issuer.ts';
import { expect, openMenu, test, once } from './fixtures.ts';
import { googleFiles, home, keepSecret, readDatabase } from './leftovers.ts';

const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };
const root = fileURLToPath(new URL('..', import.meta.url));

let issuer: Issuer;
let app: ChildProcess;
let url = '';
let dataDir = '';

// One academy for all of them.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const port = await freePort();
  url = `http://localhost:${port}`;
  issuer = await startIssuer({
    ...client,
    redirectUri: `${url}/api/auth/callback/google`,
    accounts: [{ sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' }],
  });
  subscribe('http.server.request.start', keepTokens);
  keepSecret("Google's client secret", client.clientSecret);
  dataDir = await mkdtemp(join(tmpdir(), 'rally-google-'));
  app = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'trace',
      GOOGLE_CLIENT_ID: client.clientId,
      GOOGLE_CLIENT_SECRET: client.clientSecret,
      GOOGLE_ISSUER: issuer.url,
    },
  });
  const log = join(home, googleFiles(test.info().project.name).log);
  for (const stream of [app.stdout, app.stderr]) stream?.pipe(createWriteStream(log, { flags: 'a' }));
  await expect(async () => expect((await fetch(`${url}/api/ready`)).ok).toBe(true)).toPass({ timeout: 100_000 });
});

test.afterAll(async () => {
  // For the look around at the end (afterwards.spec.ts): this academy is gone by then.
  const kept = googleFiles(test.info().project.name);
  keepSecret("secret of Google's academy", (await readFile(join(dataDir, 'secret'), 'utf8')).trim());
  await writeFile(join(home, kept.database), JSON.stringify(await readDatabase(dataDir)));
  await copyFile(join(dataDir, 'postgres.log'), join(home, kept.databaseLog));
  const gone = new Promise((resolve) => app.once('exit', resolve));
  app.kill('SIGTERM');
  await gone;
  await issuer.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

test('Google leads back to where the visitor was, with the selected class in the cart', async ({ page, expected }) => {
  expected.push(/favicon/);
  await page.goto(`${url}/instructors`);
  await page.goto(`${url}/classes?sort=-seat`);
  const card = page.getByRole('article').first();
  await card.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: /grace/i }).click();
  await expect(page).toHaveURL(`${url}/classes?sort=-seat`);
  await expect(card.getByRole('link', { name: 'In your cart' })).toBeVisible();
  await openMenu(page);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('access-token'))).not.toBeNull();
});

test(
  'whoever turns back at Google is told so on the login page and may try again',
  once,
  async ({ page, expected }) => {
    expected.push(/favicon/);
    await page.goto(`${url}/login`);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: /cancel|refuse|deny/i }).click();
    await expect(page).toHaveURL(/\/login\?/);
    await expect(page.getByRole('alert')).toContainText('Signing in with Google did not work.');
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeEnabled();
  },
);

/** What the issuer hands to the server alone: it lives in this process, where Node tells of every answer. */
function keepTokens(message: unknown) {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.method !== 'POST' || request.url !== '/token') return;
  const end = response.end.bind(response) as (body: string | Buffer) => ServerResponse;
  response.end = (body: unknown) => {
    const text = String(body);
    for (const [name, value] of Object.entries(JSON.parse(text) as object))
      if (name.endsWith('_token')) keepSecret(`Google's ${name}`, String(value));
    return end(text);
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
