// Paying, refused cards and the time of a held seat.
import { expect, test, once, expectToast, journey } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, password, unique } from './people.ts';
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

test(
  'a declined card is refused in red words, and another card pays',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 402/);
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, '4000000000000002');
    await payButton(page).click();
    const refused = page.getByRole('alert').filter({ hasText: 'Your card was declined.' });
    await expect(refused).toHaveClass(/text-error/);
    expect(await paymentsOf(student)).toEqual([]);
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

test('the countdown warns before the end and the seat can be kept longer', async ({ page }) => {
  await page.clock.install();
  await atTheTill(page);
  await page.getByRole('button', { name: 'Give me more time' }).click();
  await expect(page.getByText('You have 15 more minutes.')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^(29|30):\d\d$/);
  await page.clock.fastForward('28:30');
  await expect(page.getByText('Less than two minutes left.')).toBeVisible();
  await page.clock.fastForward('02:00');
  const over = page.getByRole('alert').filter({ hasText: 'Time is up. Nothing was charged.' });
  await expect(over).toBeVisible();
  await expect(payButton(page)).toBeHidden();
  const [note, words, button] = await Promise.all(
    [
      over,
      over.getByText('Time is up'),
      over.getByRole('button', { name: 'Hold a seat again' }),
    ].map((part) => part.boundingBox()),
  );
  expect(button?.width, 'width of the button').toBeGreaterThan((note?.width ?? 0) * 0.8);
  expect(button?.y, 'top of the button').toBeGreaterThanOrEqual(
    (words?.y ?? 0) + (words?.height ?? 0),
  );
});
