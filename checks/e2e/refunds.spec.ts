// What happens after paying: refunds, what needs attention, and the payment history.
import { expect, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { enter, theAdmin, unique } from './people.ts';
import { aBuyer, inDatabase, paymentsOf, seatsOf } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('an admin refunds: the seat is free, and the buyer sees it', async ({ page, browser }) => {
  const { student, chosen } = await aBuyer();
  await enter(page, student);
  const admin = await (await browser.newContext()).newPage();
  await enter(admin, await theAdmin());
  await admin.goto('/dashboard/payments');
  await admin.getByRole('searchbox', { name: 'Search' }).fill(student.email);
  await admin.getByRole('button', { name: new RegExp(`^Refund: ${chosen.name}`) }).click();
  const dialog = admin.getByRole('dialog', { name: 'Refund $49.00?' });
  await expect(dialog.getByRole('button', { name: 'Refund $49.00' })).toBeDisabled();
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The child is ill.');
  await audit(admin);
  const sent: string[] = [];
  admin.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await dialog.getByRole('button', { name: 'Refund $49.00' }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(dialog).toBeHidden();
  expect(sent.filter((url) => url.includes('/payments/refund/'))).toHaveLength(1);
  // The row follows the refund, which a job sends, without a reload.
  await expect(admin.getByRole('row').filter({ hasText: student.email })).toContainText(
    /refunded/i,
  );
  await expect(async () => expect(await seatsOf(chosen)).toBe(5)).toPass();

  // The bank turns the refund down days later, and a payment comes that belongs to no student.
  const [payment] = await paymentsOf(student);
  const stray = unique('pi_stray').replace(' ', '');
  await inDatabase(
    "update refund set state = 'failed', last_error = 'expired card' where payment_id = $1",
    [payment?._id ?? ''],
  );
  await inDatabase("update payment set status = 'refund_failed' where id = $1", [
    payment?._id ?? '',
  ]);
  await inDatabase(
    "insert into quarantine (intent_id, amount_cents, currency, reason) values ($1, 4900, 'usd', $1)",
    [stray],
  );
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
  await expect(admin.getByRole('row').filter({ hasText: stray })).toContainText(
    'stray payment resolved',
  );
  await admin.context().close();
  await expect(async () => {
    await page.goto('/dashboard/paymenthistory');
    await expect(page.getByRole('row').filter({ hasText: chosen.name })).toContainText(/refund/);
  }).toPass();
  await page.goto('/dashboard/myenrolledclasses');
  await expect(page.getByText('No class yet')).toBeVisible();
});
