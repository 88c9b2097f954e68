// What every journey shares: a page that fails its test on any console error or breach of the
// content security policy, and people to sign in as.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Locator, type Page, test as base } from '@playwright/test';
import type Axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof Axe;
  }
}

interface Fixtures {
  /** Console errors that a journey provokes on purpose, such as the 401 of a wrong password. */
  expected: RegExp[];
}

/**
 * Host of pictures whose address a user typed. The host does not exist (playwright.config.ts), so
 * its errors do not fail a test.
 */
export const elsewhere = 'https://pictures.example/';

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: nothing.
  expected: async ({}, provide) => provide([]),
  page: async ({ page, expected }, provide) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' && !url.startsWith(elsewhere))
        complaints.push(`${message.text()} (${url})`);
    });
    await recordToasts(page);
    page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await provide(page);
    expect(complaints.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual(
      [],
    );
  },
});

export { expect };

export const password = 'Rally#2026';
export const people = {
  admin: 'admin@rally.test',
  coach: 'coach@rally.test',
  student: 'student@rally.test',
} as const;

export async function signIn(page: Page, email: string, secret = password) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

let made = 0;

export const newEmail = () => `parent-${Date.now()}-${process.pid}-${(made += 1)}@example.com`;

/** What the journeys type into the form of the sign-up. */
export const signUpPassword = 'Lob&Volley7';

/** The row of Home on a phone: before the scripts run it is a link to the list of classes. */
export async function searchRow(page: Page): Promise<Locator | null> {
  const row = page.getByRole('link', { name: 'Sport, age, day' });
  if (!(await row.isVisible())) return null;
  const runs = () =>
    row.evaluate((link) => Object.keys(link).some((key) => key.startsWith('__reactProps')));
  await expect.poll(runs, 'scripts run').toBe(true);
  return row;
}

/** On a phone the navbar's links are behind its menu; opens it unless it is open. */
export async function openMenu(page: Page) {
  const menu = page.locator('header details:not([open]) > summary');
  if (await menu.isVisible()) await menu.click();
}

export async function signOut(page: Page) {
  const auth = page.locator('html');
  // The page that a sign-in leads to closes the menu once more when it has come.
  await expect(async () => {
    if ((await auth.getAttribute('data-auth')) === 'out') return;
    await openMenu(page);
    await page.getByRole('button', { name: 'Logout' }).click({ timeout: 3_000 });
  }).toPass();
  await expect(auth).toHaveAttribute('data-auth', 'out');
  await expect(page).toHaveURL('/');
  await openMenu(page);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
}

/**
 * Nothing is wider than the screen. The width of the viewport is used, because a phone zooms out to
 * show a wider page and reports that width as its own.
 */
export async function expectToFit(page: Page) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, 'width of the page').toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

const toasts = new WeakMap<Page, string[]>();

/**
 * A success toast is gone after 1500 ms. On a busy machine the test may check later, so every toast
 * is recorded.
 */
async function recordToasts(page: Page) {
  const shown: string[] = [];
  toasts.set(page, shown);
  await page.exposeFunction('recordToast', (text: string) => void shown.push(text));
  await page.addInitScript(() => {
    const { recordToast } = window as unknown as { recordToast: (text: string) => void };
    const look = () => {
      for (const toast of document.querySelectorAll('#toasts > *'))
        if (toast.checkVisibility() && toast.textContent) recordToast(toast.textContent);
    };
    // Their place is shown a moment after the first one is in it.
    setInterval(look, 100);
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
}

/** Waits until a toast with this text has been shown. */
export const expectToast = (page: Page, text: string) =>
  expect
    .poll(() => toasts.get(page), `toasts with ${text}`)
    .toContainEqual(expect.stringContaining(text));

/** Waits for colours and positions that change over some frames, but not for a spinner. */
async function expectStill(page: Page) {
  const moving = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
          .filter(({ playState }) => playState === 'running').length,
    );
  await expect.poll(moving, 'animations under way').toBe(0);
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * All frames have our origin, so the axe of the page audits them too. Only the violations leave the
 * page.
 */
export async function expectAccessible(page: Page) {
  await expectStill(page);
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axeSource);
  const violations = await page.evaluate(async (tags) => {
    // What is scrolled half behind the header or the tab bar is no small target.
    const bars = document.querySelectorAll<HTMLElement>('header, .tab-bar');
    for (const { style } of bars) style.setProperty('position', 'static');
    const found = await window.axe.run({ runOnly: tags, resultTypes: ['violations'] });
    for (const { style } of bars) style.removeProperty('position');
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
    );
  }, standards);
  expect(violations).toEqual([]);
}

/** For a test that does not depend on the width of the screen: it runs on the desktop alone. */
export const once = { tag: '@once' };
/** Not in `npm test`: the proof `browser` runs it. */
export const proof = { tag: '@proof' };
/** At both widths in .ci/run (playwright.config.ts). */
export const journey = { tag: '@journey' };
export const proofOnce = { tag: ['@once', '@proof'] };
/** Only in the long form of the proof `browser`: it takes long, or shows that another test can fail. */
export const longProofOnce = { tag: ['@once', '@proof', '@long'] };
/** For a test about the phone in a file that is for the desktop (playwright.config.ts). */
export const phone = { tag: '@phone' };
export const phoneProof = { tag: ['@phone', '@proof'] };
