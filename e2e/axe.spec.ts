// Every public page in both themes: nothing that axe finds, and nothing wider than the screen.
import { expect, expectAccessible, expectToFit, openMenu, test } from './fixtures.ts';
import { aClass, unique } from './people.ts';

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
          await expectToFit(page);
        });
      }
    });

    test('the page of a class with one long word for a name, a form full of errors and an open menu are accessible', async ({
      page,
    }) => {
      const { id, name } = await aClass({ name: unique('Bathe').replace(' ', '').padEnd(90, 'anddive') });
      await page.goto(`/classes?search=${name.slice(0, 12)}&sort=new`);
      await expectToFit(page);
      await page.goto(`/classes/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      await expectToFit(page);
      await expectAccessible(page);
      await page.goto('/signup');
      await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
      await expect(page.getByRole('alert').first()).toBeVisible();
      await openMenu(page);
      await expectAccessible(page);
    });
  });
}
