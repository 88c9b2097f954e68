// A family: a parent adds children and books for them, a second guardian joins by the mailed link, and
// a family that leaves is found nowhere.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectToast, expectToFit, test, proofOnce } from './fixtures.ts';
import { files, home, readDatabase } from './leftovers.ts';
import { audit } from './looks.ts';
import {
  aClass,
  confirmed,
  enter,
  type MadeClass,
  mailedLink,
  password,
  someone,
  theAdmin,
  unique,
} from './people.ts';
import { aLesson, wasYesterday } from './rollcalls.ts';
import { buy, paid, payButton, typeCard } from './till.ts';

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

test('a parent books two children, and a second guardian accepts on a phone', async ({
  page,
  browser,
}) => {
  // Half a minute on two free cores, minutes on busy ones.
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
  await pay(page, `${both.name} for ${leo}`);
  // The others as quickly: basket.spec.ts pays for several seats in the browser.
  const left = await eva.ask('GET', `/bookeds?email=${encodeURIComponent(eva.email)}`);
  const items = left as unknown as { _id: string; price: number }[];
  expect(items).toHaveLength(2);
  for (const { _id, price } of items) await buy(eva, _id, price);
  await page.goto('/dashboard/myenrolledclasses');
  for (const [{ name }, child, price] of [
    [both, mia, '$30.00'],
    [both, leo, '$30.00'],
    [one, mia, '$20.00'],
  ] as const)
    await expect(
      page
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: `for ${child}` }),
    ).toContainText(price);
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
  await expect(theirs.getByRole('button', { name: 'Accept' })).toBeVisible();
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
});

/** A day that no other test uses. */
const someDay = () =>
  new Date(Date.UTC(2005, 0, 1) + Math.floor(Math.random() * 3_000) * 86_400_000)
    .toISOString()
    .slice(0, 10);

/** The words that are found: in the database with its jobs and mails, the log, and an admin's pages. */
async function found(page: Page, words: readonly string[]) {
  const texts: string[] = [
    ...Object.values(await readDatabase()),
    await readFile(join(home, files.log), 'utf8'),
  ];
  await enter(page, await theAdmin());
  for (const path of ['manageusers', 'payments', 'attendance', 'attention', 'audit']) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    texts.push(await page.getByRole('main').innerText());
  }
  return words.filter((word) => texts.some((text) => text.includes(word)));
}

test(
  'a family leaves, and nothing of it is found',
  proofOnce,
  async ({ page, browser, expected }) => {
    expected.push(/status of 409/);
    const lesson = await aLesson(1);
    const { instructor, meetingId, children } = lesson;
    const parent = await confirmed(lesson.parent);
    const [mia, leo, grown] = [unique('Mia'), unique('Leo'), someDay()];
    const [nuts, aunt, note] = [unique('Hazelnuts'), unique('Rosa'), unique('Bus')];
    const office = await (await browser.newContext()).newPage();
    const [kept, sealed] = [
      [parent.name, parent.email, mia, leo, grown, note],
      [nuts, aunt],
    ];

    // Everything that a family leaves behind: names, care facts, a mark, a cart, an invitation.
    await enter(page, parent);
    await page.goto(`/dashboard/family/${children[0]?.id}`);
    await page.getByLabel('Name', { exact: true }).first().fill(mia);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectToast(page, 'Saved');
    await page.getByLabel('Allergies').fill(nuts);
    await page.getByRole('button', { name: 'Add a person' }).click();
    const pickup = page.getByRole('group', { name: 'Who may pick up' });
    await pickup.getByLabel('Name').fill(aunt);
    await pickup.getByLabel('Phone').fill('+351 912 345 678');
    await page.getByRole('button', { name: 'Save care facts' }).click();
    await expectToast(page, 'Care facts saved');
    const at = new Date().toISOString();
    const mark = {
      _id: randomUUID(),
      meetingId,
      participantId: children[0]?.id,
      status: 'late',
      note,
      at,
    };
    await instructor.ask('POST', '/marks', { marks: [mark] });
    const { insertedId } = await parent.ask('POST', '/participants', { name: leo, born: grown });
    const item = { itemId: (await aClass()).id, participantId: insertedId };
    await parent.ask('POST', '/bookeds', item);
    const aside = { email: (await someone()).email, participantIds: [insertedId, children[0]?.id] };
    await parent.ask('POST', '/guardians/invite', aside);
    await mailedLink(aside.email, '/invitation');
    expect(await found(office, [...kept, ...sealed])).toEqual(kept);

    await page.goto(`/dashboard/family/${children[0]?.id}`);
    const removal = page.getByRole('region', { name: `Remove ${mia}` });
    const button = removal.getByRole('button', { name: 'Remove' });
    await expect(removal).toContainText('enrolled in a class still to come');
    await expect(button).toBeDisabled();
    await wasYesterday(lesson);
    await page.reload();
    await button.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Remove ${mia}` })
      .click();
    await expect(page).toHaveURL('/dashboard/family');
    await expect(page.getByRole('article')).toHaveCount(2);
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('dialog', { name: 'Your account is deleted.' })).toBeVisible();
    expect(await found(office, [...kept, ...sealed])).toEqual([]);
    await office.context().close();
  },
);
