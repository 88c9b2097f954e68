// A held seat while its buyer pays: its price, its time, a class that is denied meanwhile, and
// several seats at once.
import { expect, longProofOnce, proofOnce, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, select, someone, theAdmin } from './people.ts';
import { payButton, typeCard, atTheTill, paid, endHolds, seatsOf, paymentsOf } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a price that changed is shown before it is paid', proofOnce, async ({ page, expected }) => {
  expected.push(/status of 409/);
  const chosen = await aClass({ price: 20 });
  const student = await someone();
  await select(student, chosen);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  const pay = page.getByRole('link', { name: `Pay: ${chosen.name}` });
  await expect(pay).toBeVisible();
  // The cart must not be read again: it would show the new price before the payment page does.
  await page.route('**/api/bookeds?*', (route) => route.abort());
  expected.push(/ERR_FAILED/);
  await (await theAdmin()).ask('PATCH', `/classes/${chosen.id}`, { price: 25 });
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

test(
  'a hold that ran out charges nothing, even by a page that does not know it yet, and can be taken again',
  longProofOnce,
  async ({ page }) => {
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, '4242424242424242');
    await endHolds(chosen);
    await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();
    await payButton(page).click();
    await expect(page.getByText('Time is up. Nothing was charged.')).toBeVisible();
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
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of (400|409)/);
    const { student, chosen } = await atTheTill(page);
    await typeCard(page, '4242424242424242');
    await (await theAdmin()).ask('PATCH', `/classes/deny/${chosen.id}`);
    await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();
    await payButton(page).click();
    await expect(
      page.getByText('This class is no longer offered. Nothing was charged.'),
    ).toBeVisible();
    await expect(page.getByText('Time is up')).toBeHidden();
    await expect(page.getByText('Your seat is held for')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Give me more time' })).toBeHidden();
    await audit(page);
    await page.reload();
    await expect(
      page.getByRole('heading', { name: 'This class is no longer offered' }),
    ).toBeVisible();
    await expect(
      page.getByText('This class is no longer offered. Nothing was charged.'),
    ).toBeVisible();
    expect(await paymentsOf(student)).toEqual([]);
  },
);

test(
  'a fourth payment names the three that are open, and the cart marks them',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 409/);
    const student = await someone();
    const instructor = await someone('instructor');
    const [a, b, c, fourth] = [1, 2, 3, 4].map(() => aClass({ instructor }));
    const open = [await a, await b, await c].filter((one) => one !== undefined);
    const last = await fourth;
    for (const one of [...open, last]) if (one) await select(student, one);
    for (const { id } of open)
      await student.ask('POST', '/create-payment-intent', { price: 49, itemId: id });
    await enter(page, student);
    await page.goto('/dashboard/mycart');
    await page.getByRole('link', { name: `Pay: ${last?.name}` }).click();
    const [first, second, third] = open.map(({ name }) => name);
    await expect(
      page.getByText(
        `You are paying for ${first}, ${second} and ${third} already. Finish or remove one of them first.`,
      ),
    ).toBeVisible();
    await audit(page);
    await page.getByRole('alert').getByRole('link', { name: 'Go to my cart' }).click();
    for (const { name } of open)
      await expect(page.getByRole('row').filter({ hasText: name })).toContainText(
        'a seat is held for you',
      );
    await expect(page.getByRole('row').filter({ hasText: last?.name ?? '' })).not.toContainText(
      'a seat is held',
    );
    await audit(page);
  },
);

test(
  'the payment page finds its item after a reload, and explains without one',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 404/);
    const { chosen } = await atTheTill(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: chosen.name })).toBeVisible();
    await page.goto('/dashboard/payment');
    await expect(page.getByRole('heading', { name: chosen.name })).toBeVisible();
    await page.goto('/dashboard/payment?item=00000000-0000-4000-8000-000000000000');
    await expect(page.getByText('This class is not in your cart any more')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Go to my cart' }).click();
    await expect(page).toHaveURL('/dashboard/mycart');
  },
);

test(
  'going back after paying does not offer to pay again',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of (404|409)/);
    const { chosen } = await atTheTill(page);
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await paid(page);
    await page.goto('/dashboard/payment');
    await expect(page.getByRole('heading', { name: 'Nothing to pay for' })).toBeVisible();
    await page.goto(`/classes/${chosen.id}`);
    await expect(page.getByRole('link', { name: /Enrolled/ })).toBeVisible();
  },
);
