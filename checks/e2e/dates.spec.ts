// Dates of a class change, and its family is told.
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { expect, expectAccessible, expectToast, expectToFit, test } from './fixtures.ts';
import { aClass, enter, mailsTo, theAdmin } from './people.ts';
import { aBuyer } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a family is mailed a moved and a cancelled meeting', async ({ page, browser }) => {
  const admin = await theAdmin();
  const today = new Date().toISOString().slice(0, 10);
  const monday = addDays(today, 15 - weekdayOf(today));
  const chosen = await aClass({ decided: null });
  const meetings = [0, 7, 14].map((days) => ({
    day: addDays(monday, days),
    starts: '16:00',
    minutes: 60,
  }));
  await chosen.instructor.ask('POST', `/classes/dates/${chosen.id}`, { version: 0, meetings });
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
  await page.getByRole('button', { name: 'Keep (not saved yet)' }).click();
  await page
    .getByRole('button', { name: /^Cancel Mon/ })
    .last()
    .click();
  const listed = page.getByRole('region', { name: 'Dates' }).getByRole('listitem');
  await expect(listed.last()).toContainText('Cancelled');
  await page.getByRole('button', { name: 'Update Class' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell the families' });
  await expect(dialog.getByText('1 family is told.')).toBeVisible();
  const changes = dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem');
  await expect(changes).toHaveCount(2);
  await expectToFit(page);
  await expectAccessible(page);
  await dialog.getByLabel('What should they know?').fill('The court is being repaired.');
  await dialog.getByRole('button', { name: 'Save and send' }).click();
  await expectToast(page, 'This Class is Updated Successfully');

  const mail = async () =>
    (await mailsTo(student.email)).find(({ text }) => text.includes('being repaired'))?.text;
  await expect.poll(mail).toMatch(/(?=.*Mon .* → Tue ).*Cancelled: Mon/s);

  const theirs = await (await browser.newContext()).newPage();
  await enter(theirs, student);
  await theirs.goto('/dashboard/myenrolledclasses');
  const row = theirs.getByRole('row').filter({ hasText: chosen.name });
  await expect(row.getByText(/^Next: Tue/)).toBeVisible();
  await expect(row.getByText('The court is being repaired.').first()).toBeVisible();
  await expect(row.getByText('Cancelled')).toBeVisible();
  await expect(row.getByRole('button', { name: /do not suit us/ })).toBeVisible();
  await theirs.context().close();
});
