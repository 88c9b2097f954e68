// Cards that are refused, the bank's question, and what is left of a payment.
import { expect, journey, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { mailsTo } from './people.ts';
import { atTheTill, bank, paid, payButton, paymentsOf, seatsOf, typeCard } from './till.ts';

test(
  'a refused card charges nothing, a confirmed one does',
  journey,
  async ({ page, expected }) => {
    expected.push(/status of 402/);
    const { student, chosen } = await atTheTill(page);
    await expect(page.getByText('no real money moves')).toBeVisible();
    await expect(page.getByText(/^Held until \d\d:\d\d$/)).toBeVisible();
    await expect(payButton(page)).toBeDisabled();
    await typeCard(page, '4000000000000002');
    await payButton(page).click();
    const refused = page.getByRole('alert').filter({ hasText: 'Your card was declined.' });
    await expect(refused).toHaveClass(/text-error/);
    await expect(payButton(page)).toBeFocused();

    await typeCard(page, '4000002500003155');
    await audit(page);
    await payButton(page).click();
    await bank(page).getByRole('button', { name: 'Fail authentication' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /authenticat/ })).toBeVisible();
    expect(await paymentsOf(student)).toEqual([]);
    await payButton(page).click();
    await bank(page).getByRole('button', { name: 'Complete authentication' }).click();
    await paid(page);
    expect(await paymentsOf(student)).toHaveLength(1);
    expect(await seatsOf(chosen)).toBe(4);

    await page.goto('/dashboard/paymenthistory');
    await expect(page.getByRole('row').filter({ hasText: chosen.name })).toContainText(
      /\d{4}-\d\d-\d\d \d\d:\d\d.*R-\d{4}-\d{6}/s,
    );
    await page.getByRole('link', { name: `Receipt: ${chosen.name}` }).click();
    const receipt = page.getByRole('article');
    await expect(receipt).toContainText(/R-\d{4}-\d{6}/);
    await expect(receipt).toContainText('$49.00');
    await audit(page);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(receipt).toBeVisible();
    const mails = async () => (await mailsTo(student.email)).map(({ text }) => text).join('\n');
    await expect.poll(mails).toContain(chosen.name);
  },
);
