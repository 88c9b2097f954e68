// What the app shows and does without a connection, and after the connection is back.
import type { Page } from '@playwright/test';
import { expect, expectAccessible, longProofOnce, once, proof, test, toastOf } from './fixtures.ts';
import { aClass, enter, select, someone, theAdmin } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.beforeEach(({ expected }) => {
  expected.push(/ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/, /status of (429|503)/);
});

const isPage = (file: string) => new RegExp(`/${file}-[^/]*\\.js`);

test(
  'a page that cannot be loaded is tried once, says so, and comes with Retry',
  proof,
  async ({ page, isMobile }) => {
    await enter(page, await someone());
    await page.goto('/dashboard/mycart');
    await expect(page.getByText('Please select a course')).toBeVisible();
    let requests = 0;
    let online = false;
    await page.route(isPage('PaymentHistory'), (route) => {
      requests += 1;
      return online ? route.fallback() : route.abort();
    });
    if (isMobile) await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Payment History' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'No connection' });
    await expect(note).toBeVisible();
    await expect(page).toHaveURL('/dashboard/paymenthistory');
    await expect(page.getByText('Please select a course')).toHaveCount(0);
    await expectAccessible(page);
    // Three seconds of the page's own time, in which nothing else may ask again.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
    expect(requests).toBeLessThanOrEqual(2);

    // The server answers, so Retry loads the document again.
    const reloaded = page.waitForEvent('load');
    await note.getByRole('button', { name: 'Retry' }).click();
    await reloaded;
    expect(requests).toBeGreaterThan(1);
    await expect(note).toBeVisible();
    expect(requests).toBeLessThanOrEqual(4);
    online = true;
    await note.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No payment yet')).toBeVisible();
    await expect(note).toHaveCount(0);
  },
);

test(
  'a page that could not be loaded comes when the connection is back',
  once,
  async ({ page, context }) => {
    await enter(page, await someone());
    await page.goto('/dashboard/mycart');
    await expect(page.getByText('Please select a course')).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'My Enrolled Classes' }).click();
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: /Enrolled/ })).toBeVisible();
  },
);

/** Signed in, and the page knows it. */
async function atAClass(page: Page) {
  const student = await someone();
  const chosen = await aClass();
  await enter(page, student);
  await page.goto(`/classes/${chosen.id}`);
  await expect(
    page.getByRole('banner').getByRole('link', { name: 'Cart, 0 classes' }),
  ).toBeVisible();
  return { student, chosen };
}

test(
  'Select without a connection says that it waits, and adds the class once afterwards',
  once,
  async ({ page, context }) => {
    const { student } = await atAClass(page);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/bookeds')) sent += 1;
    });
    await context.setOffline(true);
    await page.getByRole('button', { name: /^Select/ }).click();
    await expect(toastOf(page)).toHaveText(
      'No connection. We will add it as soon as you are back.',
    );
    await context.setOffline(false);
    await expect(
      toastOf(page).filter({ hasText: 'Class added to your  cart succesfully.' }),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /^✓ In your cart/ })).toBeVisible();
    expect(sent).toBe(1);
    const cart = await student.ask('GET', `/bookeds?email=${encodeURIComponent(student.email)}`);
    expect(cart).toHaveLength(1);
  },
);

test(
  'Select by a parent without a connection asks who it is for when the connection is back',
  once,
  async ({ page, context }) => {
    const parent = await someone();
    await parent.ask('POST', '/participants', { name: 'Mia', born: '2018-05-04' });
    const chosen = await aClass();
    await enter(page, parent);
    const family = page.waitForResponse('**/api/participants');
    await page.goto(`/classes/${chosen.id}`);
    await family;
    await context.setOffline(true);
    await page.getByRole('button', { name: /^Select/ }).click();
    await expect(toastOf(page)).toHaveText(
      'No connection. We will ask who it is for as soon as you are back.',
    );
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await context.setOffline(false);
    const sheet = page.getByRole('dialog', { name: 'Who is it for?' });
    await sheet.getByRole('button', { name: 'Add to the cart' }).click();
    await expect(
      toastOf(page).filter({ hasText: 'Class added to your  cart succesfully.' }),
    ).toBeVisible();
  },
);

test(
  'a session check without an answer signs no user out: Select waits for it',
  longProofOnce,
  async ({ page }) => {
    await atAClass(page);
    let online = false;
    let lost = 0;
    await page.route('**/api/auth/get-session', (route) => {
      if (online) return route.fallback();
      lost += 1;
      return lost % 2
        ? route.abort()
        : route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } });
    });
    await page.reload();
    const button = page.getByRole('button', { name: /^Select/ });
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    // More often than the first tries in a row.
    await expect.poll(() => lost).toBeGreaterThan(4);
    await expect(page).toHaveURL(/\/classes\//);
    expect(await page.evaluate(() => localStorage.getItem('access-token'))).not.toBeNull();
    online = true;
    await expect(page.getByRole('link', { name: /^✓ In your cart/ })).toBeVisible();
    await expect(page).toHaveURL(/\/classes\//);
  },
);

test(
  'a page for signed-in people waits for the session check, too',
  longProofOnce,
  async ({ page }) => {
    const student = await someone();
    const chosen = await aClass();
    await select(student, chosen);
    await enter(page, student);
    await page.goto('/dashboard/userhome');
    await expect(
      page.getByRole('heading', { level: 1, name: `Welcome, ${student.name}` }),
    ).toBeVisible();
    let online = false;
    let lost = 0;
    await page.route('**/api/auth/get-session', (route) => {
      if (online) return route.fallback();
      lost += 1;
      return route.abort();
    });
    await page.reload();
    await expect.poll(() => lost).toBeGreaterThan(4);
    await expect(page).toHaveURL('/dashboard/userhome');
    online = true;
    await expect(
      page.getByRole('heading', { level: 1, name: `Welcome, ${student.name}` }),
    ).toBeVisible();
  },
);

test(
  'an admin whose role could not be read stays on the page and can try again',
  once,
  async ({ page }) => {
    await enter(page, await theAdmin());
    // As after the last of the three retries, without their pauses: a refusal is not asked again.
    const roles = '**/api/users/*/admin%40rally.test';
    await page.route(roles, (route) =>
      route.fulfill({ status: 429, json: { code: 'RATE_LIMITED' } }),
    );
    await page.goto('/dashboard/manageusers');
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page).toHaveURL('/dashboard/manageusers');
    await page.unroute(roles);
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: /Total Users/ })).toBeVisible();
  },
);
