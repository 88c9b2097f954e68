// Takes the screenshots of docs/looks.md from a running demo: node scripts/looks.ts URL, or only
// those named after the URL.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { addDays, weekdayOf } from '../contract/platform/days.ts';
import { findChromium } from './browser.ts';

const [url, ...only] = process.argv.slice(2);
if (!url) throw new Error('Which Rally? node scripts/looks.ts http://localhost:3000');
const folder = join(import.meta.dirname, '../docs/looks');
mkdirSync(folder, { recursive: true });

/** The Monday of the demo's second week of meetings. */
const today = new Date().toJSON().slice(0, 10);
const monday = addDays(today, 15 - weekdayOf(today));

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

interface Shot {
  name: string;
  at: string;
  as?: 'student' | 'parent' | 'coach' | 'admin';
  screen?: typeof phone;
  dark?: true;
  /** The element; the whole screen without one. */
  of?: (page: Page) => Locator;
  after?: (page: Page) => Promise<unknown>;
}

const first = (page: Page) => page.getByRole('article').first();
const home = '/dashboard/adminhome';

const shots: Shot[] = [
  { name: 'home', at: '/' },
  { name: 'home-phone', at: '/', screen: phone },
  { name: 'class-card', at: '/classes', of: first },
  { name: 'classes', at: '/classes' },
  {
    name: 'class-page-phone',
    at: '/classes',
    screen: phone,
    after: (page) => first(page).getByRole('link').first().click(),
  },
  { name: 'calendar-week', at: `/calendar?week=${monday}` },
  { name: 'form', at: '/login', screen: phone },
  { name: 'empty-state', at: '/classes?search=curling', of: (page) => page.getByRole('main') },
  { name: 'planner', at: '/dashboard/family/plan', as: 'parent' },
  {
    name: 'roll-call-phone',
    at: '/dashboard/rollcall',
    as: 'coach',
    screen: phone,
    after: callTwo,
  },
  { name: 'student-home-phone', at: '/dashboard/userhome', as: 'parent', screen: phone },
  { name: 'coach-phone', at: '/dashboard/myclasses', as: 'coach', screen: phone },
  { name: 'admin-home', at: home, as: 'admin' },
  { name: 'admin-home-dark', at: home, as: 'admin', dark: true },
  { name: 'table', at: '/dashboard/manageusers', as: 'admin' },
  { name: 'table-phone', at: '/dashboard/manageusers', as: 'admin', screen: phone },
  {
    name: 'dialog',
    at: '/dashboard/account',
    as: 'coach',
    screen: phone,
    after: (page) => page.getByRole('button', { name: 'Turn on' }).click(),
  },
];

const { env, ...found } = await findChromium();
const browser = await chromium.launch({ ...found, env: { ...process.env, ...env } });
for (const { name, at, as, screen = desk, dark, of, after } of shots) {
  if (only.length > 0 && !only.includes(name)) continue;
  const context = await browser.newContext({
    baseURL: url,
    viewport: screen,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (as) await signIn(page, as);
  await page.goto(at);
  await settled(page);
  await after?.(page);
  await settled(page);
  const file = { path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 } as const;
  await (of ? of(page).screenshot(file) : page.screenshot(file));
  console.log(name);
  await context.close();
}
await browser.close();

/** The stream of seats never ends, so the network is never idle. */
async function settled(page: Page) {
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
}

/** The first two of today's meeting are here; one of the others has an allergy. */
async function callTwo(page: Page) {
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
  const names = page.getByRole('main').getByRole('listitem').locator('button[aria-pressed]');
  for (const nth of [0, 1])
    while ((await names.nth(nth).getAttribute('aria-pressed')) === 'false') {
      await names.nth(nth).click();
      await page.waitForTimeout(500);
    }
  await page.getByRole('button', { name: /Peanuts/ }).scrollIntoViewIfNeeded();
}

async function signIn(page: Page, as: string) {
  await page.goto('/login');
  await settled(page);
  await page.getByLabel('Email').fill(`${as}@rally.test`);
  await page.getByLabel('Password', { exact: true }).fill('Rally#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL((next) => next.pathname !== '/login');
}
