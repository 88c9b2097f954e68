// The first screen: the slider under the headline, the search, and the navbar.
import { expect, expectToFit, people, signIn, test, proofOnce, proof } from './fixtures.ts';

test('a button that is pressed before the scripts have started does its work when they have', async ({
  page,
}) => {
  const arrival = Promise.withResolvers<void>();
  await page.route(/[/]assets[/]main-/, async (route) => {
    await arrival.promise;
    await route.fallback();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await page.getByRole('button', { name: 'Next picture' }).click();
  await expect(page.getByRole('status')).toHaveText('1 of 4');
  arrival.resolve();
  await expect(page.getByRole('status')).toHaveText('2 of 4');
});

test(
  'the headline and the search cover no control of the slider, at any width',
  proofOnce,
  async ({ page }) => {
    await page.goto('/');
    const slider = page.getByRole('region', { name: 'Our sports in pictures', exact: true });
    const controls = slider.getByRole('button').or(slider.getByRole('status'));
    const words = page.getByRole('heading', { level: 1 }).or(page.locator('main search > *'));
    for (const width of [320, 390, 640, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 1000 });
      const [below, above] = await Promise.all(
        [controls, words].map((boxes) =>
          boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().toJSON() as Box)),
        ),
      );
      expect([below?.length, above?.length]).toEqual([11, 3]);
      const covered = below?.filter((control) => above?.some((box) => overlap(control, box)));
      expect(covered, `covered at ${width} px`).toEqual([]);
    }
  },
);

type Box = Record<'left' | 'right' | 'top' | 'bottom', number>;

const overlap = (one: Box, other: Box) =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

test(
  'the search on the home page is above the fold and leads to the classes',
  proof,
  async ({ page }) => {
    await page.goto('/');
    const search = page.getByRole('search');
    const button = search.getByRole('button', { name: 'Find classes' });
    await expect(button).toBeInViewport({ ratio: 1 });
    await search.getByLabel('Sport').selectOption('Tennis');
    await search.getByLabel('Search').fill('tomás');
    await button.click();
    // Before the scripts have started the form sends its empty fields, too.
    await expect(page).toHaveURL(/\/classes\?sport=Tennis(&day=&age=)?&search=tom%C3%A1s$/);
    await expect(page.getByLabel('Search')).toHaveValue('tomás');
    await page.goto('/');
    await button.click();
    // Before the scripts have started, the browser sends the form with its empty fields.
    await expect(page).toHaveURL(/\/classes(\?sport=&search=)?$/);
  },
);

test(
  'the navbar shows the whole name, and the cart without opening the menu',
  proof,
  async ({ page }) => {
    await signIn(page, people.student);
    const banner = page.getByRole('banner');
    await expect(banner.getByRole('link', { name: /^Cart, \d+ class(es)?$/ })).toBeInViewport();
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const name = banner.getByText('Rally Sports Academy', { exact: true });
      expect(
        await name.evaluate((box) => box.scrollHeight - box.clientHeight),
        `lines of the name that are cut at ${width} px`,
      ).toBe(0);
      await expectToFit(page);
    }
  },
);
