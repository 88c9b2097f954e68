// Leaving and changing a class, on a phone: in time, late with a sibling, dearer and cheaper.
import { expect, phone, phoneProof, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, select } from './people.ts';
import { aBuyer, inDatabase, paid, payButton, typeCard } from './till.ts';

test('a family leaves in time, and all comes back', phone, async ({ page }) => {
  const { student, chosen } = await aBuyer();
  await enter(page, student);
  await page.goto('/dashboard/myenrolledclasses');
  await page.getByRole('button', { name: `Leave this class: ${chosen.name}` }).click();
  const sheet = page.getByRole('dialog', { name: `Leave ${chosen.name}?` });
  await expect(sheet.getByText('You get $49.00 to your card')).toBeVisible();
  await audit(page);
  await sheet.getByRole('button', { name: 'Leave and get $49.00' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText('No class yet')).toBeVisible();
});

test('late nothing comes back, and the academy is asked', phoneProof, async ({ page }) => {
  const { student, chosen } = await aBuyer();
  const none = { withdraw: 0, steps: [{ days: 1, card: 0, credit: 0 }], resold: 0 };
  const terms = JSON.stringify({ ...none, begun: { card: 0, credit: 0 } });
  await inDatabase(
    `with made as (insert into leaving (terms) values ($1) returning id)
     update payment_line set leaving_id = made.id from made where class_id = $2`,
    [terms, chosen.id],
  );
  await enter(page, student);
  await page.goto('/dashboard/myenrolledclasses');
  await page.getByRole('button', { name: `Leave this class: ${chosen.name}` }).click();
  const sheet = page.getByRole('dialog', { name: `Leave ${chosen.name}?` });
  await expect(sheet.getByText(/^Nothing comes back/)).toBeVisible();
  await audit(page);
  await sheet.getByRole('button', { name: 'Ask the academy' }).click();
  const ask = page.getByRole('dialog', { name: `Ask about ${chosen.name}` });
  await ask.getByRole('textbox').fill('She has broken her arm.');
  await ask.getByRole('button', { name: 'Ask the academy' }).click();
  await expect(page.getByText('You asked the academy about leaving.')).toBeVisible();
});

test('a class is changed for a dearer and a cheaper one', phoneProof, async ({ page }) => {
  const { student, chosen } = await aBuyer();
  const [dearer, cheaper] = [await aClass({ price: 60 }), await aClass({ price: 40 })];
  // In the cart already: the same item is paid.
  await select(student, dearer);
  await enter(page, student);
  const change = async (from: string, to: string) => {
    await page.goto('/dashboard/myenrolledclasses');
    await page.getByRole('button', { name: `Change to another class: ${from}` }).click();
    const sheet = page.getByRole('dialog', { name: `Change ${from} to` });
    await sheet.getByRole('button', { name: `Change to ${to}:` }).click();
    await expect(page.getByText('The old seat is yours until this one is.')).toBeVisible();
  };
  await change(chosen.name, dearer.name);
  await expect(payButton(page)).toHaveText('Pay $11.00');
  await audit(page);
  await typeCard(page, '4242424242424242');
  await payButton(page).click();
  await paid(page);
  await change(dearer.name, cheaper.name);
  await expect(page.getByText('$20.00 to your credit')).toBeVisible();
  await audit(page);
  await page.getByRole('button', { name: 'Change the class' }).click();
  await paid(page);
  await page.goto('/dashboard/credit');
  await expect(page.getByText('$20.00 to spend')).toBeVisible();
});
