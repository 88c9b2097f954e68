// What a student sees before paying, and what those see who are not signed in. Sections 2, 4 and 6.
import type { Page } from '@playwright/test';
import { expect, test, proof, longProofOnce } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, select, someone } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the frame of the dashboard is served without data, and nothing of it moves when the page takes over', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  const student = await someone();
  await enter(page, student);
  const served = await (await page.request.get('/dashboard/userhome')).text();
  expect(served).toContain('noindex');
  expect(served).not.toContain(student.email);
  expect(served).not.toContain(student.name);

  const places = async (shown: Page) => {
    await shown.evaluate(() => document.fonts.ready.then(() => undefined));
    const frame = [
      shown.getByRole('banner'),
      shown.getByRole('searchbox'),
      shown.getByRole('main'),
    ];
    if (!isMobile) frame.push(shown.getByRole('link', { name: 'Signup' }));
    return Promise.all(frame.map(async (part) => (await part.boundingBox())?.y));
  };
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    viewport: page.viewportSize(),
    ...(baseURL && { baseURL }),
  });
  const frame = await plain.newPage();
  await frame.goto('/dashboard/userhome');
  await expect(frame.locator('noscript p')).toHaveText('This part of the site needs JavaScript.');
  await page.goto('/dashboard/userhome');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(student.name);
  expect(await places(page)).toEqual(await places(frame));
  await plain.close();
});

test('a class leaves the cart only after the question is answered with yes', async ({ page }) => {
  const student = await someone();
  const [one, two] = [await aClass(), await aClass()];
  await select(student, one);
  await select(student, two);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await expect(page.getByRole('heading', { level: 1, name: 'Selected Classes: 2' })).toBeVisible();

  await page.getByRole('button', { name: `Delete: ${one.name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Are you sure?')).toBeVisible();
  await expect(dialog.getByText("You won't be able to revert this!")).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('rowheader')).toHaveCount(2);

  await page.getByRole('button', { name: `Delete: ${one.name}` }).click();
  await page.getByRole('button', { name: 'Yes, delete it!' }).click();
  await expect(page.getByText('Deleted!')).toBeVisible();
  await expect(page.getByText('Your file has been deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Selected Classes: 1' })).toBeVisible();
  await expect(page.getByRole('rowheader').filter({ hasText: two.name })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('rowheader')).toHaveCount(1);
});

test('signed out, the unguarded pages are there and empty', longProofOnce, async ({ page }) => {
  for (const [path, words] of [
    ['adminhome', 'For admins only'],
    ['payment', 'Log in to pay'],
    ['mycart', 'Please select a course'],
  ] as const) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByText(words)).toBeVisible();
    await audit(page);
  }
  await page.goto('/updateclass');
  await expect(page.getByText('No class was chosen')).toBeVisible();
  await audit(page);
});

test('the pages of a new student pass axe and never scroll sideways', proof, async ({ page }) => {
  await enter(page, await someone());
  for (const path of ['userhome', 'mycart', 'payment', 'paymenthistory', 'myenrolledclasses'])
    await test.step(path, async () => {
      await page.goto(`/dashboard/${path}`);
      await audit(page);
    });
});
