// A visitor looks for "Saturday morning, age 7": from the home page over filters and chips to the
// dates of a class.
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import {
  expect,
  expectAccessible,
  expectToFit,
  openMenu,
  searchRow,
  once,
  proof,
  proofOnce,
  test,
  journey,
} from './fixtures.ts';
import { themeOf } from './looks.ts';
import { aClass, select, someone, theAdmin, unique } from './people.ts';
import { inDatabase } from './till.ts';

test.beforeEach(({ page }, { project }) =>
  page.emulateMedia({ colorScheme: themeOf(project.name), reducedMotion: 'reduce' }),
);

/** A class for children of 6 to 8 on seven Saturday mornings; the second one is cancelled. */
async function saturdays() {
  const made = await aClass({ name: unique('Bouldering') });
  const admin = await theAdmin();
  const today = new Date().toISOString().slice(0, 10);
  const first = addDays(today, 14 + ((6 - weekdayOf(today) + 7) % 7));
  const meetings = Array.from({ length: 7 }, (_, nth) => ({
    day: addDays(first, nth * 7),
    starts: '10:00',
    minutes: 90,
  }));
  await admin.ask('POST', `/classes/dates/${made.id}`, { version: 0, meetings });
  await inDatabase(
    `update meeting set state = 'cancelled', told = 'The wall is being painted.'
     where class_id = $1 and day = $2::date`,
    [made.id, addDays(first, 7)],
  );
  await inDatabase(
    `update class set min_age = 6, max_age = 8, ages = '6–8 years', bring = E'Water\nSocks' where id = $1`,
    [made.id],
  );
  return made;
}

test('a parent finds Saturday morning, age 7, and all meetings', journey, async ({ page }) => {
  const { name } = await saturdays();
  await page.goto('/');
  const row = await searchRow(page);
  await row?.click();
  const search = page.getByRole(row ? 'dialog' : 'search');
  await search.getByLabel('Day', { exact: true }).selectOption('Saturday');
  await search.getByLabel('Age', { exact: true }).fill('7');
  await search.getByRole('button', { name: 'Find classes' }).click();
  await expect(page).toHaveURL(/day=sat&age=7/);
  const chips = page.getByRole('list', { name: 'Filters in use' }).getByRole('link');
  await expect(chips).toHaveText([/^Saturdays/, /^Age 7/, 'Clear filters']);
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Time' })).toBeVisible();
  const filtered = page.url();
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(filtered);
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByText('Morning', { exact: true }).click();
  await page.getByRole('button', { name: /^Show \d+ class/ }).click();
  await expect(page).toHaveURL(/time=morning/);
  await expect(chips).toHaveText([/^Saturdays/, /^Morning/, /^Age 7/, 'Clear filters']);
  // What others add meanwhile must not push it off the first page.
  await page.getByLabel('Search').fill(name);
  await expect(page).toHaveURL(/search=/);
  const card = page.getByRole('article').filter({ hasText: name });
  await expect(card).toContainText('Sat · 10:00–11:30');
  await card.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  const next = page.getByRole('list', { name: 'Next meetings' }).getByRole('listitem');
  await expect(next).toHaveCount(5);
  await page.getByText('All 7 meetings').click();
  const all = page.getByRole('list', { name: 'All meetings' }).getByRole('listitem');
  await expect(all).toHaveCount(7);
  await expect(all.nth(1)).toContainText('10:00 to 11:30');
  await expect(all.nth(1)).toContainText('Cancelled: The wall is being painted.');
  await expect(page.getByRole('heading', { name: 'What to bring' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  const read = page.url();
  await openMenu(page);
  await page.getByRole('banner').getByRole('link', { name: 'Instructors' }).click();
  await expect(page).toHaveURL('/instructors');
  await page.goBack();
  await expect(page).toHaveURL(read);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the forms search and filter, and a class has its dates', proof, async ({ page }) => {
    const { name } = await saturdays();
    await page.goto('/');
    const row = page.getByRole('link', { name: 'Sport, age, day' });
    if (await row.isVisible()) await row.click();
    else {
      await page.getByRole('search').getByLabel('Sport').selectOption('Tennis');
      await page.getByRole('button', { name: 'Find classes' }).click();
      await expect(page).toHaveURL(/\/classes\?sport=Tennis/);
      await expect(page.getByRole('article').first()).toContainText('Tennis');
      await page.goto('/classes');
    }
    await page.locator('main summary').first().click();
    await page.getByLabel('Day', { exact: true }).selectOption('Saturday');
    await page.getByLabel('Age', { exact: true }).fill('7');
    await page.getByLabel('Search').fill(name);
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/day=sat/);
    await expect(page.getByRole('link', { name: /^Age 7/ })).toBeVisible();
    await page.getByRole('article').filter({ hasText: name }).getByRole('link').first().click();
    await page.getByText('All 7 meetings').click();
    const all = page.getByRole('list', { name: 'All meetings' }).getByRole('listitem');
    await expect(all).toHaveCount(7);
  });
});

test('what is typed before the scripts arrive counts', proofOnce, async ({ page }) => {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto('/classes', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search').fill('tennis');
  await page.getByLabel('Sort by').selectOption('-price');
  released.resolve();
  await expect(page).toHaveURL(/search=tennis&sort=-price$/);
  await expect(page.getByLabel('Search')).toHaveValue('tennis');
});

test('a seat that is taken leaves the open page', once, async ({ page }) => {
  const klass = await aClass({ seat: 2 });
  await page.goto(`/classes/${klass.id}`);
  const seats = page.getByText('Available Seats').locator('..').first();
  await expect(seats).toContainText('2');
  const student = await someone();
  await select(student, klass);
  await student.ask('POST', '/create-payment-intent', { price: 49, itemId: klass.id });
  await expect(seats).toContainText('1 left');
  await expect(page.locator('[aria-live=polite]', { hasText: '1 seat is left.' })).toBeAttached();
});
