// The calendar: a visitor moves through the weeks by keyboard and takes a class along as a file; a
// student subscribes to the own dates and turns the feed off.
import { readFile } from 'node:fs/promises';
import ICAL from 'ical.js';
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { expect, proof, expectAccessible, expectToFit, test, journey } from './fixtures.ts';
import { aClass, confirmed, enter, someone, theAdmin } from './people.ts';

const today = new Date().toJSON().slice(0, 10);
/** The Monday of the third week from now. */
const monday = addDays(today, 22 - weekdayOf(today));

/** A class that meets on the Tuesday and the Thursday of that week. */
async function aPlannedClass() {
  const made = await aClass();
  const meetings = [1, 3].map((days) => ({
    day: addDays(monday, days),
    starts: '07:15',
    minutes: 60,
  }));
  await (await theAdmin()).ask('POST', `/classes/dates/${made.id}`, { version: 0, meetings });
  return made;
}

const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component).summary);

test(
  'a visitor moves by keyboard to the week of a class, opens it and adds it to a calendar',
  journey,
  async ({ page }) => {
    const { name } = await aPlannedClass();
    await page.goto('/classes');
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await expect(page).toHaveTitle('Rally Sports Academy | Calendar');
    const next = page.getByRole('link', { name: 'Next week' });
    const weekBefore = (weeks: number) => `/calendar?week=${addDays(monday, -7 * weeks)}`;
    await next.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(weekBefore(2));
    // Before the scripts have started the browser follows the link itself: the new page has no
    // focus, and its keys work once its scripts have started.
    await expect(async () => {
      if (page.url().endsWith(weekBefore(2))) {
        await next.focus();
        await page.keyboard.press('ArrowRight');
      }
      await expect(page).toHaveURL(weekBefore(1), { timeout: 2_000 });
    }).toPass();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(weekBefore(0));
    await expect(next).toBeFocused();
    const meeting = page.getByRole('link', { name });
    await expect(meeting).toHaveCount(2);
    await expectToFit(page);
    await expectAccessible(page);
    await page.keyboard.press('Home');
    await expect(page).toHaveURL('/calendar');
    await page.goBack();
    await page.goto(`/calendar?week=${monday}`);
    await meeting.first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Add to calendar' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('rally.ics');
    expect(eventsOf(await readFile(await file.path(), 'utf8'))).toEqual([name, name]);
  },
);

test('a month opens the agenda of a day, by arrow keys too', proof, async ({ page }) => {
  const { name } = await aPlannedClass();
  const tuesday = addDays(monday, 1);
  await page.goto(`/calendar?month=${tuesday.slice(0, 7)}&day=${monday}`);
  const day = (of: string) => page.locator(`[data-day="${of}"]`);
  // The keys work as soon as the scripts have arrived.
  await expect(async () => {
    await day(monday).focus();
    await page.keyboard.press('ArrowRight');
    await expect(day(tuesday)).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name })).toBeVisible();
  await expectToFit(page);
  await expectAccessible(page);
});

test('a week without classes leads to the next one that has some', proof, async ({ page }) => {
  await aPlannedClass();
  await page.goto(`/calendar?week=${addDays(monday, -14)}&sport=Other`);
  await expect(page.getByRole('heading', { name: 'Nothing is planned this week' })).toBeVisible();
  await page.getByRole('link', { name: 'Next week with classes' }).click();
  await expect(page).toHaveURL(/week=/);
  await expect(page.getByRole('list', { name: 'Days' })).toBeVisible();
});

test(
  'a student subscribes to the own dates and turns the feed off',
  proof,
  async ({ page, request }) => {
    await enter(page, await confirmed(await someone()));
    await page.goto('/dashboard/calendar');
    await expect(page.getByRole('heading', { name: 'Nothing booked this week' })).toBeVisible();
    await page.getByRole('button', { name: 'Subscribe on your phone' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const address = await page.getByLabel('Your link').inputValue();
    await expect(page.getByRole('link', { name: 'Open in my calendar' })).toHaveAttribute(
      'href',
      address.replace(/^https?:/, 'webcal:'),
    );
    await expectAccessible(page);
    const { pathname } = new URL(address);
    const read = await request.get(pathname);
    expect(read.headers()['content-type']).toBe('text/calendar; charset=utf-8');
    expect(eventsOf(await read.text())).toEqual([]);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await expect(page.getByRole('button', { name: 'Make a link' })).toBeVisible();
    expect((await request.get(pathname)).status()).toBe(404);
  },
);
