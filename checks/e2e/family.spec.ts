// A parent books for two children, and a second guardian joins by the mailed link.
import { expect, expectAccessible, expectToast, expectToFit, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, confirmed, enter, mailedLink, password, someone, unique } from './people.ts';
import { buy } from './till.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

test('a second guardian is invited and joins on a phone', async ({ page, browser }) => {
  const [eva, ben] = [await confirmed(await someone()), await confirmed(await someone())];
  const [mia, leo] = [unique('Mia'), unique('Leo')];
  const both = await aClass({ price: 30 });
  await enter(page, eva);
  await page.goto('/dashboard/family');
  await expect(page.getByText('Booking for a child?')).toBeVisible();
  for (const [name, age] of [
    [mia, 9],
    [leo, 6],
  ] as const) {
    await page.getByRole('button', { name: 'Add a child' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a child' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Birth date').fill(`${new Date().getFullYear() - age}-01-01`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('article').filter({ hasText: name })).toContainText(`${age} years`);
  }
  await audit(page);

  await page.goto(`/classes/${both.id}`);
  await page.getByRole('button', { name: /^Select/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Who is it for?' });
  for (const name of [mia, leo]) await sheet.getByRole('checkbox', { name }).check();
  await expectAccessible(page);
  await expectToFit(page);
  await sheet.getByRole('button', { name: /^Add/ }).click();
  await expectToast(page, 'Class added to your  cart succesfully.');
  const cart = await eva.ask('GET', `/bookeds?email=${encodeURIComponent(eva.email)}`);
  for (const { _id, price } of cart as unknown as { _id: string; price: number }[])
    await buy(eva, _id, price);

  await page.goto('/dashboard/family');
  await page.getByRole('button', { name: 'Share with another guardian' }).click();
  const share = page.getByRole('dialog', { name: 'Share with another guardian' });
  await share.getByLabel('Their email').fill(ben.email);
  await share.getByRole('checkbox', { name: leo }).uncheck();
  await expectAccessible(page);
  await share.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText(`Invited: ${ben.email}`)).toHaveCount(1);

  const theirs = await (await browser.newContext(phone)).newPage();
  await theirs.goto(await mailedLink(ben.email, '/invitation'));
  // The secret leaves the address.
  await expect(theirs).toHaveURL('/invitation');
  await theirs.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await theirs.getByLabel('Email').fill(ben.email);
  await theirs.getByLabel('Password', { exact: true }).fill(password);
  await theirs.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(theirs.getByRole('button', { name: 'Accept' })).toBeVisible();
  await audit(theirs);
  await theirs.getByRole('button', { name: 'Accept' }).click();
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(`You now look after ${mia}`);
  await theirs.getByRole('link', { name: 'Go to my family' }).click();
  await expect(theirs.getByRole('article')).toHaveCount(2);
  await theirs.goto('/dashboard/myenrolledclasses');
  const row = theirs.getByRole('row').filter({ hasText: both.name });
  await expect(row).toContainText(`for ${mia}`);
  await expect(row).not.toContainText('$');
  await theirs.context().close();

  await page.getByRole('link', { name: mia }).click();
  await expect(page.getByRole('region', { name: 'Guardians' })).toContainText(ben.name);
  await audit(page);
});
