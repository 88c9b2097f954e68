// A family: a parent adds children and books for them, and a second guardian joins by the mailed
// link.
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectToast, expectToFit, journey, test } from './fixtures.ts';
import { audit } from './looks.ts';
import {
  aClass,
  confirmed,
  enter,
  type MadeClass,
  mailedLink,
  password,
  someone,
  unique,
} from './people.ts';
import { paid, payButton, typeCard } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

async function addChild(page: Page, name: string, age: number) {
  await page.getByRole('button', { name: 'Add a child' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a child' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Birth date').fill(`${new Date().getFullYear() - age}-01-01`);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('article').filter({ hasText: name })).toContainText(`${age} years`);
}

/** On the page of the class: who it is for, and what the sheet then says of them. */
async function choose(page: Page, { id }: MadeClass, ...names: string[]) {
  await page.goto(`/classes/${id}`);
  await page.getByRole('button', { name: /^Select/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Who is it for?' });
  for (const name of names) await sheet.getByRole('checkbox', { name }).check();
  await expectAccessible(page);
  await expectToFit(page);
  await sheet.getByRole('button', { name: /^Add/ }).click();
  await expectToast(page, 'Class added to your  cart succesfully.');
  await expect(sheet).toBeHidden();
}

async function pay(page: Page, what: string) {
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${what}` }).click();
  await typeCard(page, '4242424242424242');
  await expect(page.getByRole('region', { name: what.split(' for ')[0] ?? '' })).toContainText(
    `for ${what.split(' for ')[1]}`,
  );
  await payButton(page).click();
  await paid(page);
}

test(
  'a parent books two children, and a second guardian accepts on a phone',
  journey,
  async ({ page, browser }) => {
    test.slow();
    const [eva, ben] = [await confirmed(await someone()), await confirmed(await someone())];
    const [mia, leo] = [unique('Mia'), unique('Leo')];
    const [both, one] = [await aClass({ price: 30 }), await aClass({ price: 20 })];
    await enter(page, eva);
    await page.goto('/dashboard/family');
    await expect(page.getByText('Booking for a child?')).toBeVisible();
    await audit(page);
    await addChild(page, mia, 9);
    await addChild(page, leo, 6);
    await audit(page);

    await choose(page, both, mia, leo);
    await expect(page.getByText(`In your cart: ${mia}, ${leo}`)).toBeVisible();
    await choose(page, one, mia);
    await page.goto('/dashboard/mycart');
    await expect(page.getByText(`for ${mia}`)).toHaveCount(2);
    await expect(page.getByText(`for ${leo}`)).toHaveCount(1);
    await audit(page);
    for (const what of [`${both.name} for ${mia}`, `${both.name} for ${leo}`])
      await pay(page, what);
    await page.goto('/dashboard/myenrolledclasses');
    await expect(page.getByRole('row').filter({ hasText: `for ${mia}` })).toContainText('$30.00');
    await page.getByRole('link', { name: `Receipt: ${both.name} for ${leo}` }).click();
    await expect(page.getByRole('article')).toContainText(`for ${leo}`);

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
    await expect(theirs).toHaveURL('/invitation');
    await theirs.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await theirs.getByLabel('Email').fill(ben.email);
    await theirs.getByLabel('Password', { exact: true }).fill(password);
    await theirs.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    await expect(theirs).toHaveURL('/invitation');
    await audit(theirs);
    await theirs.getByRole('button', { name: 'Accept' }).click();
    await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(`You now look after ${mia}`);
    await theirs.getByRole('link', { name: 'Go to my family' }).click();
    await expect(theirs.getByRole('article')).toHaveCount(2);
    await theirs.goto('/dashboard/myenrolledclasses');
    const row = theirs.getByRole('row').filter({ hasText: both.name });
    await expect(row).toContainText(`for ${mia}`);
    await expect(row).toContainText('–');
    await expect(row).not.toContainText('$');
    await audit(theirs);
    await theirs.context().close();

    await page.getByRole('link', { name: mia }).click();
    await expect(page.getByRole('region', { name: 'Guardians' })).toContainText(ben.name);
    await expect(page.getByRole('region', { name: 'Classes' })).toContainText(both.name);
    await audit(page);
    // What was typed is not lost by a link or by Back.
    await page.getByLabel('Name', { exact: true }).fill(`${mia} B`);
    await page.getByRole('link', { name: 'Family' }).first().click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(`${mia} B`);
    await page.goBack();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await expect(page).toHaveURL('/dashboard/family');
  },
);
