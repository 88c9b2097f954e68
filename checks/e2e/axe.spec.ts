// Every page: nothing that axe finds, and nothing wider than the screen; on the phone in the
// dark theme, on the desktop in the light.
import { expect, expectAccessible, expectToFit, openMenu, test, proof } from './fixtures.ts';
import { audit, expectOneSolidButton, expectToFitTwiceAsLarge, themeOf } from './looks.ts';
import { aClass, enter, someone, theAdmin, unique } from './people.ts';

const pages = [
  '/',
  '/classes?sport=Tennis',
  '/calendar',
  '/calendar?view=agenda',
  `/calendar?month=${new Date().toJSON().slice(0, 7)}`,
  '/instructors',
  '/login',
  '/signup',
  '/forgotpassword',
  '/resetpassword?token=abc',
  '/confirm?token=abc',
  '/nowhere',
];

test.beforeEach(({ page }, { project }) =>
  page.emulateMedia({ colorScheme: themeOf(project.name), reducedMotion: 'reduce' }),
);

test('every public page is accessible and fits the screen', async ({ page, expected }) => {
  expected.push(/status of 404/);
  for (const address of pages) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // Log in and sign up wait for the scripts: until then their buttons are disabled and paler.
      await expect(page.locator('[type=submit]:disabled')).toHaveCount(0);
      await expectAccessible(page);
      await expectToFit(page);
    });
  }
});

test('a long word, errors and an open menu are accessible', proof, async ({ page }) => {
  const { id, name } = await aClass({
    name: unique('Bathe').replace(' ', '').padEnd(90, 'anddive'),
  });
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

test('the dashboards of all roles are accessible and fit', proof, async ({ page }) => {
  const instructor = await someone('instructor');
  await aClass({ instructor, name: unique('A class with a long name that goes on and on') });
  const of = {
    admin: `adminhome manageusers manageclasses payments attention audit attendance discounts academy
      places calendar`,
    instructor: 'myclasses addaclass rollcall',
    student: 'userhome mycart payment paymenthistory myenrolledclasses family account',
  };
  const all = [
    [await theAdmin(), of.admin],
    [instructor, of.instructor],
    [await someone(), of.student],
  ] as const;
  for (const [person, paths] of all) {
    await page.goto('/robots.txt');
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await enter(page, person);
    for (const path of paths.split(/\s+/))
      await test.step(path, async () => {
        await page.goto(`/dashboard/${path}`);
        await audit(page);
        await expectOneSolidButton(page);
        await expectToFitTwiceAsLarge(page);
      });
  }
  // With reduced motion nothing moves.
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        const times = `${transitionDuration},${animationDuration}`.split(',');
        return times.some((time) => Number.parseFloat(time) > 0.001);
      }).length,
  );
  expect(moving).toBe(0);
});
