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

/** The Monday of the demo's second week of meetings: `days` later. */
const dayAt = (days: number) => {
  const today = new Date().toJSON().slice(0, 10);
  return addDays(today, 15 - weekdayOf(today) + days);
};

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };
const tall = { width: 1280, height: 960 };

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
const toFirst = (page: Page) => first(page).getByRole('link').first().click();
const search = '/classes?search=';
const home = '/dashboard/adminhome';

const shots: Shot[] = [
  { name: 'home', at: '/' },
  { name: 'home-phone', at: '/', screen: phone },
  { name: 'class-card', at: '/classes', of: first },
  { name: 'class-card-phone', at: '/classes', screen: phone, of: first },
  { name: 'classes', at: '/classes' },
  { name: 'instructor-card', at: '/instructors', of: first },
  { name: 'class-page', at: '/classes', after: toFirst },
  { name: 'class-page-phone', at: '/classes', screen: phone, after: toFirst },
  { name: 'form', at: '/login', screen: phone },
  { name: 'empty-state', at: `${search}curling`, of: (page) => page.getByRole('main') },
  { name: 'filters', at: '/classes?day=sat&time=morning&age=7', screen: phone },
  { name: 'meetings', at: `${search}first+touch`, screen: phone, after: toMeetings },
  { name: 'calendar-agenda-phone', at: `/calendar?week=${dayAt(0)}`, screen: phone },
  { name: 'calendar-week', at: `/calendar?week=${dayAt(0)}` },
  { name: 'calendar-month', at: `/calendar?month=${dayAt(0).slice(0, 7)}&day=${dayAt(0)}` },
  { name: 'dates-editor', at: '/dashboard/addaclass', as: 'coach', after: fillInDates },
  {
    name: 'review',
    at: '/dashboard/manageclasses?status=pending',
    as: 'admin',
    after: async (page) => {
      await page.getByRole('link', { name: 'Futsal by Night', exact: true }).click();
      await page.getByRole('heading', { name: 'Dates', exact: true }).waitFor();
    },
  },
  { name: 'places', at: '/dashboard/places', as: 'admin' },
  { name: 'discounts', at: '/dashboard/discounts', as: 'admin' },
  { name: 'family', at: '/dashboard/family', as: 'parent' },
  { name: 'cart-phone', at: '/dashboard/mycart', as: 'parent', screen: phone, after: fillCart },
  {
    name: 'payment-several',
    at: '/dashboard/mycart',
    as: 'parent',
    after: async (page) => {
      await fillCart(page);
      await page.getByRole('link', { name: 'Pay all' }).click();
      await page.getByText('Card number').waitFor();
    },
  },
  {
    name: 'who-sheet-phone',
    at: '/classes?sport=Soccer',
    as: 'parent',
    screen: phone,
    after: (page) =>
      page
        .getByRole('button', { name: /^Select/ })
        .nth(0)
        .click(),
  },
  { name: 'planner', at: '/dashboard/family/plan', as: 'parent', screen: tall },
  {
    name: 'roll-call-phone',
    at: '/dashboard/rollcall',
    as: 'coach',
    screen: phone,
    after: callTwo,
  },
  { name: 'attendance', at: '/dashboard/attendance', as: 'admin' },
  { name: 'student-home', at: '/dashboard/userhome', as: 'student' },
  { name: 'student-home-phone', at: '/dashboard/userhome', as: 'student', screen: phone },
  { name: 'admin-home', at: home, as: 'admin' },
  { name: 'admin-home-dark', at: home, as: 'admin', dark: true },
  { name: 'chart', at: home, as: 'admin', of: (page) => page.getByRole('figure').first() },
  { name: 'table', at: '/dashboard/manageusers', as: 'admin' },
  { name: 'table-phone', at: '/dashboard/manageusers', as: 'admin', screen: phone },
  { name: 'sidebar', at: home, as: 'admin', of: (page) => page.getByRole('complementary') },
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

async function toMeetings(page: Page) {
  await toFirst(page);
  await page.getByRole('heading', { name: 'Meetings' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 300);
}

/** Eight weeks over the demo's holiday, at a time when the instructor teaches another class. */
async function fillInDates(page: Page) {
  const form = page.getByRole('main');
  for (const day of ['Wed', 'Fri']) await form.getByText(day, { exact: true }).click();
  await form.getByLabel('From', { exact: true }).fill(dayAt(-7));
  await form.getByLabel('Until').fill(dayAt(48));
  await form.getByLabel('Time', { exact: true }).fill('10:00');
  await form.getByLabel('Where').selectOption({ index: 3 });
  await form.getByRole('button', { name: 'Fill in' }).click();
  await form.getByText('First Touch Soccer').first().waitFor();
  await form.getByRole('heading', { name: 'Dates', exact: true }).evaluate((heading) => {
    heading.scrollIntoView();
    window.scrollBy(0, -90);
  });
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

async function fillCart(page: Page) {
  const jwt = await page.request.post('/api/jwt', { data: { email: 'parent@rally.test' } });
  const { token } = (await jwt.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) => (await page.request.get(`/api${path}`, { headers })).json();
  const children = (await read('/participants')) as { _id: string; self?: boolean }[];
  const found = (await read('/classes?status=approved&limit=12')) as { result: { _id: string }[] };
  const wanted = found.result.flatMap(({ _id: itemId }) =>
    children.filter(({ self }) => !self).map(({ _id }) => ({ itemId, participantId: _id })),
  );
  const cart = (await read('/bookeds?email=parent@rally.test')) as unknown[];
  let taken = cart.length;
  for (const data of wanted) {
    if (taken >= 3) break;
    if ((await page.request.post('/api/bookeds', { headers, data })).ok()) taken += 1;
  }
  await page.reload();
  await settled(page);
}
async function signIn(page: Page, as: string) {
  await page.goto('/login');
  await settled(page);
  await page.getByLabel('Email').fill(`${as}@rally.test`);
  await page.getByLabel('Password', { exact: true }).fill('Rally#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL((next) => next.pathname !== '/login');
}
