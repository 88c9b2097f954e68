// Money that comes back as credit, and pays the next class.
import { expect, journey, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, select, theAdmin } from './people.ts';
import { aBuyer, paid, payButton, paymentsOf, typeCard } from './till.ts';

test('a family keeps credit, and a card pays the rest', journey, async ({ page }) => {
  const { student, chosen } = await aBuyer();
  const [payment] = await paymentsOf(student);
  const cancelled = { reason: 'The coach is ill', families: 1 };
  await (await theAdmin()).ask('POST', `/classes/cancel/${chosen.id}`, cancelled);
  await enter(page, student);
  // A job ends its seats.
  await expect(async () => {
    await page.goto(`/dashboard/receipt/${payment?._id}`);
    await expect(page.getByText(/^Goes to the card on/)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await audit(page);
  await page.getByRole('button', { name: 'Keep it as credit' }).click();
  await expect(page.getByText(/^Taken as credit on/)).toBeVisible();
  await page.goto('/dashboard/credit');
  await expect(page.getByText('$49.00 to spend')).toBeVisible();
  await audit(page);

  const dearer = await aClass({ price: 60 });
  await select(student, dearer);
  await page.goto('/dashboard/mycart');
  await page.getByRole('link', { name: `Pay: ${dearer.name}` }).click();
  await expect(page.getByRole('checkbox', { name: 'Use my credit $49.00' })).toBeChecked();
  await expect(payButton(page)).toHaveText('Pay $11.00');
  await page.getByRole('checkbox', { name: 'Use my credit $49.00' }).click();
  await expect(payButton(page)).toHaveText('Pay $60.00');
  await page.getByRole('checkbox', { name: 'Use my credit $49.00' }).click();
  await expect(payButton(page)).toHaveText('Pay $11.00');
  await audit(page);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);

  await page.goto('/dashboard/credit');
  await expect(page.getByText('$0.00 to spend')).toBeVisible();
  await page
    .getByRole('link', { name: `Paid for ${dearer.name}` })
    .first()
    .click();
  await expect(page.getByText('$11.00 by card · $49.00 by credit')).toBeVisible();
  await audit(page);
});
