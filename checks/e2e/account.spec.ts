// A password that was forgotten, and two-step sign-in, in a browser.
import { codeOf } from '../../server/testing/totp.ts';
import { expect, expectAccessible, phoneProof, signIn, signOut, test } from './fixtures.ts';
import { confirmed, enter, mailedLink, password, someone } from './people.ts';

const both = { tag: ['@phone', '@journey', '@proof'] };

test('a forgotten password is chosen anew by a mailed link', both, async ({ page, expected }) => {
  expected.push(/status of 40[01]/);
  const { email } = await someone();
  await page.goto('/dashboard/paymenthistory?q=tennis');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The login page has a field of the same name.
  await expect(page.getByRole('heading', { name: 'Forgot password?' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status')).toContainText(email);
  const link = await mailedLink(email, '/resetpassword');
  await page.goto(link);
  await page.getByLabel('New Password', { exact: true }).fill('Smash&Serve9');
  await page.getByLabel('Confirm Password', { exact: true }).fill('Smash&Serve9');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is changed.' })).toBeVisible();
  await signIn(page, email, 'Smash&Serve9');
  await signOut(page);
  // A spent link says so before any form.
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await expect(page.getByLabel('New Password', { exact: true })).toHaveCount(0);
});

test(
  'two-step sign-in: on, a code, a backup code, and the end',
  phoneProof,
  async ({ page, expected }) => {
    expected.push(/status of 40[01]/);
    const person = await confirmed(await someone('instructor'));
    await enter(page, person);
    await page.goto('/dashboard/account');
    const secrets = page.getByRole('region', { name: 'Password' });
    await secrets.getByLabel('Current password', { exact: true }).fill(password);
    await secrets.getByLabel('New password', { exact: true }).fill('Squash#2027');
    await secrets.getByLabel('Confirm password', { exact: true }).fill('Squash#2027');
    await secrets.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('dialog')).toContainText('Your password is changed.');
    await page.getByRole('button', { name: 'OK', exact: true }).click();

    const steps = page.getByRole('region', { name: 'Two-step sign-in' });
    const dialog = page.getByRole('dialog');
    await steps.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByLabel('Your password', { exact: true }).fill('Squash#2027');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const picture = dialog.getByRole('img', { name: 'QR code for your authenticator app' });
    await expect(picture).toBeVisible();
    await expectAccessible(page);
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Code').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog.getByRole('heading', { name: 'Keep your backup codes' })).toBeVisible();
    const [backup = ''] = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await expect(steps).toContainText('On: signing in asks for');

    for (const code of ['000000', codeOf(secret, 1), backup]) {
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.goto('/login');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill('Squash#2027');
      const login = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
      await login.click();
      await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
      await page.getByLabel('Code').fill(code);
      await login.click();
      if (code === '000000')
        await expect(page.getByRole('alert')).toContainText('The code is not right');
      else await expect(page).toHaveURL('/');
    }

    await page.goto('/dashboard/account');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export my data' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.json$/);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByLabel('Your password', { exact: true }).fill('Squash#2027');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('dialog', { name: 'Your account is deleted.' })).toBeVisible();
  },
);
