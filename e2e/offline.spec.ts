// A phone in a tunnel: what the app says and does while there is no connection, and how it goes on afterwards.
import { expect, expectAccessible, once, test } from './fixtures.ts';
import { enter, someone } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.beforeEach(({ expected }) => {
  expected.push(/ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/, /status of 503/);
});

const isPage = (file: string) => new RegExp(`/${file}-[^/]*\\.js`);

test('a page that cannot be loaded is tried once, says so, and comes with Retry', async ({ page, isMobile }) => {
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
  const note = page.getByRole('alert').filter({ hasText: 'No connection. Try again' });
  await expect(note).toBeVisible();
  await expect(page).toHaveURL('/dashboard/paymenthistory');
  await expect(page.getByText('Please select a course')).toHaveCount(0);
  await expectAccessible(page);
  // Three seconds of the page's own time, in which nothing else may ask again.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
  expect(requests).toBeLessThanOrEqual(2);

  await note.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => requests).toBeGreaterThan(1);
  await expect(note).toBeVisible();
  expect(requests).toBeLessThanOrEqual(4);
  online = true;
  await note.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No payment yet')).toBeVisible();
  await expect(note).toHaveCount(0);
});

test('a page that could not be loaded comes when the connection is back', once, async ({ page, context }) => {
  await enter(page, await someone());
  await page.goto('/dashboard/mycart');
  await expect(page.getByText('Please select a course')).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'My Enrolled Classes' }).click();
  await expect(page.getByText('No connection. Try again')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: /Enrolled/ })).toBeVisible();
});
