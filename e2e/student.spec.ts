// What a student sees before paying: home, cart, menu; and what the guards do to those who are not
// signed in. Sections 2, 4 and 6.
import type { Page } from '@playwright/test';
import { expect, test, once, proofOnce, expectToast, proof, longProofOnce } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, password, select, someone, theAdmin } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('/dashboard leads a student to the cart, and the menu is the specified one', async ({
  page,
  isMobile,
}) => {
  await enter(page, await someone());
  const seen = Promise.withResolvers<void>();
  await page.route('**/api/bookeds?*', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard/mycart');
  const heading = page.getByRole('heading', { level: 1 });
  // No number before the cart is loaded.
  await expect(heading).toHaveText('Selected Classes');
  seen.resolve();
  await expect(heading).toHaveText('Selected Classes: 0');
  await expect(page.getByText('Please select a course')).toBeVisible();
  if (isMobile) await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).toHaveText([
    'User Home',
    'My Cart',
    'Payment',
    'Payment History',
    'My Enrolled Classes',
    'Calendar',
    'Family',
    'Account',
    'Home',
    'Signup',
    'Login',
  ]);
  await page.getByRole('link', { name: 'Payment History' }).click();
  await expect(page).toHaveURL('/dashboard/paymenthistory');
  await expect(page.getByText('No payment yet')).toBeVisible();
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: 'See all classes' }).click();
  await expect(page).toHaveURL('/classes');
});

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

test('the home page tells what is in the cart and what to do next', async ({ page }) => {
  const student = await someone();
  await select(student, await aClass());
  await enter(page, student);
  await page.goto('/dashboard/userhome');
  await expect(
    page.getByRole('heading', { level: 1, name: `Welcome, ${student.name}` }),
  ).toBeVisible();
  await expect(page.getByText('1 class', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Go to my cart' }).click();
  await expect(page).toHaveURL('/dashboard/mycart');
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

test(
  'the cart tells when a price has changed or a class is no longer offered, and can be searched',
  proof,
  async ({ page }) => {
    const student = await someone();
    const [raised, closed, same] = [await aClass({ price: 20 }), await aClass(), await aClass()];
    for (const chosen of [raised, closed, same]) await select(student, chosen);
    await (await theAdmin()).ask('PATCH', `/classes/${raised.id}`, { price: 25 });
    await (await theAdmin()).ask('PATCH', `/classes/deny/${closed.id}`);
    await enter(page, student);
    await page.goto('/dashboard/myselectedclasses');
    await expect(page.getByRole('row').filter({ hasText: raised.name })).toContainText(
      'it was $20.00',
    );
    await expect(page.getByRole('row').filter({ hasText: closed.name })).toContainText(
      'no longer offered',
    );
    await expect(page.getByRole('button', { name: `Pay: ${closed.name}` })).toBeDisabled();
    await audit(page);
    await page.getByRole('searchbox', { name: 'Search' }).fill(same.name);
    await expect(page.getByRole('rowheader')).toHaveCount(1);
    await expect(
      page.getByRole('heading', { level: 1, name: 'Selected Classes: 3' }),
    ).toBeVisible();
  },
);

test('signed out, a guarded page leads through the login and back', once, async ({ page }) => {
  const student = await someone();
  await page.goto('/dashboard/paymenthistory');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').fill(student.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expectToast(page, 'User Login Successful.');
  await expect(page).toHaveURL('/dashboard/paymenthistory');
});

test(
  'signed out, the unguarded pages are there and empty',
  longProofOnce,
  async ({ page, expected }) => {
    // The cart may still be loading when its session is taken away.
    expected.push(/status of 401/);
    for (const [path, words] of [
      ['adminhome', 'For admins only'],
      ['payment', 'Log in to pay'],
      ['mycart', 'Please select a course'],
    ] as const) {
      await page.goto(`/dashboard/${path}`);
      await expect(page.getByText(words)).toBeVisible();
      await audit(page);
    }
    const student = await someone();
    await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click();
    await expect(page).toHaveURL('/login');
    await page.getByLabel('Email').fill(student.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page).toHaveURL('/dashboard/mycart');
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/updateclass');
    await expect(page.getByText('No class was chosen')).toBeVisible();
    await audit(page);
    for (const path of ['manageusers', 'myclasses']) {
      await page.goto(`/dashboard/${path}`);
      await expect(page).toHaveURL('/');
    }
  },
);

test('a student on an unguarded admin page is not signed out by it', once, async ({ page }) => {
  const student = await someone();
  await enter(page, student);
  await page.goto('/dashboard/adminhome');
  await expect(page.getByText('For admins only')).toBeVisible();
  await page.goto('/dashboard/userhome');
  await expect(
    page.getByRole('heading', { level: 1, name: `Welcome, ${student.name}` }),
  ).toBeVisible();
});

test('a refused token signs out and leads to the login', proofOnce, async ({ page, expected }) => {
  expected.push(/status of 401/);
  await enter(page, await someone());
  await page.goto('/dashboard/userhome');
  await expect(page.getByText('In your cart')).toBeVisible();
  await page.route('**/api/enrolments*', (route) =>
    route.fulfill({
      status: 401,
      json: { error: true, code: 'UNAUTHENTICATED', message: 'Please sign in.' },
    }),
  );
  await page.getByRole('link', { name: 'My enrolled classes', exact: true }).last().click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.getItem('access-token'))).toBeNull();
});

test('the theme is remembered and the whole site follows', proofOnce, async ({ page }) => {
  await page.goto('/dashboard/mycart');
  const html = page.locator('html');
  const before = (await html.getAttribute('data-theme')) === 'dark' ? 'dark' : 'light';
  const other = before === 'dark' ? 'light' : 'dark';
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(html).toHaveAttribute('data-theme', other);
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(other);
  await page.goto('/');
  await expect(html).toHaveAttribute('data-theme', other);
});

test('the pages of a new student pass axe and never scroll sideways', proof, async ({ page }) => {
  await enter(page, await someone());
  for (const path of ['userhome', 'mycart', 'payment', 'paymenthistory', 'myenrolledclasses'])
    await test.step(path, async () => {
      await page.goto(`/dashboard/${path}`);
      await audit(page);
    });
});
