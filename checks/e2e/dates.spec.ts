// Dates of classes: an instructor plans them, and a family is told of a change.
import type { Locator, Page } from '@playwright/test';
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import {
  expect,
  expectAccessible,
  expectToast,
  expectToFit,
  proof,
  test,
  journey,
} from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, type MadeClass, type Person, someone, theAdmin, unique } from './people.ts';
import { aBuyer } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const today = new Date().toISOString().slice(0, 10);
const mondayAfter = (weeks: number) => addDays(today, 8 - weekdayOf(today) + weeks * 7);
/** Holidays are for everybody: the two widths plan in different months. */
const ownMonday = (weeks: number) =>
  mondayAfter(test.info().project.name === 'phone' ? weeks : weeks + 50);
const week = (monday: string, count: number) => addDays(monday, count * 7);

async function aPlace(capacity = 20): Promise<{ id: string; name: string }> {
  const name = unique('Court');
  const { insertedId } = await (await theAdmin()).ask('POST', '/places', { name, capacity });
  return { id: String(insertedId), name };
}

const meetings = (placeId: string, ...days: string[]) =>
  days.map((day) => ({ day, starts: '16:00', minutes: 60, placeId }));

/** Dates for a class that has none, or as `version` says. */
const plan = (who: Person, { id }: MadeClass, placeId: string, ...days: string[]) =>
  who.ask('POST', `/classes/dates/${id}`, { version: 0, meetings: meetings(placeId, ...days) });

interface Pattern {
  days: string[];
  from: string;
  until: string;
  place: string;
}

async function fillIn(page: Page, { days, from, until, place }: Pattern) {
  for (const day of days) await page.getByRole('button', { name: day, exact: true }).click();
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.getByLabel('Until', { exact: true }).fill(until);
  await page.getByLabel('Time', { exact: true }).fill('16:00');
  await page.getByLabel('Length', { exact: true }).fill('90');
  await page.getByLabel('Where', { exact: true }).selectOption({ label: `${place} (takes 20)` });
  await page.getByRole('button', { name: 'Fill in' }).click();
}

const listed = (page: Page): Locator =>
  page.getByRole('region', { name: 'Dates' }).getByRole('listitem');

test(
  'an instructor plans eight weeks with a holiday and moves one meeting',
  journey,
  async ({ page }) => {
    const monday = ownMonday(20);
    const place = await aPlace();
    const holiday = unique('Carnival');
    const admin = await theAdmin();
    const { insertedId } = await admin.ask('POST', '/closures', {
      name: holiday,
      firstDay: week(monday, 3),
      lastDay: addDays(week(monday, 3), 4),
    });
    const instructor = await someone('instructor');
    const name = unique('Planned');
    await enter(page, instructor);
    await page.goto('/dashboard/addaclass');
    await page.getByLabel('Class Name').fill(name);
    await page.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
    await page.getByLabel('Price').fill('19.99');
    await page.getByLabel('Available Seats').fill('12');
    await page.getByLabel('Age from').fill('6');
    await page.getByLabel('Age to').fill('8');
    await page.getByLabel('Level').selectOption({ label: 'Beginner' });
    await page.getByLabel('What to bring').fill('Trainers\nWater');
    await expect(page.getByText('visitors will read “Dates will follow”')).toBeVisible();
    await page.getByRole('button', { name: 'Fill in' }).click();
    await expect(page.getByText('Choose at least one weekday')).toBeVisible();
    await fillIn(page, {
      days: ['Mon', 'Wed'],
      from: monday,
      until: addDays(week(monday, 7), 2),
      place: place.name,
    });
    await expect(page.getByText(`2 days left out: ${holiday}`)).toBeVisible();
    await expect(page.getByRole('heading', { name: '14 dates' })).toBeVisible();
    await expect(page.getByLabel('Schedule')).toHaveValue(/^Mon, Wed · 16:00–17:30 · /);
    await expect(page.getByLabel('Place', { exact: true })).toHaveValue(place.name);

    await page
      .getByRole('button', { name: /^Change Wed/ })
      .first()
      .click();
    await page.getByLabel('Day', { exact: true }).fill(addDays(monday, 3));
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(listed(page).nth(1)).toContainText('Thu');
    await audit(page);
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectToast(page, 'Class added successfully');

    await page.getByRole('link', { name: `Update: ${name}` }).click();
    await expect(page.getByRole('heading', { name: '14 dates' })).toBeVisible();
    await expect(page.getByLabel('Age from')).toHaveValue('6');
    await page
      .getByRole('button', { name: /^Remove Mon/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'Update Class' }).click();
    await expectToast(page, 'This Class is Updated Successfully');
    await page.reload();
    await expect(page.getByRole('heading', { name: '13 dates' })).toBeVisible();
    await admin.ask('DELETE', `/closures/${String(insertedId)}`);
  },
);

/** The newest mail to an address with these words in it. */
async function mailTo(page: Page, email: string, words: string): Promise<string> {
  let text = '';
  await expect(async () => {
    const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
    const mails = (await answer.json()) as { subject: string; text: string }[];
    text = mails.find((mail) => mail.subject.includes(words))?.text ?? '';
    expect(text).not.toBe('');
  }).toPass();
  return text;
}

test(
  'a family gets the mail of a moved meeting and of a cancelled one',
  proof,
  async ({ page, browser }) => {
    const admin = await theAdmin();
    const place = await aPlace();
    const monday = mondayAfter(1);
    const chosen = await aClass({ decided: null });
    await plan(chosen.instructor, chosen, place.id, monday, week(monday, 1), week(monday, 2));
    await admin.ask('PATCH', `/classes/approve/${chosen.id}`);
    const { student } = await aBuyer(chosen);

    await enter(page, chosen.instructor);
    await page.goto('/dashboard/myclasses');
    await page.getByRole('link', { name: `Update: ${chosen.name}` }).click();
    await expect(page.getByText('Families have booked this class.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
    await page
      .getByRole('button', { name: /^Change Mon/ })
      .first()
      .click();
    await page.getByLabel('Day', { exact: true }).fill(addDays(monday, 1));
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('button', { name: /^Cancel Mon/ })
      .last()
      .click();
    await expect(listed(page).last()).toContainText('Cancelled');
    await page.getByRole('button', { name: 'Update Class' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tell the families' });
    await expect(dialog.getByText('1 family will be mailed.')).toBeVisible();
    await expect(
      dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem'),
    ).toHaveCount(2);
    await expectToFit(page);
    await expectAccessible(page);
    await dialog.getByLabel('What should they know?').fill('The court is being repaired.');
    await dialog.getByRole('button', { name: 'Save and send' }).click();
    await expectToast(page, 'This Class is Updated Successfully');

    const mail = await mailTo(page, student.email, chosen.name);
    expect(mail).toContain('The court is being repaired.');
    expect(mail).toMatch(/Mon .* → Tue /);
    expect(mail).toContain('Cancelled: Mon');

    const theirs = await (await browser.newContext()).newPage();
    await enter(theirs, student);
    await theirs.goto('/dashboard/myenrolledclasses');
    const row = theirs.getByRole('row').filter({ hasText: chosen.name });
    await expect(row.getByText(/^Next: Tue/)).toBeVisible();
    await expect(row.getByText('The court is being repaired.').first()).toBeVisible();
    await expect(row.getByText('Cancelled')).toBeVisible();
    await expect(row.getByRole('button', { name: /do not suit us/ })).toBeVisible();
    await theirs.context().close();
  },
);
