// One payment for several seats.
import type { Page } from '@playwright/test';
import { expect, journey, proof, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, type MadeClass, type Person, someone, theAdmin, unique } from './people.ts';
import { paid, payButton, paymentsOf, seatsOf, typeCard, unfold } from './till.ts';

async function aChild(parent: Person, name: string): Promise<{ id: string; name: string }> {
  const born = `${new Date().getFullYear() - 9}-01-01`;
  const { insertedId } = await parent.ask('POST', '/participants', { name, born });
  return { id: String(insertedId), name };
}

const intoCart = (parent: Person, { id }: MadeClass, child?: { id: string }) =>
  parent.ask('POST', '/bookeds', { itemId: id, ...(child && { participantId: child.id }) });

const line = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /seats?$/ })
    .getByRole('listitem')
    .filter({ hasText: name });

test('a parent pays for two children at once, with a code', journey, async ({ page, expected }) => {
  // The code that is not known.
  expected.push(/status of 404/);
  const admin = await theAdmin();
  const code = unique('SPRING').replace(' ', '-').toUpperCase().slice(0, 20);
  const coupon = { kind: 'coupon', name: 'Spring coupon', code, cents: 1_000, usesMost: 1 };
  await admin.ask('POST', '/discounts', coupon);
  const parent = await someone();
  const [mia, leo] = [await aChild(parent, unique('Mia')), await aChild(parent, unique('Leo'))];
  const [tennis, pool] = [await aClass({ price: 90 }), await aClass({ price: 60 })];
  await intoCart(parent, tennis, mia);
  await intoCart(parent, pool, mia);
  await intoCart(parent, tennis, leo);

  await enter(page, parent);
  await page.goto('/dashboard/mycart');
  await expect(page.getByText('3 classes')).toBeVisible();
  await audit(page);
  await page.getByRole('link', { name: 'Pay all' }).click();
  await unfold(page);
  await expect(line(page, leo.name)).toContainText('$90.00');
  await expect(page.getByText(/^Held until/)).toBeVisible();
  await page.getByText('Have a code?').click();
  await page.getByLabel('Code').fill('spring 99');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('This code is not known here')).toBeVisible();
  await typeCard(page, '4242424242424242');
  await page.getByLabel('Code').fill(` ${code.toLowerCase()}`);
  await page.getByRole('button', { name: 'Apply' }).click();
  // The card that was typed before the code is still there.
  await expect(payButton(page)).toHaveText('Pay $230.00');
  await audit(page);
  await page.reload();
  await expect(page.getByText('Spring coupon')).toHaveCount(3);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  const booked = await paid(page);

  await expect(booked).toContainText(`${mia.name} and ${leo.name} are booked`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Selected Classes: 0' })).toBeVisible();
  await expect(booked).toBeHidden();
  expect(await paymentsOf(parent)).toHaveLength(1);
  expect([await seatsOf(tennis), await seatsOf(pool)]).toEqual([3, 4]);
  await page.goto('/dashboard/myenrolledclasses');
  await expect(page.getByText(`for ${mia.name}`)).toHaveCount(2);
  await expect(page.getByText(`for ${leo.name}`)).toHaveCount(1);
  const all = (await admin.ask('GET', '/discounts')) as unknown as Record<string, unknown>[];
  expect(all).toContainEqual(expect.objectContaining({ code, uses: 1, givenCents: 1_000 }));
});

test('two tabs, back and a declined card: one charge', proof, async ({ page, expected }) => {
  expected.push(/status of 402/);
  const student = await someone();
  for (const price of [30, 20]) await intoCart(student, await aClass({ price }));
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: 'Pay all' }).click();
  await expect(payButton(page)).toHaveText('Pay $50.00');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(payButton(other)).toHaveText('Pay $50.00');
  await page.goBack();
  await page.goForward();
  await typeCard(page, '4000000000000002');
  await payButton(page).click();
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  await typeCard(other, '4242424242424242');
  await payButton(other).click();
  await paid(other);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  expect(await paymentsOf(student)).toHaveLength(1);
});
