// Every public page in both themes: nothing that axe finds, and nothing wider than the screen.
import { expect, expectAccessible, openMenu, test } from './fixtures.ts';

const pages = [
  '/',
  '/classes?sport=Tennis',
  '/instructors',
  '/login',
  '/signup',
  '/forgotpassword',
  '/resetpassword?token=abc',
  '/nowhere',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('every public page is accessible and fits the screen', async ({ page, expected }) => {
      expected.push(/404/);
      test.slow();
      for (const address of pages) {
        await test.step(address, async () => {
          await page.goto(address);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectAccessible(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        });
      }
    });

    test('the page of a class, a form full of errors and an open menu are accessible', async ({ page }) => {
      await page.goto('/classes');
      await page.getByRole('article').first().getByRole('link').first().click();
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Classes');
      await expectAccessible(page);
      await page.goto('/signup');
      await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
      await expect(page.getByRole('alert').first()).toBeVisible();
      await openMenu(page);
      await expectAccessible(page);
    });
  });
}
