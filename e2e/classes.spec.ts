// A visitor looks for a class: the list with its filters, and the page of a class.
import { expect, longProofOnce, once, proof, proofOnce, test } from './fixtures.ts';

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

test('a class has a page of its own to share, with everything on it', async ({ page }) => {
  await page.goto('/classes?search=soccer');
  await page.getByRole('link', { name: 'First Touch Soccer' }).click();
  await expect(page).toHaveTitle('Rally Sports Academy | First Touch Soccer');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('First Touch Soccer');
  for (const text of ['Instructor', 'Ages', 'When', 'Where', 'Available Seats', 'About this class'])
    await expect(page.getByRole('main')).toContainText(text);
  await expect(
    page.getByRole('button', { name: 'Select First Touch Soccer', exact: true }),
  ).toBeVisible();
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
  'a class page leads to the other classes of its instructor and to similar ones',
  proof,
  async ({ page }) => {
    await page.goto('/classes?search=goalkeepers');
    await page.getByRole('link', { name: 'Soccer Goalkeepers' }).click();
    await page.getByRole('link', { name: /^First Touch Soccer/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('First Touch Soccer');
    await page.getByRole('link', { name: /^\d+ other class/ }).click();
    await expect(page.getByText('What Casey Morgan teaches.')).toBeVisible();
  },
);

test(
  'where sharing and the clipboard are refused, Share shows the address to copy',
  proofOnce,
  async ({ page }) => {
    await page.addInitScript(() => {
      const refused = {
        value: () => Promise.reject(new DOMException('Not allowed here', 'NotAllowedError')),
      };
      Object.defineProperty(Navigator.prototype, 'canShare', { value: () => true });
      Object.defineProperty(Navigator.prototype, 'share', refused);
      Object.defineProperty(Clipboard.prototype, 'writeText', refused);
    });
    await page.goto('/classes?search=soccer');
    await page.getByRole('link', { name: 'First Touch Soccer' }).click();
    await page.getByRole('button', { name: 'Share this class' }).click();
    const field = page.getByLabel('Copy this address');
    await expect(field).toHaveValue(page.url());
    await expect(field).toHaveAttribute('readonly');
    await expect(field).toBeFocused();
    const [start, end] = await field.evaluate((input: HTMLInputElement) => [
      input.selectionStart,
      input.selectionEnd,
    ]);
    expect([start, end]).toEqual([0, page.url().length]);
  },
);

test(
  'See Classes shows the classes of that instructor alone, and a chip takes the filter away',
  proof,
  async ({ page, isMobile }) => {
    await page.goto('/instructors');
    const card = page.getByRole('article').filter({ hasText: 'Ingrid Solberg' });
    for (const text of ['Name', 'Email', 'ingrid@rally.test'])
      await expect(card).toContainText(text);
    await card.getByRole('link', { name: 'See Classes' }).click();
    await expect(page).toHaveURL(/\/classes\?instructor=/);
    await expect(page.getByText('What Ingrid Solberg teaches.')).toBeVisible();
    const classes = page.getByRole('article');
    const filter = page.getByLabel('Instructor', { exact: true });
    const chip = page.getByRole('link', { name: /^Ingrid Solberg/ });
    const check = async () => {
      await expect(filter.locator('option:checked')).toHaveText('Ingrid Solberg');
      await expect(filter).toBeVisible({ visible: !isMobile });
      await expect(chip.locator('svg')).toBeVisible();
      await expect(classes.filter({ hasText: 'Ingrid Solberg' }).first()).toBeVisible();
      await expect(classes.filter({ hasNotText: 'Ingrid Solberg' })).toHaveCount(0);
      const top = await classes.first().evaluate((box) => box.getBoundingClientRect().top);
      expect(top).toBeLessThan(page.viewportSize()?.height ?? 0);
    };
    await check();
    await page.reload();
    await check();
    await chip.click();
    await expect(page).toHaveURL(/\/classes$/);
    await expect(page.getByText('Filters', { exact: true })).toBeFocused();
    await expect(classes.filter({ hasNotText: 'Ingrid Solberg' }).first()).toBeVisible();
    await expect(filter.locator('option:checked')).toHaveText('All instructors');
  },
);

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

test(
  'a list that cannot be loaded says so and can be tried again',
  longProofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 503/);
    await page.route('**/api/classes?*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Rally is busy.' } }),
    );
    // The browser renders the dashboard: what is seen there is live, and no click loads the page anew.
    await page.goto('/dashboard/mycart');
    await page.getByRole('link', { name: 'See all classes' }).click();
    await expect(page.getByRole('alert')).toContainText('Rally is busy.');
    await page.unroute('**/api/classes?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
  },
);
