// A coach makes a class with its dates, and an admin decides on it.
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { expect, expectToast, journey, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, someone, theAdmin, unique } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const today = new Date().toISOString().slice(0, 10);

test('a coach makes a class of eight weeks with a holiday', journey, async ({ page }) => {
  // Holidays are for everybody: the two widths plan in different months.
  const weeks = test.info().project.name === 'phone' ? 20 : 70;
  const monday = addDays(today, 8 - weekdayOf(today) + weeks * 7);
  const week = (count: number) => addDays(monday, count * 7);
  const admin = await theAdmin();
  const [place, holiday] = [unique('Court'), unique('Carnival')];
  await admin.ask('POST', '/places', { name: place, capacity: 20 });
  const closed = { name: holiday, firstDay: week(3), lastDay: addDays(week(3), 4) };
  const { insertedId } = await admin.ask('POST', '/closures', closed);
  const instructor = await someone('instructor');
  const name = unique('Diving');
  await enter(page, instructor);
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/dashboard/myclasses');
  await page.getByRole('main').getByRole('link', { name: 'Add a Class' }).first().click();
  await expect(page.getByLabel('Instructor Name')).toHaveValue(instructor.name);
  await expect(page.getByLabel('Email')).toHaveValue(instructor.email);
  await page.getByRole('button', { name: 'Add Class' }).click();
  await expect(page.getByText('Class Name must not be empty')).toBeVisible();
  await expect(page.getByText(/Price must be between 0.50 and 10000.00, with/)).toBeVisible();

  await page.getByLabel('Class Name').fill(name);
  await page.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
  await page.getByLabel('Price').fill('19.99');
  await page.getByLabel('Available Seats').fill('12');
  await page.getByLabel('Sport').selectOption('Swimming');
  await page.getByLabel('Age from').fill('6');
  await page.getByLabel('Age to').fill('8');
  for (const day of ['Mon', 'Wed'])
    await page.getByRole('button', { name: day, exact: true }).click();
  await page.getByLabel('From', { exact: true }).fill(monday);
  await page.getByLabel('Until', { exact: true }).fill(addDays(week(7), 2));
  await page.getByLabel('Time', { exact: true }).fill('16:00');
  await page.getByLabel('Length', { exact: true }).fill('90');
  await page.getByLabel('Where', { exact: true }).selectOption({ label: `${place} (takes 20)` });
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(page.getByText(`2 days left out: ${holiday}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: '14 dates' })).toBeVisible();
  await expect(page.getByLabel('Schedule')).toHaveValue(/^Mon, Wed · 16:00–17:30 · /);
  await audit(page);
  await page.getByRole('button', { name: 'Add Class' }).click();
  await expectToast(page, 'Class added successfully');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Instructor Classes: 1');
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row.getByText('$19.99')).toBeVisible();
  await expect(row.getByText('pending')).toBeVisible();

  await row.getByRole('link', { name: `Update: ${name}` }).click();
  await expect(page.getByRole('heading', { name: 'Update Class' })).toBeVisible();
  await page.getByLabel('Price').fill('24.50');
  await page
    .getByRole('button', { name: /^Remove Mon/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Update Class' }).click();
  await expectToast(page, 'This Class is Updated Successfully');
  await page.reload();
  await expect(page.getByRole('heading', { name: '13 dates' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to My Classes' }).click();
  await expect(row.getByText('$24.50')).toBeVisible();
  await admin.ask('DELETE', `/closures/${String(insertedId)}`);
});

test('an admin approves, denies and comments a class', async ({ page, browser }) => {
  const { name, instructor } = await aClass({ decided: null });
  await enter(page, await theAdmin());
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
