// What an instructor does: adds a class, watches over it, changes it. Sections 2 and 8 of the
// specification.
import { expect, once, proofOnce, test, expectToast, proof, journey } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, someone, unique } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'an instructor adds a class, sees it waiting, changes it, and the catalogue follows',
  journey,
  async ({ page }) => {
    const instructor = await someone('instructor');
    await enter(page, instructor);
    await page.goto('/dashboard');
    await expect(page).toHaveURL('/dashboard/myclasses');
    await expect(page.getByText('No class yet')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Add a Class' }).first().click();
    await expect(page).toHaveURL('/dashboard/addaclass');
    await expect(page.getByLabel('Instructor Name')).toHaveValue(instructor.name);
    await expect(page.getByLabel('Email')).toHaveValue(instructor.email);

    await page.getByRole('button', { name: 'Add Class' }).click();
    await expect(page.getByText('Class Name must not be empty')).toBeVisible();
    await expect(page.getByText(/Price must be between 0.50 and 10000.00, with/)).toBeVisible();
    await expect(page.getByText('Available Seats must be a whole number of seats')).toBeVisible();
    await page.getByLabel('Photo URL').fill('http://127.0.0.1/x.png');
    await expect(page.getByText(/Photo URL must be an https:\/\/ address/)).toBeVisible();

    const name = unique('Diving');
    await page.getByLabel('Class Name').fill(name);
    await page.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
    await page.getByLabel('Price').fill('19.99');
    await page.getByLabel('Available Seats').fill('12');
    await page.getByLabel('Sport').selectOption('Swimming');
    await expect(
      page
        .getByRole('region', { name: 'As visitors will see it' })
        .getByText(name, { exact: true })
        .first(),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectToast(page, 'Class added successfully');
    await expect(page).toHaveURL('/dashboard/myclasses');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Instructor Classes: 1' }),
    ).toBeVisible();
    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row.getByText('New', { exact: true })).toBeVisible();
    await expect(row.getByText('$19.99')).toBeVisible();
    await expect(row.getByText('pending')).toBeVisible();
    await row.getByRole('button', { name: `Feedback: ${name}` }).click();
    await expect(page.getByText('There is no feedback on this class.')).toBeVisible();
    await page.keyboard.press('Escape');

    await row.getByRole('link', { name: `Update: ${name}` }).click();
    await expect(page).toHaveURL('/updateclass');
    await expect(page.getByLabel('Class Name')).toHaveValue(name);
    await expect(page.getByLabel('Seat', { exact: true })).toHaveValue('12');
    await page.getByLabel('Price').fill('24.50');
    await page.getByLabel('Seat', { exact: true }).fill('15');
    await page.getByRole('button', { name: 'Update Class' }).click();
    await expectToast(page, 'This Class is Updated Successfully');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to My Classes' }).click();
    await expect(row.getByText('$24.50')).toBeVisible();
    await expect(row.getByText('of 15 free')).toBeVisible();
  },
);

test(
  'the server has the last word on a form, and says it at the field',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 400/);
    const instructor = await someone('instructor');
    await enter(page, instructor);
    await page.route('**/api/classes', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            json: {
              error: true,
              code: 'INVALID_INPUT',
              message: 'This name is taken.',
              field: 'name',
            },
          })
        : route.fallback(),
    );
    await page.goto('/dashboard/addaclass');
    await page.getByLabel('Class Name').fill('Twice');
    await page.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
    await page.getByLabel('Price').fill('10');
    await page.getByLabel('Available Seats').fill('3');
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expect(page.getByText('This name is taken.')).toBeVisible();
    await expect(page.getByLabel('Class Name')).toBeFocused();
  },
);

test('many classes come in pages, can be searched and sorted', proofOnce, async ({ page }) => {
  const instructor = await someone('instructor');
  const tag = unique('Relay');
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => index + 10).map((number) =>
      aClass({ instructor, name: `${tag} ${number}`, price: number, decided: 'deny' }),
    ),
  );
  await enter(page, instructor);
  await page.goto('/dashboard/myclasses');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Instructor Classes: 30' }),
  ).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(25);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('rowheader')).toHaveCount(5);
  await expect(page.getByText('26–30 of 30 classes', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('rowheader')).toHaveCount(25);
  await page.goto('/dashboard/myclasses?sort=-price');
  await expect(page.getByRole('rowheader').first()).toHaveText(`${tag} 39`);
  await page.getByRole('searchbox', { name: 'Search' }).fill(`${tag} 17`);
  await expect(page.getByRole('rowheader')).toHaveText([`${tag} 17`]);
  await expect(page.getByRole('main').getByText('1 found', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Instructor Classes: 30');
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like this');
  await expect(page.getByText('Nothing found')).toBeVisible();
});

test('/updateclass without a class explains and leads to the classes', once, async ({ page }) => {
  await enter(page, await someone('instructor'));
  await page.goto('/updateclass');
  await expect(page.getByText('No class was chosen')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'My Classes' }).click();
  await expect(page).toHaveURL('/dashboard/myclasses');
});

test('an instructor who types an admin URL lands on the home page', proofOnce, async ({ page }) => {
  await enter(page, await someone('instructor'));
  for (const path of ['manageusers', 'manageclasses', 'payments', 'audit', 'attention']) {
    await page.goto(`/dashboard/${path}`);
    await expect(page).toHaveURL('/');
  }
});

test('the pages of an instructor pass axe and never scroll sideways', proof, async ({ page }) => {
  const instructor = await someone('instructor');
  await aClass({
    instructor,
    name: unique('A class with a long name that goes on and on, as long names do'),
  });
  await enter(page, instructor);
  for (const path of ['/dashboard/myclasses', '/dashboard/addaclass', '/updateclass']) {
    await page.goto(path);
    await audit(page);
  }
  await page.goto('/dashboard/myclasses');
  await page.getByRole('link', { name: /^Update:/ }).click();
  await expect(page.getByLabel('Class Name')).toBeVisible();
  await audit(page);
});
