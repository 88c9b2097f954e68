// Paying, refused cards, and no second charge. Not for: held seats (holds.spec.ts) and refunds
// (refunds.spec.ts).
import type { Page } from '@playwright/test';
import { expect, test, once, proofOnce, expectToast, journey } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, password, select, someone, unique } from './people.ts';
import { bank, payButton, typeCard, atTheTill, paid, seatsOf, paymentsOf } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'sign up, select, pay, and find the seat, the history, the receipt and the mail',
  journey,
  async ({ page }) => {
    const chosen = await aClass({ seat: 3, price: 19.99 });
    const name = unique('Robin');
    const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
    await page.goto(`/classes/${chosen.id}`);
    await page.getByRole('button', { name: /^Select/ }).click();
    await expect(page).toHaveURL('/login');
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Photo URL').fill('/media/people/priya-raman.svg');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password').fill(password);
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page).toHaveURL(`/classes/${chosen.id}`);
    await expectToast(page, 'Class added to your  cart succesfully.');

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

    const booked = page.getByRole('region', { name: 'Booked' });
    await expect(booked).toContainText(`You are booked: ${chosen.name}`);
    await expect(booked.getByRole('link', { name: `Receipt: ${chosen.name}` })).toBeVisible();

    await page.goto('/dashboard/myenrolledclasses');
    const row = page.getByRole('row').filter({ hasText: chosen.name });
    await expect(row).toContainText(email);
    await expect(row).toContainText('$19.99');
    await audit(page);
    await page.goto('/dashboard/paymenthistory');
    await expect(page.getByRole('row').filter({ hasText: chosen.name })).toContainText(
      /\d{4}-\d\d-\d\d \d\d:\d\d.*R-\d{4}-\d{6}/s,
    );
    await audit(page);
    await page.getByRole('link', { name: `Receipt: ${chosen.name}` }).click();
    await expect(page.getByRole('article')).toContainText('Total paid');
    await expect(page.getByRole('article')).toContainText(/R-\d{4}-\d{6}/);
    await expect(page.getByRole('article')).toContainText('hello@rally.test');
    await expect(page.getByRole('article')).toContainText('$19.99');
    await audit(page);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(page.getByRole('article')).toBeVisible();
    await page.emulateMedia({ media: null });
    await expect(async () => {
      const mails = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
      expect(await mails.text()).toContain(chosen.name);
    }).toPass();
  },
);

async function refuse(page: Page, number: string, words: string) {
  await typeCard(page, number);
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: words })).toHaveClass(/text-error/);
}

for (const [which, tag, cards] of [
  ['is declined', once, [['4000000000000002', 'Your card was declined.']]],
  [
    'has no funds, has expired, has another code or fails',
    proofOnce,
    [
      ['4000000000009995', 'Your card has insufficient funds.'],
      ['4000000000000069', 'Your card has expired.'],
      ['4000000000000127', "Your card's security code is incorrect."],
      ['4000000000000119', 'An error occurred while processing your card.'],
    ],
  ],
] as const)
  test(
    `a card that ${which} is refused in red words, and another card pays`,
    tag,
    async ({ page, expected }) => {
      expected.push(/status of 402/);
      const { student, chosen } = await atTheTill(page);
      for (const [number, words] of cards) {
        await refuse(page, number, words);
        expect(await paymentsOf(student)).toEqual([]);
      }
      await typeCard(page, '4242424242424242');
      await payButton(page).click();
      await paid(page);
      expect(await seatsOf(chosen)).toBe(4);
    },
  );

test('the bank asks: refused there nothing is charged, confirmed there it is', async ({
  page,
  expected,
}) => {
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

test('a reload while the bank asks loses nothing', proofOnce, async ({ page }) => {
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

test('paid but not yet recorded is never called failed', proofOnce, async ({ page, expected }) => {
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
  proofOnce,
  async ({ browser, page, expected }) => {
    expected.push(/status of 409/);
    const chosen = await aClass({ seat: 1 });
    const late = await someone();
    await select(late, chosen);
    const other = await (await browser.newContext()).newPage();
    // An open cart would learn that the seat is gone (live.spec.ts).
    await other.route('**/api/live/seats', (route) => route.abort());
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
