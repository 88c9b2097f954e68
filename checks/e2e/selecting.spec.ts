// Selecting a class, from the card or page of the class through the login page to the cart.
import type { Page } from '@playwright/test';
import {
  expect,
  expectToast,
  newEmail,
  openMenu,
  signOut,
  signUpPassword,
  test,
  longProofOnce,
} from './fixtures.ts';
import { password, someone } from './people.ts';

/** The card that is at this place now. Other tests buy seats, and the order follows. */
async function cardAt(page: Page, place: number) {
  const name = await page.getByRole('article').nth(place).getByRole('heading').textContent();
  return page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: name ?? '', exact: true }) });
}

test('a selected class survives the way through sign-up and is in the cart afterwards', async ({
  page,
}) => {
  await page.goto('/classes?age=18&sort=-seat');
  const card = await cardAt(page, 0);
  await card.getByRole('button', { name: 'Select' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await fillSignUp(page);
  await expect(page).toHaveURL(/\/classes\?age=18&sort=-seat$/);
  await expectToast(page, 'Class added to your  cart succesfully.');
  await expect(card.getByRole('link', { name: 'In your cart' })).toBeVisible();
});

test(
  'Back, a reload and another address lead away from the login page after Select',
  longProofOnce,
  async ({ page }) => {
    const card = page.getByRole('article').first();
    const selectSignedOut = async () => {
      await page.goto('/classes?age=18&sort=-seat');
      await card.getByRole('button', { name: 'Select' }).click();
      await expect(page).toHaveURL(/\/login$/);
      await expect(
        page.getByRole('main').getByRole('button', { name: 'Login', exact: true }),
      ).toBeEnabled();
    };
    /** The page is there, its session is known, and it stays. */
    const expectToStay = async (address: RegExp) => {
      await expect(page.getByRole('article').first()).toBeVisible();
      await openMenu(page);
      await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
      await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
      await expect(page).toHaveURL(address);
    };
    await selectSignedOut();
    await page.goBack();
    await expectToStay(/\/classes\?age=18&sort=-seat$/);
    await page.reload();
    await expectToStay(/\/classes\?age=18&sort=-seat$/);
    for (const address of ['/', '/classes']) {
      await selectSignedOut();
      await page.goto(address);
      await expectToStay(new RegExp(`${address}$`));
    }
  },
);

test(
  'the login page keeps the selected class when it is loaded again, and forgets it when it is left',
  longProofOnce,
  async ({ page }) => {
    const { email } = await someone();
    await page.goto('/classes?age=18&sort=-seat');
    const card = await cardAt(page, 2);
    await card.getByRole('button', { name: 'Select' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.reload();
    const logIn = async () => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
      await expect(page).toHaveURL(/\/classes\?age=18&sort=-seat$/);
    };
    await logIn();
    await expect(card.getByRole('link', { name: 'In your cart' })).toBeVisible();

    await signOut(page);
    await page.goto('/classes?age=18&sort=-seat');
    const other = await cardAt(page, 3);
    await other.getByRole('button', { name: 'Select' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.goBack();
    await expect(other).toBeVisible();
    await openMenu(page);
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await logIn();
    await expect(card.getByRole('link', { name: 'In your cart' })).toBeVisible();
    await expect(other.getByRole('button', { name: 'Select' })).toBeVisible();
  },
);

async function fillSignUp(page: Parameters<typeof openMenu>[0]) {
  await page.getByLabel('Name', { exact: true }).fill('Pat Parent');
  await page.getByLabel('Photo URL').fill('/media/people/priya-raman.svg');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(signUpPassword);
  await page.getByLabel('Confirm Password', { exact: true }).fill(signUpPassword);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
}
