// Takes the screenshots of docs/looks.md from a running demo: node scripts/looks.ts URL
// Not for: tests of the look (e2e/looks.ts).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { findChromium } from './browser.ts';

const url = process.argv[2];
if (!url) throw new Error('Which Rally? node scripts/looks.ts http://localhost:3000');
const folder = join(import.meta.dirname, '../docs/looks');
mkdirSync(folder, { recursive: true });

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

interface Shot {
  name: string;
  at: string;
  as?: 'student' | 'coach' | 'admin';
  screen?: typeof phone;
  dark?: true;
  /** The element; the whole screen without one. */
  of?: (page: Page) => Locator;
  /** What is done before. */
  after?: (page: Page) => Promise<unknown>;
}

const shots: Shot[] = [
  { name: 'home', at: '/' },
  { name: 'home-phone', at: '/', screen: phone },
  { name: 'class-card', at: '/classes', of: (page) => page.getByRole('article').first() },
  {
    name: 'class-card-phone',
    at: '/classes',
    screen: phone,
    of: (page) => page.getByRole('article').first(),
  },
  { name: 'classes', at: '/classes' },
  {
    name: 'instructor-card',
    at: '/instructors',
    of: (page) => page.getByRole('article').first(),
  },
  {
    name: 'class-page',
    at: '/classes',
    after: (page) => page.getByRole('article').first().getByRole('link').first().click(),
  },
  {
    name: 'class-page-phone',
    at: '/classes',
    screen: phone,
    after: (page) => page.getByRole('article').first().getByRole('link').first().click(),
  },
  { name: 'form', at: '/login', screen: phone },
  { name: 'empty-state', at: '/classes?q=curling', of: (page) => page.getByRole('main') },
  { name: 'student-home', at: '/dashboard/userhome', as: 'student' },
  { name: 'student-home-phone', at: '/dashboard/userhome', as: 'student', screen: phone },
  { name: 'admin-home', at: '/dashboard/adminhome', as: 'admin' },
  { name: 'admin-home-dark', at: '/dashboard/adminhome', as: 'admin', dark: true },
  {
    name: 'chart',
    at: '/dashboard/adminhome',
    as: 'admin',
    of: (page) => page.getByRole('figure').first(),
  },
  { name: 'table', at: '/dashboard/manageusers', as: 'admin' },
  { name: 'table-phone', at: '/dashboard/manageusers', as: 'admin', screen: phone },
  {
    name: 'sidebar',
    at: '/dashboard/adminhome',
    as: 'admin',
    of: (page) => page.getByRole('complementary'),
  },
  {
    name: 'dialog',
    at: '/dashboard/account',
    as: 'coach',
    screen: phone,
    after: (page) => page.getByRole('button', { name: 'Turn on' }).click(),
  },
];

const { executablePath, args, env } = await findChromium();
const browser = await chromium.launch({
  executablePath,
  args,
  ...(env && { env: { ...process.env, ...env } }),
});
for (const { name, at, as, screen = desk, dark, of, after } of shots) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: screen,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (as) await signIn(page, as);
  await page.goto(at);
  await page.waitForLoadState('networkidle');
  await after?.(page);
  await page.waitForLoadState('networkidle');
  const file = { path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 } as const;
  await (of ? of(page).screenshot(file) : page.screenshot(file));
  console.log(name);
  await context.close();
}
await browser.close();

/** The demo academy's accounts. */
async function signIn(page: Page, as: string) {
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Email').fill(`${as}@rally.test`);
  await page.getByLabel('Password', { exact: true }).fill('Rally#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL((next) => next.pathname !== '/login');
}
