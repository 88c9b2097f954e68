// What an admin does: gives roles, decides on classes, reads what happened. Sections 2, 6 and 8 of
// the specification.
import { readFile } from 'node:fs/promises';
import {
  expect,
  test,
  expectToast,
  once,
  phone,
  proofOnce,
  proof,
  longProofOnce,
} from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, confirmed, enter, someone, theAdmin, unique } from './people.ts';
import { inDatabase } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeEach(async ({ page }) => enter(page, await theAdmin()));

test('/dashboard leads an admin to Manage Users, and the menu is the specified one', async ({
  page,
  isMobile,
}) => {
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard/manageusers');
  await expect(page).toHaveTitle('Rally Sports Academy | Manage Users');
  await expect(page.getByRole('heading', { level: 1, name: /^Total Users: \d/ })).toBeVisible();
  if (isMobile) await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).toHaveText([
    'Admin Home',
    'Manage Users',
    // With the number of what waits there.
    /^Manage Classes(\d+ to review)?$/,
    'Calendar',
    'Places',
    'Attendance',
    'Discounts',
    'Academy',
    /^Payments(\d+ failed refunds)?$/,
    /^Needs Attention(\d+ open)?$/,
    'Audit Log',
    'Account',
    'Home',
    'Signup',
    'Login',
  ]);
});

test(
  'an admin finds a user by the search box and makes them admin, then instructor',
  proof,
  async ({ page }) => {
    const user = await confirmed(await someone());
    await page.goto('/dashboard/manageusers');
    const heading = page.getByRole('heading', { level: 1, name: /^Total Users: [\d,]+$/ });
    const total = async () => Number((await heading.innerText()).replace(/\D/g, ''));
    const before = await total();
    await page.getByRole('searchbox', { name: 'Search' }).fill(user.email);
    await expect(page.getByRole('main').getByText('1 found', { exact: true })).toBeVisible();
    // Other journeys add users meanwhile.
    expect(await total()).toBeGreaterThanOrEqual(before);
    const row = page.getByRole('row').filter({ hasText: user.email });
    await expect(page).toHaveURL(/[?]q=/);
    await row.getByRole('button', { name: `Make Admin: ${user.name}` }).click();
    await expectToast(page, `${user.name} is an Admin Now!`);
    await expect(row.getByText('Admin', { exact: true })).toBeVisible();
    await row.getByRole('button', { name: `Make Instructor: ${user.name}` }).click();
    await expectToast(page, `${user.name} is an Instructor Now!`);
    await expect(row.getByText('Instructor', { exact: true })).toBeVisible();
    await expect(row.getByRole('button', { name: `Make Admin: ${user.name}` })).toBeFocused();
    await page.reload();
    await expect(row.getByText('Instructor', { exact: true })).toBeVisible();

    await page.goto(`/dashboard/audit?q=${encodeURIComponent(user.name)}`);
    await expect(page.getByRole('rowheader')).toHaveText([
      'role admin → instructor',
      'role student → admin',
    ]);
    await expect(page.getByRole('row').filter({ hasText: user.name })).toHaveCount(2);
  },
);

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

test('an admin sees whose address is not confirmed, and is told why before a role is given', async ({
  page,
}) => {
  const user = await someone();
  await page.goto(`/dashboard/manageusers?q=${encodeURIComponent(user.email)}`);
  const row = page.getByRole('row').filter({ hasText: user.email });
  await expect(row).toContainText('Address not confirmed');
  await row.getByRole('button', { name: `Make Admin: ${user.name}` }).click();
  await expect(page.getByText(`A stranger may have signed up with ${user.email}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row.getByRole('button', { name: `Make Admin: ${user.name}` })).toBeVisible();
  await row.getByRole('button', { name: `Make Instructor: ${user.name}` }).click();
  await page.getByRole('button', { name: 'Make Instructor all the same' }).click();
  await expectToast(page, `${user.name} is an Instructor Now!`);
});

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
  'the home page shows the figures and the waiting classes with the decision at hand',
  proof,
  async ({ page }) => {
    const { id, name } = await aClass({ decided: null });
    // The page lists the twenty that wait longest, and other journeys leave classes waiting.
    await inDatabase("update class set proposed_at = '2000-01-01' where id = $1", [id]);
    await page.goto('/dashboard/adminhome');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Welcome back, Avery Admin' }),
    ).toBeVisible();
    for (const figure of [
      'Users by role',
      'Classes by status',
      'Seats',
      'Revenue per day',
      'Enrolments per day',
    ])
      await expect(page.getByRole('figure', { name: figure })).toBeVisible();
    await expect(page.getByRole('link', { name: /classes? to review/ })).toHaveAttribute(
      'href',
      '/dashboard/manageclasses?status=pending',
    );
    await page.getByRole('button', { name: `Approve: ${name}` }).click();
    await expectToast(page, 'Approved');
    await expect(page.getByRole('button', { name: `Approve: ${name}` })).toBeHidden();
    await expect(page.locator('body')).not.toBeFocused();
    await expect(page.locator('section[aria-labelledby=waiting] :focus')).toBeVisible();

    await page.getByRole('button', { name: '7 days' }).click();
    await expect(page).toHaveURL('/dashboard/adminhome?days=7');
    await expect(page.getByText(/the 7 days before/).first()).toBeVisible();
  },
);

test(
  'an admin opens a class from Manage Classes, sees what visitors will see, and decides there',
  proof,
  async ({ page }) => {
    const { id, name, instructor } = await aClass({ decided: null });
    await page.goto(`/dashboard/manageclasses?q=${encodeURIComponent(name)}`);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(`/dashboard/manageclasses/${id}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    for (const fact of ['$49.00', 'Mon 16:00', 'Court 1', 'Up to 5', instructor.name])
      await expect(page.getByRole('article').getByText(fact, { exact: true })).toBeVisible();
    await expect(page.getByText('Not given: description, ages')).toBeVisible();
    await audit(page);
    await page.getByRole('button', { name: `Approve: ${name}` }).click();
    await expectToast(page, 'Approved');
    await expect(page.getByRole('main').getByText('approved', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Decision' }).locator(':focus')).toBeVisible();
    await expect(page.getByRole('button', { name: `Deny: ${name}` })).not.toBeFocused();
    await page.getByRole('button', { name: `Feedback: ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Feedback on ${name}` });
    await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Well written.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText('Your feedback: Well written.')).toBeVisible();
  },
);

test('a page past the end of a list says so and leads to the first', proof, async ({ page }) => {
  await page.goto('/dashboard/payments?page=9999');
  await expect(page.getByText('This page is past the end')).toBeVisible();
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(page).toHaveURL('/dashboard/payments');
  await expect(page.getByRole('rowheader').first()).toBeVisible();
});

test(
  'a dashboard whose calls all fail says so, and Retry brings it back',
  longProofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 503/);
    await page.goto('/dashboard/adminhome');
    await expect(page.getByRole('heading', { name: 'Needs you' })).toBeVisible();
    let broken = true;
    await page.route('**/api/**', (route) =>
      broken ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
    );
    for (const path of ['adminhome', 'manageusers', 'account']) {
      await page.goto(`/dashboard/${path}`);
      await expect(page.getByRole('alert').getByRole('button', { name: 'Retry' })).toBeVisible();
    }
    broken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  },
);

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
  'users, classes and payments can be taken home as spreadsheets',
  proofOnce,
  async ({ page }) => {
    const user = await someone();
    await page.goto(`/dashboard/manageusers?q=${encodeURIComponent(user.email)}`);
    const [users] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(users.suggestedFilename()).toBe('users.csv');
    expect(await readFile(await users.path(), 'utf8')).toMatch(
      new RegExp(`^\uFEFF"Name"[^]*${user.email}`),
    );
    await page.goto('/dashboard/manageclasses');
    const [classes] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(await readFile(await classes.path(), 'utf8')).toContain('First Touch Soccer');
    await page.goto('/dashboard/payments');
    const [payments] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(payments.suggestedFilename()).toBe('payments.csv');
    expect(await readFile(await payments.path(), 'utf8')).toMatch(/^\uFEFF"Date","Receipt"/);
  },
);

test('a table is sorted by its headings, on a phone by a choice', async ({ page, isMobile }) => {
  await page.goto('/dashboard/manageusers');
  const names = page.getByRole('rowheader');
  await expect(names.first()).toBeVisible();
  const first = await names.first().innerText();
  if (isMobile) await page.getByLabel('Sort by').selectOption({ label: 'Name ↓' });
  else await page.getByRole('button', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=-name/);
  await expect(names.first()).not.toHaveText(first);
  if (!isMobile)
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
});

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

test(
  'a list that cannot be loaded says so and can be tried again',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 400/);
    let broken = true;
    await page.route('**/api/allusers*', (route) =>
      broken
        ? route.fulfill({
            status: 400,
            json: { error: true, code: 'INVALID_INPUT', message: 'Something broke.' },
          })
        : route.fallback(),
    );
    await page.goto('/dashboard/manageusers');
    await expect(page.getByRole('alert').getByText('Something broke.')).toBeVisible();
    broken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('rowheader').first()).toBeVisible();
  },
);

for (const paths of [
  ['adminhome', 'manageusers', 'manageclasses'],
  ['payments', 'attention', 'audit', 'attendance', 'discounts', 'academy'],
])
  test(`${paths.join(', ')} pass axe and never scroll sideways`, proof, async ({ page }) => {
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(`/dashboard/${path}`);
        await audit(page);
      });
  });
