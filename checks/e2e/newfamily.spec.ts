// From Home to a paid seat for a child, as a new mother on a phone, and again when she comes back:
// every touch is counted. She mistyped her address, and corrects it later.
import type { Locator } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectToast,
  newEmail,
  searchRow,
  signIn,
  signOut,
  signUpPassword,
  test,
} from './fixtures.ts';
import { mailedCode } from './people.ts';
import { cardFrame, paid, payButton } from './till.ts';

const mostTaps = { new: 12, back: 7 };
// A proof runs it at the width of a desktop, too.
test.use({ hasTouch: true });

test(
  'a new mother pays in 12 taps, and later in 7',
  { tag: ['@phone', '@journey'] },
  async ({ page, expected }) => {
    // The care facts, before her address is confirmed; her cart, as she signs out.
    expected.push(/status of 40[19]/);
    let taps = 0;
    const tap = async (target: Locator) => {
      await target.tap();
      taps += 1;
    };
    const field = (label: string) => page.getByLabel(label, { exact: true });
    /** A field that has the focus by itself costs nothing, and what is typed is free. */
    const type = async (target: Locator, text: string, focused = false) => {
      if (focused) await expect(target).toBeFocused();
      else await tap(target);
      await target.fill(text);
    };
    const [name, second] = ['Run, Jump, Throw', 'Hoops for Beginners'];
    const born = `${new Date().getFullYear() - 8}-01-01`;
    const sheet = page.getByRole('dialog', { name: 'Who is it for?' });

    const select = async (chosen: string, age: string) => {
      await page.goto('/');
      const row = await searchRow(page);
      if (row) await tap(row);
      const search = page.getByRole(row ? 'dialog' : 'search');
      await type(search.getByLabel('Age'), age, row !== null);
      await tap(search.getByRole('button', { name: 'Find classes' }));
      // Home may have a card of the same class, which would lead back to Home.
      await expect(page.getByRole('heading', { name: 'Classes', exact: true })).toBeVisible();
      await tap(page.getByRole('button', { name: `Select ${chosen}` }));
    };
    /** From the sheet on: the card field has the focus. */
    const toTheCard = async (chosen: string) => {
      await tap(sheet.getByRole('button', { name: 'Add to the cart' }));
      await expectToast(page, 'Class added to your  cart succesfully.');
      await tap(page.getByRole('link', { name: 'Cart, 1 class' }));
      await tap(page.getByRole('link', { name: `Pay: ${chosen}` }));
      await expect(cardFrame(page).getByRole('textbox', { name: /card number/ })).toBeFocused();
    };
    const payByCard = async () => {
      await expect(payButton(page)).toBeInViewport();
      await page.keyboard.type('42424242424242421240123');
      await tap(payButton(page));
      await paid(page);
    };

    await select(name, '7');
    await expect(page).toHaveURL('/login');
    await type(field('Name'), 'María Moreno', true);
    const email = newEmail();
    await type(field('Email'), email.replace('example', 'exmaple'));
    await type(field('Password'), signUpPassword);
    await type(field('Confirm Password'), signUpPassword);
    await tap(page.getByRole('button', { name: 'Sign Up', exact: true }));
    await expect(page).toHaveURL(/\/classes\?age=7/);

    await type(sheet.getByLabel('First name'), 'Álvaro', true);
    await type(sheet.getByLabel('Birth date'), born);
    await toTheCard(name);
    await payByCard();
    await expect(page.getByRole('heading', { name: 'Álvaro is booked' })).toBeVisible();
    expect(taps).toBeLessThanOrEqual(mostTaps.new);

    taps = 0;
    await select(second, '8');
    await toTheCard(second);
    // She chose the wrong child. What this costs is not counted.
    const counted = taps;
    const held = page.getByText(/^Held until/);
    const until = (await held.textContent()) ?? '';
    await tap(page.getByRole('button', { name: `Change who it is for: ${second} for Álvaro` }));
    await type(sheet.getByLabel('First name'), 'Zoë', true);
    await type(sheet.getByLabel('Birth date'), born);
    await tap(sheet.getByRole('button', { name: 'Change' }));
    await expect(page.getByText('for Zoë', { exact: true })).toBeVisible();
    // The same hold: its time goes on, it does not begin anew.
    await expect(held).toHaveText(until);
    await cardFrame(page)
      .getByRole('textbox', { name: /card number/ })
      .tap();
    taps = counted;
    await payByCard();
    expect(taps).toBeLessThanOrEqual(mostTaps.back);

    await page.goto('/dashboard/userhome');
    await expect(page.getByRole('listitem').first()).toBeInViewport();
    await page.getByRole('link', { name: 'Correct it' }).click();
    const account = page.getByRole('region', { name: 'Email', exact: true });
    await account.getByLabel('New email').fill(email);
    await account.getByLabel('Your password', { exact: true }).fill(signUpPassword);
    await account.getByRole('button', { name: 'Correct email' }).click();
    await expect(account).toContainText(`Corrected. We have mailed six digits to ${email}.`);
    await expectAccessible(page);
    await page.goto('/');
    await signOut(page);
    await signIn(page, email, signUpPassword);

    await page.goto('/dashboard/family');
    await page.getByRole('link', { name: 'Zoë' }).click();
    await field('Code').fill(await mailedCode(email));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(field('Allergies')).toBeVisible();
    await page.goto('/dashboard/myenrolledclasses');
    const row = page.getByRole('row').filter({ hasText: second });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('for Zoë');
  },
);
