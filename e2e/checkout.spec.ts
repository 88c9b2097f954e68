// The life of a seat and of its money, as a buyer lives it: paying, failing to pay, and never paying twice.
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { readPostmaster, urlOf } from '../server/db/postmaster.ts';
import { expect, test, once } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, type MadeClass, type Person, password, select, someone, theAdmin, unique } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const cardFrame = (page: Page) => page.frameLocator('iframe[title="Secure card payment input frame"]');
const bank = (page: Page) => page.frameLocator('iframe[title="Card authentication"]');
const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

async function typeCard(page: Page, number: string) {
  const frame = cardFrame(page);
  await frame.getByRole('textbox', { name: /card number/ }).fill(number);
  await frame.getByRole('textbox', { name: /expiration date/ }).fill('12 / 40');
  await frame.getByRole('textbox', { name: /security code/ }).fill('123');
}

/** A student at the till: the class is in the cart, the payment page is open. */
async function atTheTill(page: Page, chosen?: MadeClass): Promise<{ student: Person; chosen: MadeClass }> {
  const student = await someone();
  const one = chosen ?? (await aClass());
  await select(student, one);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${one.name}` }).click();
  await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
  return { student, chosen: one };
}

async function paid(page: Page) {
  await expect(page.getByText('Payment successfull')).toBeVisible();
  await expect(page.getByText('Transaction complete Successfully')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/myselectedclasses');
  // The page behind the dialog is not in the accessibility tree, so no role finds it.
  await expect(page.locator('h1', { hasText: 'Selected Classes' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
}

/** Time cannot be hurried over HTTP: the hold's end is moved into the past where it is written, and the sweeper does the rest. */
const endHolds = ({ id }: MadeClass) =>
  inDatabase("update hold set expires_at = now() - interval '1 second' where class_id = $1", [id]);

/** What a bank does days later, and what a lost backup leaves: only written down can it be had at once. */
async function inDatabase(statement: string, values: string[]) {
  const home = process.env['RALLY_DATA'] ?? '';
  const address = readPostmaster(home);
  if (!address) throw new Error(`There is no database in ${home}`);
  const database = new Client({ connectionString: urlOf(home, address) });
  await database.connect();
  await database.query(statement, values);
  await database.end();
}

const seatsOf = async ({ id }: MadeClass) => Number((await (await theAdmin()).ask('GET', `/classes/${id}`))['seat']);
const paymentsOf = async (student: Person) =>
  (await student.ask('GET', `/payments?email=${encodeURIComponent(student.email)}`)) as unknown as { _id: string }[];

test('sign up, select, pay, and find the seat, the history, the receipt and the mail', async ({ page }) => {
  const chosen = await aClass({ seat: 3, price: 19.99 });
  const name = unique('Robin');
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  await page.goto(`/classes/${chosen.id}`);
  await page.getByRole('button', { name: /^Select/ }).click();
  await expect(page).toHaveURL('/login');
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Photo URL').fill('/media/people/p2.svg');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(`/classes/${chosen.id}`);
  await expect(page.getByText('Class added to your  cart succesfully.')).toBeVisible();

  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${chosen.name}` }).click();
  await expect(page.getByText('no real money moves')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^1[45]:\d\d$/);
  await expect(payButton(page)).toBeDisabled();
  await typeCard(page, '4242424242424242');
  await audit(page);
  await payButton(page).click();
  await paid(page);
  await expect(page.getByText('Please select a course')).toBeVisible();
  expect(await seatsOf(chosen)).toBe(2);

  await page.goto('/dashboard/myenrolledclasses');
  const row = page.getByRole('row').filter({ hasText: chosen.name });
  await expect(row).toContainText(email);
  await expect(row).toContainText('$19.99');
  await audit(page);
  await page.goto('/dashboard/paymenthistory');
  await expect(page.getByRole('row').filter({ hasText: chosen.name })).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);
  await audit(page);
  await page.getByRole('link', { name: `Receipt: ${chosen.name}` }).click();
  await expect(page.getByRole('article')).toContainText('Total paid');
  await expect(page.getByRole('article')).toContainText('Questions? Write to hello@rally.test.');
  await expect(page.getByRole('article')).toContainText('$19.99');
  await audit(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('article')).toBeVisible();
  await page.emulateMedia({ media: null });
  await expect(async () => {
    const letters = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
    expect(await letters.text()).toContain(chosen.name);
  }).toPass();
});

for (const [number, words] of [
  ['4000000000000002', 'Your card was declined.'],
  ['4000000000009995', 'Your card has insufficient funds.'],
  ['4000000000000069', 'Your card has expired.'],
  ['4000000000000127', "Your card's security code is incorrect."],
  ['4000000000000119', 'An error occurred while processing your card.'],
] as const)
  test(`card ${number} is refused in red words, and another card pays`, once, async ({ page, expected }) => {
    expected.push(/status of 402/);
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, number);
    await payButton(page).click();
    await expect(page.getByRole('alert').filter({ hasText: words })).toHaveClass(/text-error/);
    expect(await paymentsOf(student)).toEqual([]);
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await paid(page);
    expect(await seatsOf(chosen)).toBe(4);
  });

test('the bank asks: refused there nothing is charged, confirmed there it is', async ({ page, expected }) => {
  expected.push(/status of 402/);
  const { student } = await atTheTill(page);
  await typeCard(page, '4000002500003155');
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Fail authentication' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /authenticat/ })).toBeVisible();
  expect(await paymentsOf(student)).toEqual([]);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click();
  await paid(page);
  expect(await paymentsOf(student)).toHaveLength(1);
});

test('a reload while the bank asks loses nothing', once, async ({ page }) => {
  const { student } = await atTheTill(page);
  await typeCard(page, '4000002500003155');
  await payButton(page).click();
  await expect(bank(page).getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Continue with my bank' }).click();
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click();
  await paid(page);
  expect(await paymentsOf(student)).toHaveLength(1);
});

test('three fast clicks make one charge', async ({ page }) => {
  const { student, chosen } = await atTheTill(page);
  let confirmations = 0;
  page.on('request', (asked) => {
    if (asked.url().endsWith('/confirm')) confirmations += 1;
  });
  await typeCard(page, '4242424242424242');
  await expect(payButton(page)).toBeEnabled();
  await payButton(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.click();
  });
  await paid(page);
  expect(confirmations).toBe(1);
  expect(await paymentsOf(student)).toHaveLength(1);
  expect(await seatsOf(chosen)).toBe(4);
});

test(
  'an answer that is lost after the charge is found again, and no second charge is made',
  once,
  async ({ page, expected }) => {
    expected.push(/Failed to load resource/);
    const { student } = await atTheTill(page);
    await page.route('**/sandbox/v1/payment_intents/*/confirm', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await paid(page);
    expect(await paymentsOf(student)).toHaveLength(1);
  },
);

test('paid but not yet recorded is never called failed', once, async ({ page, expected }) => {
  expected.push(/status of 503/);
  const { student } = await atTheTill(page);
  let down = true;
  await page.route('**/api/payments', (route) =>
    down
      ? route.fulfill({ status: 503, json: { error: true, code: 'UNAVAILABLE', message: 'Busy.' } })
      : route.fallback(),
  );
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await expect(page.getByText('You have paid. It is being recorded.')).toBeVisible();
  await expect(page.getByText(/failed/i)).toBeHidden();
  await audit(page);
  down = false;
  await page.getByRole('button', { name: 'Check again' }).click();
  await paid(page);
  expect(await paymentsOf(student)).toHaveLength(1);
});

test(
  'the last seat goes to one of two browsers; the other is told so and not charged',
  once,
  async ({ browser, page, expected }) => {
    expected.push(/status of 409/);
    const chosen = await aClass({ seat: 1 });
    const late = await someone();
    await select(late, chosen);
    const other = await (await browser.newContext()).newPage();
    await enter(other, late);
    await other.goto('/dashboard/mycart');
    const pay = other.getByRole('link', { name: `Pay: ${chosen.name}` });
    await expect(pay).toBeVisible();
    await atTheTill(page, chosen);
    await pay.click();
    await expect(other.getByRole('heading', { name: 'No seat is left' })).toBeVisible();
    await expect(other.getByText('Nothing has been charged')).toBeVisible();
    await audit(other);
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await paid(page);
    await other.reload();
    await expect(other.getByRole('heading', { name: 'No seat is left' })).toBeVisible();
    expect(await paymentsOf(late)).toEqual([]);
    await other.context().close();
  },
);

test('a price that changed is shown before it is paid', once, async ({ page, expected }) => {
  expected.push(/status of 409/);
  const chosen = await aClass({ price: 20 });
  const student = await someone();
  await select(student, chosen);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  const pay = page.getByRole('link', { name: `Pay: ${chosen.name}` });
  await expect(pay).toBeVisible();
  // The cart on the screen stays the old one: read again in time, it would tell the new price itself and there were nothing to ask.
  await page.route('**/api/bookeds?*', (route) => route.abort());
  expected.push(/ERR_FAILED/);
  await chosen.instructor.ask('PATCH', `/classes/${chosen.id}`, { price: 25 });
  await pay.click();
  await expect(page.getByRole('heading', { name: 'The price has changed' })).toBeVisible();
  await page.unroute('**/api/bookeds?*');
  await page.getByRole('button', { name: 'Continue with $25.00' }).click();
  await typeCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Pay $25.00' }).click();
  await paid(page);
});

test('the countdown warns before the end and the seat can be kept longer', async ({ page }) => {
  await page.clock.install();
  await atTheTill(page);
  await page.getByRole('button', { name: 'Keep my seat' }).click();
  await expect(page.getByText('Your seat is held longer.')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^(29|30):\d\d$/);
  await page.clock.fastForward('28:30');
  await expect(page.getByText('Less than two minutes left.')).toBeVisible();
  await page.clock.fastForward('02:00');
  const over = page.getByRole('alert').filter({ hasText: 'The time to pay ran out. Nothing has been charged.' });
  await expect(over).toBeVisible();
  await expect(payButton(page)).toBeHidden();
  const [note, words, button] = await Promise.all(
    [over, over.getByText('The time to pay ran out'), over.getByRole('button', { name: 'Hold a seat again' })].map(
      (part) => part.boundingBox(),
    ),
  );
  expect(button?.width, 'width of the button').toBeGreaterThan((note?.width ?? 0) * 0.8);
  expect(button?.y, 'top of the button').toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0));
});

test(
  'a hold that ran out charges nothing, even by a page that does not know it yet, and can be taken again',
  once,
  async ({ page }) => {
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, '4242424242424242');
    await endHolds(chosen);
    await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();
    await payButton(page).click();
    await expect(page.getByText('The time to pay ran out. Nothing has been charged.')).toBeVisible();
    expect(await paymentsOf(student)).toEqual([]);
    await page.getByRole('button', { name: 'Hold a seat again' }).click();
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await paid(page);
    expect(await paymentsOf(student)).toHaveLength(1);
  },
);

test(
  'a class denied while it is being paid for is no longer offered, and charges nothing',
  once,
  async ({ page, expected }) => {
    expected.push(/status of (400|409)/);
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, '4242424242424242');
    await (await theAdmin()).ask('PATCH', `/classes/deny/${chosen.id}`);
    await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();
    await payButton(page).click();
    await expect(page.getByText('This class is no longer offered. Nothing was charged.')).toBeVisible();
    await expect(page.getByText('The time to pay ran out')).toBeHidden();
    await audit(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'This class is no longer offered' })).toBeVisible();
    await expect(page.getByText('This class is no longer offered. Nothing was charged.')).toBeVisible();
    expect(await paymentsOf(student)).toEqual([]);
  },
);

test('a fourth payment names the three that are open, and the cart marks them', once, async ({ page, expected }) => {
  expected.push(/status of 409/);
  const student = await someone();
  const instructor = await someone('instructor');
  const [a, b, c, fourth] = [1, 2, 3, 4].map(() => aClass({ instructor }));
  const open = [await a, await b, await c].filter((one) => one !== undefined);
  const last = await fourth;
  for (const one of [...open, last]) if (one) await select(student, one);
  for (const { id } of open) await student.ask('POST', '/create-payment-intent', { price: 49, itemId: id });
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${last?.name}` }).click();
  const [first, second, third] = open.map(({ name }) => name);
  await expect(
    page.getByText(`You are paying for ${first}, ${second} and ${third} already. Finish or remove one of them first.`),
  ).toBeVisible();
  await audit(page);
  await page.getByRole('alert').getByRole('link', { name: 'Go to my cart' }).click();
  for (const { name } of open)
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('a seat is held for you');
  await expect(page.getByRole('row').filter({ hasText: last?.name ?? '' })).not.toContainText('a seat is held');
  await audit(page);
});

test('the payment page finds its item after a reload, and explains without one', async ({ page }) => {
  const { chosen } = await atTheTill(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: chosen.name })).toBeVisible();
  await page.goto('/dashboard/payment');
  await expect(page.getByRole('heading', { name: chosen.name })).toBeVisible();
  await page.goto('/dashboard/payment?item=00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('This class is not in your cart any more')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Go to my cart' }).click();
  await expect(page).toHaveURL('/dashboard/mycart');
});

test('going back after paying does not offer to pay again', once, async ({ page, expected }) => {
  expected.push(/status of (404|409)/);
  const { chosen } = await atTheTill(page);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  await page.goto('/dashboard/payment');
  await expect(page.getByRole('heading', { name: 'Nothing to pay for' })).toBeVisible();
  await page.goto(`/classes/${chosen.id}`);
  await expect(page.getByRole('link', { name: /Enrolled/ })).toBeVisible();
});

test('an admin refunds with a reason: the seat is free again and the buyer sees it', async ({ page, browser }) => {
  const { student, chosen } = await atTheTill(page);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  const admin = await (await browser.newContext()).newPage();
  await enter(admin, await theAdmin());
  await admin.goto('/dashboard/payments');
  await admin.getByRole('searchbox', { name: 'Search' }).fill(student.email);
  await admin.getByRole('button', { name: new RegExp(`^Refund: ${chosen.name}`) }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refund $49.00?' });
  await expect(dialog.getByRole('button', { name: 'Refund $49.00' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The child is ill.');
  await audit(admin);
  await dialog.getByRole('button', { name: 'Refund $49.00' }).click();
  await expect(dialog).toBeHidden();
  // The row follows the refund, which a job sends, without a reload.
  await expect(admin.getByRole('row').filter({ hasText: student.email })).toContainText(/refunded/i);
  await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();

  // The bank turns the refund down days later, and a payment comes that belongs to no student.
  const [payment] = await paymentsOf(student);
  const stray = unique('pi_stray').replace(' ', '');
  await inDatabase("update refund set state = 'failed', last_error = 'expired card' where payment_id = $1", [
    payment?._id ?? '',
  ]);
  await inDatabase("update payment set status = 'refund_failed' where id = $1", [payment?._id ?? '']);
  await inDatabase("insert into quarantine (intent_id, amount_cents, currency, reason) values ($1, 4900, 'usd', $1)", [
    stray,
  ]);
  await admin.goto('/dashboard/attention');
  await audit(admin);
  const again = admin.getByRole('button', { name: `Send again: A refund failed: ${chosen.name}` });
  await again.click();
  await expect(again).toBeHidden();
  await admin.getByRole('button', { name: `Resolve: ${stray}` }).click();
  const resolve = admin.getByRole('dialog', { name: 'Resolve this payment?' });
  await expect(resolve.getByRole('button', { name: 'Resolve' })).toBeDisabled();
  await resolve.getByRole('textbox', { name: 'Reason' }).fill('Returned by hand.');
  await audit(admin);
  await resolve.getByRole('button', { name: 'Resolve' }).click();
  await expect(resolve).toBeHidden();
  await expect(admin.getByRole('button', { name: `Resolve: ${stray}` })).toBeHidden();
  await admin.goto(`/dashboard/audit?q=${encodeURIComponent('Returned by hand')}`);
  await expect(admin.getByRole('row').filter({ hasText: stray })).toContainText('stray payment resolved');
  await admin.context().close();
  await expect(async () => {
    await page.goto('/dashboard/paymenthistory');
    await expect(page.getByRole('row').filter({ hasText: chosen.name })).toContainText(/refund/);
  }).toPass();
  await page.goto('/dashboard/myenrolledclasses');
  await expect(page.getByText('No class yet')).toBeVisible();
  await page.goto('/dashboard/userhome');
  await expect(page.getByText('1 refunded.')).toBeVisible();
});

test('the history is sorted by the button of the specification', once, async ({ page }) => {
  const { chosen: first } = await atTheTill(page);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  await page.goto('/dashboard/paymenthistory');
  await page.getByRole('button', { name: 'Sort By Old Date' }).click();
  await expect(page).toHaveURL(/sort=asc/);
  await page.getByRole('button', { name: 'Sort By New Date' }).click();
  await expect(page).toHaveURL(/sort=dsc/);
  await expect(page.getByRole('rowheader')).toHaveText([first.name]);
});
