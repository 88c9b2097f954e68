// Seats on open pages follow the sales, and the streams that bring them do not block other pages.
import type { Page } from '@playwright/test';
import { expect, longProofOnce, test } from './fixtures.ts';
import { aClass, type MadeClass, select, someone } from './people.ts';

/** Another person starts to pay: a seat is held. */
async function claim({ id }: MadeClass) {
  const student = await someone();
  await select(student, { id } as MadeClass);
  await student.ask('POST', '/create-payment-intent', { price: 49, itemId: id });
}

const seatsOf = (page: Page) => page.getByText('Available Seats').locator('..').first();

test('the seats of a class change on its open page, and are said politely', async ({ page }) => {
  const klass = await aClass({ seat: 2 });
  await page.goto(`/classes/${klass.id}`);
  await expect(seatsOf(page)).toContainText('2');
  await claim(klass);
  await expect(seatsOf(page)).toContainText('1 left');
  await expect(page.locator('[aria-live=polite]', { hasText: '1 seat is left.' })).toBeAttached();
  await claim(klass);
  await expect(
    page.getByRole('button', { name: 'Sold out' }).or(page.getByText('Sold out')),
  ).not.toHaveCount(0);
});

/** A browser without a window reports every tab as visible. */
async function tab(page: Page) {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', {
      get: () => Boolean((window as { isHidden?: boolean }).isHidden),
    });
  });
}
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.assign(window, { isHidden: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

const streaming = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/live/seats'));

test('ten tabs of one browser: every page loads', longProofOnce, async ({ context }) => {
  for (let n = 0; n < 10; n++) {
    const page = await context.newPage();
    await tab(page);
    const opened = streaming(page);
    await page.goto(n % 2 === 0 ? '/classes' : '/', { timeout: 10_000 });
    await expect(page.getByRole('article').first()).toBeVisible();
    await opened;
    // The next tab comes to the front.
    await hide(page);
  }
});

test(
  'if hidden tabs kept their streams, the seventh page would not load',
  longProofOnce,
  async ({ context }) => {
    for (let n = 0; n < 6; n++) {
      const page = await context.newPage();
      const opened = streaming(page);
      await page.goto('/classes');
      await opened;
    }
    const seventh = await context.newPage();
    await expect(seventh.goto('/classes', { timeout: 5_000 })).rejects.toThrow('Timeout');
  },
);
