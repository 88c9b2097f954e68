// A new academy in production, from an empty database to its first class on sale, by the list of first
// steps.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { environmentKeys } from '../../server/platform/config.ts';
import { startSmtp } from '../../server/testing/smtp.ts';
import { expect, expectAccessible, proofOnce, signUpPassword, test } from './fixtures.ts';
import { startServer } from './server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

interface Site {
  url: string;
  /** The path of the newest link to this page in a mail to the address. */
  mailed: (to: string, page: string) => Promise<string>;
  /** The link that `npm run admin` prints. */
  firstAdmin: (email: string) => Promise<string>;
  close: () => Promise<void>;
}

const linkIn = (text: string, page: string) => new RegExp(`${page}[?#]\\S+`).exec(text)?.[0] ?? '';

const random = () => randomBytes(32).toString('base64url');

async function inProduction(): Promise<Site> {
  const smtp = await startSmtp();
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-e2e-new-'));
  const own = {
    NODE_ENV: 'production',
    AUTH_SECRET: random(),
    CARE_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SMTP_URL: smtp.url,
    STRIPE_SECRET_KEY: `sk_test_${random()}`,
    STRIPE_PUBLISHABLE_KEY: `pk_test_${random()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${random()}`,
    TIME_ZONE: 'Europe/Lisbon',
    STAFF_TWO_STEP: 'off',
    PASSWORD_COST: 'full',
    DRAIN_SECONDS: '0',
  };
  const { url, stop } = await startServer({
    dataDir,
    log: join(dataDir, 'server.log'),
    env: async (at) => ({ ...own, PUBLIC_URL: at }),
  });
  const none = Object.fromEntries(environmentKeys.map((key) => [key, '']));
  return {
    url,
    mailed: async (to, page) => {
      const found = () => smtp.mails.findLast((mail) => mail.to === to)?.text ?? '';
      await expect.poll(() => linkIn(found(), page)).not.toBe('');
      return linkIn(found(), page);
    },
    firstAdmin: async (email) => {
      const { stdout } = await run(process.execPath, ['server/app/admin.ts', email], {
        cwd: root,
        env: { ...process.env, ...none, DATA_DIR: dataDir, ...own, PUBLIC_URL: url },
      });
      return linkIn(stdout, '/join');
    },
    close: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      await smtp.close();
    },
  };
}

async function joinStaff(page: Page, link: string, name: string) {
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(signUpPassword);
  await page.getByLabel('Confirm Password').fill(signUpPassword);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
}

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });

async function openStep(page: Page, name: string) {
  await page.goto('/dashboard/adminhome');
  await steps(page).getByRole('link', { name }).click();
}

async function save(page: Page, section: string) {
  const form = page.getByRole('region', { name: section, exact: true });
  const button = form.getByRole('button', { name: 'Save' });
  await button.click();
  await expect(button).toBeDisabled();
  await expect(form.getByRole('alert')).toHaveCount(0);
}

async function nameAndLooks(page: Page) {
  await openStep(page, 'Name and logo');
  const named = page.getByRole('region', { name: 'Name and logo', exact: true });
  await named.getByLabel('Name', { exact: true }).fill('Baseline Club');
  await named.getByLabel('Short name').fill('Baseline');
  const chooser = page.waitForEvent('filechooser');
  await named.getByRole('button', { name: 'Upload' }).first().click();
  const picture = {
    create: { width: 400, height: 400, channels: 3, background: '#1d4ed8' },
  } as const;
  const buffer = await sharp(picture).png().toBuffer();
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await expect(named.getByRole('textbox', { name: 'Logo' })).toHaveValue(/^\/media\/[\da-f]{64}\//);
  await save(page, 'Name and logo');

  await page.getByRole('link', { name: 'Colours' }).click();
  const colours = page.getByRole('region', { name: 'Colours', exact: true });
  await colours.getByLabel('Main colour', { exact: true }).fill('#ffd400');
  await colours.getByRole('button', { name: 'Save' }).click();
  await expect(colours.getByText(/^Main colour has a contrast of 1\.\d for links/)).toBeVisible();
  await colours.getByLabel('Main colour', { exact: true }).fill('#1d4ed8');
  await colours.getByLabel('Second colour', { exact: true }).fill('#fb923c');
  await save(page, 'Colours');
  // The open page takes the new colour.
  const primary = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--color-primary'),
    );
  await expect.poll(primary).toBe('#1d4ed8');
  await expectAccessible(page);
}

async function contactAndMoney(page: Page) {
  await openStep(page, 'Contact');
  const contact = page.getByRole('region', { name: 'Contact', exact: true });
  await contact.getByLabel('Email').fill('hello@baseline.example');
  await contact.getByLabel('City').fill('Dublin');
  await contact.getByLabel('Country').fill('Ireland');
  await save(page, 'Contact');
  await openStep(page, 'Currency and time zone');
  const money = page.getByRole('region', { name: 'Currency and time', exact: true });
  await money.getByLabel('Currency').selectOption('eur');
  await money.getByLabel('How amounts are written').selectOption('en-IE');
  await money.getByLabel('Time zone').selectOption('Europe/Dublin');
  await save(page, 'Currency and time');
}

async function firstPlace(page: Page) {
  await openStep(page, 'First place');
  await page.getByRole('button', { name: 'Add a place' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a place' });
  await dialog.getByLabel('Name').fill('Court 1');
  await dialog.getByLabel('How many it takes').fill('20');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
}

async function instructorWithClass(page: Page, browser: Browser, site: Site) {
  await openStep(page, 'Invite an instructor');
  const dialog = page.getByRole('dialog', { name: 'Invite staff' });
  await dialog.getByLabel('Email').fill('coach@baseline.example');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toBeHidden();

  const coach = await (await browser.newContext({ baseURL: site.url })).newPage();
  await joinStaff(coach, await site.mailed('coach@baseline.example', '/join'), 'Nora Quinn');
  await coach.goto('/dashboard/addaclass');
  await coach.getByLabel('Class Name').fill('First Serve');
  await coach.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
  await coach.getByLabel('Price').fill('95');
  await coach.getByLabel('Available Seats').fill('12');
  const today = new Date().toISOString().slice(0, 10);
  const monday = addDays(today, 8 - weekdayOf(today));
  await coach.getByRole('button', { name: 'Mon', exact: true }).click();
  await coach.getByLabel('From', { exact: true }).fill(monday);
  await coach.getByLabel('Until', { exact: true }).fill(addDays(monday, 21));
  await coach.getByLabel('Time', { exact: true }).fill('16:00');
  await coach.getByLabel('Where', { exact: true }).selectOption({ index: 1 });
  await coach.getByRole('button', { name: 'Fill in' }).click();
  await coach.getByRole('button', { name: 'Add Class' }).click();
  await expect(coach).toHaveURL('/dashboard/myclasses');
  await coach.context().close();

  await openStep(page, 'First class');
  await page.getByRole('link', { name: 'First Serve' }).first().click();
  await page.getByRole('button', { name: 'Approve: First Serve' }).click();
  await expect(page.getByRole('button', { name: 'Approve: First Serve' })).toBeDisabled();
}

async function lastSteps(page: Page) {
  await page.goto('/dashboard/adminhome');
  await steps(page).getByRole('button', { name: 'Send a test mail' }).click();
  await steps(page).getByRole('button', { name: 'We have a backup' }).click();
  await expect(steps(page).getByText('8 of 10 done')).toBeVisible();
  await expectAccessible(page);
}

async function seenByAVisitor(page: Page) {
  await page.goto('/');
  await expect(page).toHaveTitle('Baseline Club | Home');
  await expect(page.getByRole('contentinfo')).toContainText('Dublin, Ireland');
  // No sponsor was added, so there is no section for them.
  await expect(page.getByRole('heading', { name: 'Our Valuable Sponsors' })).toHaveCount(0);
  await page.goto('/classes');
  await expect(page.getByRole('link', { name: 'First Serve' })).toBeVisible();
  await expect(page.getByText('€95').first()).toBeVisible();
  await page.getByRole('link', { name: 'First Serve' }).first().click();
  await expect(page.getByText('€95').first()).toBeVisible();
}

test('an empty start leads to the first class on sale', proofOnce, async ({ browser }) => {
  const site = await inProduction();
  try {
    const page = await (await browser.newContext({ baseURL: site.url })).newPage();
    await page.goto('/classes');
    await expect(page.getByRole('heading', { name: 'Nothing is on sale yet' })).toBeVisible();
    await joinStaff(page, await site.firstAdmin('owner@baseline.example'), 'Olive Owner');
    await expect(steps(page).getByText(/^\d of 10 done$/)).toBeVisible();
    await nameAndLooks(page);
    await contactAndMoney(page);
    await firstPlace(page);
    await instructorWithClass(page, browser, site);
    await lastSteps(page);
    const visitor = await (await browser.newContext({ baseURL: site.url })).newPage();
    await seenByAVisitor(visitor);
    await visitor.context().close();
    await page.context().close();
  } finally {
    await site.close();
  }
});
