// A visitor looks for a class: the list with its filters, and the page of a class.
import { expect, once, test } from './fixtures.ts';

test('classes are searched, filtered and sorted in the URL, and going back restores it', async ({
  page,
}) => {
  await page.goto('/classes');
  await expect(page).toHaveTitle('Rally Sports Academy | Classes');
  // Other journeys add classes meanwhile, so what is counted is what is seen.
  const count = page.getByRole('heading', { level: 2, name: /^[\d,]+ class(es)?$/ });
  const cards = page.getByRole('article');
  const tennis = page.getByRole('link', { name: 'Tennis', exact: true });
  await expect(count).toBeVisible();
  await tennis.click();
  await expect(page).toHaveURL(/sport=Tennis/);
  await expect(cards.filter({ hasNotText: 'Tennis' })).toHaveCount(0);
  await page.getByLabel('Sort by').selectOption('-price');
  await expect(page).toHaveURL(/sort=-price/);
  await expect(async () => {
    const prices = (await cards.getByText(/^\$/).allTextContents()).map((text) =>
      Number(text.replace(/[$,]/g, '')),
    );
    expect(prices.length).toBeGreaterThan(1);
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  }).toPass();
  await cards.first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/classes\/[\da-f-]{36}$/);
  await page.goBack();
  await expect(tennis).toHaveAttribute('aria-current', 'true');
  await expect(cards.first()).toContainText('Tennis');
  await page.getByLabel('Search').fill('nothing has this name');
  await expect(page.getByText('No classes match')).toBeVisible();
  await page.getByRole('link', { name: 'Show all classes' }).click();
  await expect(page).toHaveURL(/\/classes$/);
  await expect(cards.filter({ hasNotText: 'Tennis' }).first()).toBeVisible();
});

test('what is typed and chosen before the scripts arrive counts', once, async ({ page }) => {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto('/classes', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search').fill('tennis');
  await page.getByLabel('Sort by').selectOption('-price');
  released.resolve();
  await expect(page).toHaveURL(/search=tennis&sort=-price$/);
  await expect(page.getByLabel('Search')).toHaveValue('tennis');
});

test('the first screen has a class, and on its page the button that selects it', async ({
  page,
  isMobile,
}) => {
  await page.goto('/classes?search=soccer');
  const card = page.getByRole('article').filter({ hasText: 'First Touch Soccer' });
  await expect(card.getByText('Casey Morgan')).toBeInViewport();
  const { height = 0 } = (await card.boundingBox()) ?? {};
  if (isMobile) expect(height).toBeLessThanOrEqual(360);
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  const select = page.getByRole('button', { name: 'Select First Touch Soccer' });
  await expect(select).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { name: 'Similar classes' })).toBeVisible();
  const lastLine = page.getByText('Lisbon, Portugal');
  // The page may still grow.
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(lastLine).toBeInViewport({ ratio: 1, timeout: 1_000 });
    const covered = await lastLine.evaluate((line) => {
      const { left, bottom } = line.getBoundingClientRect();
      return !line.contains(document.elementFromPoint(left + 1, bottom - 1));
    });
    expect(covered).toBe(false);
  }).toPass();
});

test(
  'a class that does not exist is said to be missing, to people and to search engines',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 404/);
    const answer = await page.goto('/classes/00000000-0000-4000-8000-000000000000');
    expect(answer?.status()).toBe(404);
    await expect(page.getByText('This class is not offered')).toBeVisible();
  },
);
