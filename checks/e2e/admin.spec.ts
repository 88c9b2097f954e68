// What an admin does: decides on classes, looks for users. Sections 2, 6 and 8 of the
// specification.
import { expect, test, expectToast, once, phone, proof } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, theAdmin, unique } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeEach(async ({ page }) => enter(page, await theAdmin()));

test(
  'what is typed in the search box before the scripts arrive is searched',
  once,
  async ({ page }) => {
    const released = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto('/dashboard/manageusers?q=first', { waitUntil: 'domcontentloaded' });
    const box = page.getByRole('searchbox', { name: 'Search' });
    await box.fill('nobody has this name');
    released.resolve();
    await expect(page).toHaveURL(/[?]q=nobody[+]has[+]this[+]name$/);
    await expect(page.getByText('Nothing found')).toBeVisible();
    await expect(box).toHaveValue('nobody has this name');
  },
);

test('an admin approves, denies and comments a class, and its instructor reads the words', async ({
  page,
  browser,
}) => {
  const { name, instructor } = await aClass({ decided: null });
  await page.goto('/dashboard/manageclasses?status=pending');
  await page.getByRole('searchbox', { name: 'Search' }).fill(name);
  await page.getByRole('button', { name: `Approve: ${name}` }).click();
  await expectToast(page, 'Approved');
  await expect(page.getByText('Nothing found')).toBeVisible();

  await page.getByRole('button', { name: 'All', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('approved', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: `Deny: ${name}` }).click();
  await expectToast(page, 'Class Denied');
  await expect(row.getByText('denied', { exact: true })).toBeVisible();

  await row.getByRole('button', { name: `Feedback: ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Feedback on ${name}` });
  await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Please say for which ages.');
  await audit(page);
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog).toBeHidden();

  const theirs = await (await browser.newContext()).newPage();
  await enter(theirs, instructor);
  await theirs.goto('/dashboard/myclasses');
  await theirs.getByRole('button', { name: `Feedback: ${name}` }).click();
  await expect(theirs.getByText('Please say for which ages.')).toBeVisible();
  await theirs.context().close();
});

test(
  'the second click of a double click does not decide on the class that moves under the pointer',
  once,
  async ({ page }) => {
    const mark = unique('Fencing');
    for (const name of [`${mark} one`, `${mark} two`]) await aClass({ name, decided: null });
    await page.goto(`/dashboard/manageclasses?status=pending&q=${encodeURIComponent(mark)}`);
    const approve = page.getByRole('button', { name: /^Approve: Fencing/ });
    await expect(approve).toHaveCount(2);
    // In the page, at the moment when the first class has left the list, however busy the machine is.
    await approve.first().evaluate(async (button: HTMLElement) => {
      const click = { bubbles: true, detail: 1 };
      button.dispatchEvent(new MouseEvent('click', click));
      while (button.isConnected) await new Promise(requestAnimationFrame);
      const next = document.querySelector('button[aria-label^="Approve: Fencing"]');
      if (!next) throw new Error('The other class has left the list, too');
      next.dispatchEvent(new MouseEvent('click', click));
    });
    await expectToast(page, 'Approved');
    await page.reload();
    await expect(approve).toHaveCount(1);
  },
);

test(
  "the phone's menu keeps the focus, closes on Escape and gives the focus back",
  phone,
  async ({ page, isMobile }) => {
    await page.goto('/dashboard/manageusers');
    const open = page.getByRole('button', { name: 'Open the menu' });
    if (!isMobile) {
      await expect(open).toBeHidden();
      return;
    }
    await open.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await expect(drawer).toBeVisible();
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(
          () =>
            document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(open).toBeFocused();
  },
);

for (const paths of [
  ['adminhome', 'manageusers', 'manageclasses'],
  ['payments', 'attention', 'audit', 'attendance', 'discounts', 'academy', 'places', 'calendar'],
])
  test(`${paths.join(', ')} pass axe and never scroll sideways`, proof, async ({ page }) => {
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(`/dashboard/${path}`);
        await audit(page);
      });
  });
