// The list of a full class on a phone: two children together for one of two classes, an offer that is
// taken, one that runs out, and what the coach sees.
import type { Page } from '@playwright/test';
import { expect, journey, phoneProof, test } from './fixtures.ts';
import { audit } from './looks.ts';
import {
  aClass,
  enter,
  type MadeClass,
  mailsTo,
  type Person,
  someone,
  theAdmin,
  unique,
} from './people.ts';
import { aBuyer, inDatabase, paid, payButton, typeCard } from './till.ts';

async function aChild(parent: Person, name: string): Promise<{ id: string; name: string }> {
  const born = `${new Date().getFullYear() - 9}-01-01`;
  const { insertedId } = await parent.ask('POST', '/participants', { name, born });
  return { id: String(insertedId), name };
}

/** Its one seat is sold. */
async function full(name: string, instructor: Person): Promise<MadeClass> {
  const { chosen } = await aBuyer(
    await aClass({ name: unique(name), seat: 1, price: 40, instructor }),
  );
  return chosen;
}

const moreSeats = async ({ id }: MadeClass, seat: number) =>
  (await theAdmin()).ask('PATCH', `/classes/${id}`, { seat });
const offers = (page: Page) => page.getByRole('region', { name: 'Offers' });

test('two children wait together, and take one of two @phone', journey, async ({ page }) => {
  const [pat, coach] = [await someone(), await someone('instructor')];
  const [mia, leo] = [await aChild(pat, unique('Mia')), await aChild(pat, unique('Leo'))];
  const [tuesday, thursday] = [await full('Tuesday', coach), await full('Thursday', coach)];
  await enter(page, pat);
  await page.goto(`/classes/${tuesday.id}`);
  await expect(page.getByText('Full', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Join the list' }).click();
  const sheet = page.getByRole('dialog', { name: 'Who waits for a seat?' });
  for (const { name } of [mia, leo]) await sheet.getByRole('checkbox', { name }).check();
  await expect(sheet.getByRole('checkbox', { name: 'together or not at all' })).toBeChecked();
  await sheet.getByRole('checkbox', { name: thursday.name }).check();
  await audit(page);
  await sheet.getByRole('button', { name: 'Put Mia and Leo on the list' }).click();
  const there = page.getByRole('dialog', { name: 'On the list' });
  await expect(there).toContainText(`Mia and Leo are 1st for ${tuesday.name}, 1st for`);
  await audit(page);
  await there.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Full · 2 waiting')).toBeVisible();

  await moreSeats(tuesday, 2);
  await page.goto('/dashboard/family');
  await expect(offers(page)).toContainText(`1 of 2 seats in ${tuesday.name} are kept`);
  await moreSeats(tuesday, 3);
  await expect(async () => {
    await page.goto('/dashboard/waiting');
    await expect(page.getByRole('link', { name: 'Take them' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('waits while another class is offered')).toBeVisible();
  await audit(page);
  await expect
    .poll(async () => (await mailsTo(pat.email)).map(({ subject }) => subject).join('\n'))
    .toContain('Seats for');

  await page.getByRole('link', { name: 'Take them' }).click();
  await expect(payButton(page)).toHaveText('Pay $80.00');
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  await page.goto('/dashboard/waiting');
  await expect(page.getByText('Over')).toBeVisible();
  await page.getByText('What happened').click();
  await expect(page.getByText(`A seat in ${tuesday.name} was booked.`)).toBeVisible();
  await page.goto(`/classes/${thursday.id}`);
  await expect(page.getByText('Full', { exact: true })).toBeVisible();
});

test('who lets an offer run out is put back', phoneProof, async ({ page, browser }) => {
  const [pat, coach] = [await someone(), await someone('instructor')];
  const mia = await aChild(pat, unique('Mia'));
  const tennis = await full('Tennis', coach);
  await enter(page, pat);
  await page.goto(`/classes/${tennis.id}`);
  await page.getByRole('button', { name: 'Put Mia on the list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put Mia on the list' }).click();
  await expect(page.getByRole('dialog')).toContainText(`Mia is 1st for ${tennis.name}.`);
  await page.getByRole('button', { name: 'Done' }).click();

  await moreSeats(tennis, 2);
  await page.goto('/dashboard/family');
  await expect(offers(page)).toContainText(`A seat in ${tennis.name} is kept for ${mia.name}`);
  await audit(page);
  await inDatabase(
    `update hold set expires_at = now() - interval '1 second' where class_id = $1 and state = 'held'`,
    [tennis.id],
  );
  const off = `${mia.name} is off the list for ${tennis.name}`;
  let back = '';
  await expect(async () => {
    const mail = (await mailsTo(pat.email)).find(({ subject }) => subject.includes('off the list'));
    back = /\/classes\/\S+\?list=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(back).not.toBe('');
  }).toPass();
  expect(off).toContain(tennis.name);
  // The seat has been sold to somebody else meanwhile.
  await aBuyer(tennis);
  await page.goto(back);
  const sheet = page.getByRole('dialog', { name: 'Who waits for a seat?' });
  await expect(sheet.getByRole('checkbox', { name: mia.name })).toBeChecked();
  await sheet.getByRole('button', { name: 'Put Mia on the list' }).click();
  await expect(page.getByRole('dialog')).toContainText('Mia is 1st');

  const theirs = await (
    await browser.newContext({ viewport: { width: 390, height: 844 } })
  ).newPage();
  await enter(theirs, coach);
  await theirs.goto(`/dashboard/myclasses/${tennis.id}/line`);
  await expect(theirs.getByText('1 waiting', { exact: true })).toBeVisible();
  await expect(theirs.getByText(pat.name)).toHaveCount(0);
  await expect(theirs.getByText(mia.name)).toHaveCount(0);
  await audit(theirs);
  await theirs.context().close();
});
