// What an instructor does: adds a class, watches over it, changes it. Sections 2 and 8 of the
// specification.
import { expect, proofOnce, test, expectToast, proof, journey } from './fixtures.ts';
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
