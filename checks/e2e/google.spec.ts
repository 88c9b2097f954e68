// Signing in with Google. A real OpenID Connect issuer on loopback replaces Google; the tests have
// a server of their own that is configured for it.
import { subscribe } from 'node:diagnostics_channel';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Issuer, startIssuer } from '../../server/testing/issuer.ts';
import {
  expect,
  longProofOnce,
  openMenu,
  people,
  proof,
  proofOnce,
  signIn,
  test,
} from './fixtures.ts';
import { googleFiles, home, keepSecret, readDatabase } from './leftovers.ts';
import { mailedLink } from './people.ts';
import { type Server, startServer } from './server.ts';

const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };

let issuer: Issuer | undefined;
let server: Server | undefined;
let url = '';
let dataDir = '';

// One academy for all of them.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  subscribe('http.server.request.start', keepTokens);
  keepSecret("Google's client secret", client.clientSecret);
  dataDir = await mkdtemp(join(tmpdir(), 'rally-google-'));
  const log = join(home, googleFiles(test.info().project.name).log);
  server = await startServer({ dataDir, log, env: withIssuer });
  url = server.url;
});

async function withIssuer(address: string) {
  await issuer?.close();
  issuer = await startIssuer({
    ...client,
    redirectUri: `${address}/api/auth/callback/google`,
    accounts: [
      { sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' },
      { sub: 'ines', email: 'ines@example.com', email_verified: true, name: 'Ines Keller' },
    ],
  });
  return {
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.clientSecret,
    GOOGLE_ISSUER: issuer.url,
  };
}

test.afterAll(async () => {
  // For the search at the end (afterwards.spec.ts): this academy is gone by then.
  const kept = googleFiles(test.info().project.name);
  keepSecret(
    "secret of Google's academy",
    (await readFile(join(dataDir, 'secret'), 'utf8')).trim(),
  );
  await writeFile(join(home, kept.database), JSON.stringify(await readDatabase(dataDir)));
  await copyFile(join(dataDir, 'postgres.log'), join(home, kept.databaseLog));
  await server?.stop();
  await issuer?.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

test(
  'Google leads back to where the visitor was, with the selected class in the cart',
  proof,
  async ({ page, expected }) => {
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
  },
);

test(
  'a user who turns back at Google is told so on the login page and may try again',
  proofOnce,
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

test(
  'a stranger accepts a staff invitation with Google',
  longProofOnce,
  async ({ page, browser, expected }) => {
    expected.push(/favicon/);
    const email = 'ines@example.com';
    const admin = await (await browser.newContext({ baseURL: url })).newPage();
    await signIn(admin, people.admin);
    await admin.goto('/dashboard/manageusers');
    await admin.getByRole('button', { name: 'Invite staff' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Invite staff' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expect(admin.getByRole('button', { name: `Withdraw: ${email}` })).toBeVisible();

    await page.goto(`${url}${await mailedLink(email, '/join', url)}`);
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: /ines/i }).click();
    // Google has signed them in; the role comes with their own press.
    await expect(page).toHaveURL(`${url}/join`);
    await expect(page.getByRole('main')).toContainText(`You are logged in as ${email}.`);
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page).toHaveURL(`${url}/dashboard/myclasses`);
    await expect(page.getByRole('link', { name: 'Add a Class' }).first()).toBeVisible();
    await admin.reload();
    await expect(admin.getByRole('link', { name: 'Ines Keller' })).toBeVisible();
    await expect(admin.getByRole('button', { name: `Withdraw: ${email}` })).toHaveCount(0);
    await admin.context().close();
  },
);

/**
 * Keeps the tokens that only the server receives from the issuer. The issuer runs in this process,
 * so a diagnostics channel of Node reports its responses.
 */
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
