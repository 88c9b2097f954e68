// Signing in with Google, through a real OpenID Connect issuer on loopback that stands in for it, on an academy set up for it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentKeys } from '../server/config.ts';
import { type Issuer, startIssuer } from '../server/testing/issuer.ts';
import { expect, openMenu, test, once } from './fixtures.ts';

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
  dataDir = await mkdtemp(join(tmpdir(), 'rally-google-'));
  app = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...Object.fromEntries(environmentKeys.map((key) => [key, ''])),
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      GOOGLE_CLIENT_ID: client.clientId,
      GOOGLE_CLIENT_SECRET: client.clientSecret,
      GOOGLE_ISSUER: issuer.url,
    },
  });
  await expect(async () => expect((await fetch(`${url}/api/ready`)).ok).toBe(true)).toPass({ timeout: 100_000 });
});

test.afterAll(async () => {
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

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
