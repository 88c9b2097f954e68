// Paying in the browser, for the journeys of the checkout: the card form, the bank's question, and
// changes of the database.
import type { Page } from '@playwright/test';
import { cardProvider, secretOf, testKeys } from '../../server/testing/provider.ts';
import { expect } from './fixtures.ts';
import { openDatabase } from './database.ts';
import { aClass, enter, type MadeClass, type Person, select, someone, theAdmin } from './people.ts';

export const cardFrame = (page: Page) =>
  page.frameLocator('iframe[title="Secure card payment input frame"]');
export const bank = (page: Page) => page.frameLocator('iframe[title="Card authentication"]');
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

export async function typeCard(page: Page, number: string) {
  const frame = cardFrame(page);
  await frame.getByRole('textbox', { name: /card number/ }).fill(number);
  await frame.getByRole('textbox', { name: /expiration date/ }).fill('12 / 40');
  await frame.getByRole('textbox', { name: /security code/ }).fill('123');
}

/** A student at the till: the class is in the cart, the payment page is open. */
export async function atTheTill(page: Page): Promise<{ student: Person; chosen: MadeClass }> {
  const [student, chosen] = [await someone(), await aClass()];
  await select(student, chosen);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${chosen.name}` }).click();
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
  return { student, chosen };
}

/** The heading is announced: it has the focus. */
export async function paid(page: Page) {
  const booked = page.getByRole('region', { name: 'Payment successfull' });
  await expect(booked.getByText('Transaction complete Successfully')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/myselectedclasses');
  await expect(page.getByRole('heading', { name: /^Selected Classes/ })).toBeVisible();
  await expect(booked.getByText('Payment successfull')).toBeFocused();
  return booked;
}

/** On a phone what is paid for is folded. */
export async function unfold(page: Page) {
  const details = page
    .getByRole('region', { name: /seats?$/ })
    .locator('details')
    .first();
  if ((await details.getAttribute('open')) === null)
    await details.locator('summary').first().click();
}

/** Pays for a class or an item of the cart through the API. */
export async function buy(student: Person, itemId: string, price: unknown) {
  const opened = await student.ask('POST', '/create-payment-intent', { price, itemId });
  const clientSecret = String(opened['clientSecret']);
  const { publishableKey } = (await student.ask('GET', '/settings'))['cards'] as {
    publishableKey: string;
  };
  const url = `${process.env['RALLY_URL']}/sandbox`;
  const provider = cardProvider(url, { ...testKeys, publishableKey });
  expect((await provider.confirm(clientSecret)).body.status).toBe('succeeded');
  await student.ask('POST', '/payments', { transactionId: secretOf(clientSecret).intent });
}

/** A student who has bought a seat: for tests of what follows a payment. */
export async function aBuyer(chosen?: MadeClass): Promise<{ student: Person; chosen: MadeClass }> {
  const student = await someone();
  const one = chosen ?? (await aClass());
  await select(student, one);
  const { price } = await student.ask('GET', `/classes/${one.id}`);
  await buy(student, one.id, price);
  return { student, chosen: one };
}

/** For states that no call can make at once, such as a refund that a bank refuses days later. */
export async function inDatabase(statement: string, values: string[]) {
  const database = await openDatabase();
  await database.query(statement, values);
  await database.end();
}

export const seatsOf = async ({ id }: MadeClass) =>
  Number((await (await theAdmin()).ask('GET', `/classes/${id}`))['seat']);
export const paymentsOf = async (student: Person) =>
  (await student.ask('GET', `/payments?email=${encodeURIComponent(student.email)}`)) as unknown as {
    _id: string;
    price: number;
  }[];
