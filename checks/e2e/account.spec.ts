// The account page, mostly on a phone: a new name, another device, two-step sign-in from the QR code to the backup code, the data
// export, and the deletion of the account.
import { readFile } from 'node:fs/promises';
import { codeOf } from '../../server/testing/totp.ts';
import {
  expect,
  expectAccessible,
  expectToast,
  longProofOnce,
  phone,
  signIn,
  signOut,
  test,
} from './fixtures.ts';
import {
  aClass,
  confirmed,
  enter,
  mailedLink,
  mailsTo,
  password,
  select,
  someone,
  unique,
} from './people.ts';

const at = '/dashboard/account';

test(
  'a new name and a new password hold at once, and one other device is signed out alone',
  phone,
  async ({ page, browser, expected }) => {
    expected.push(/status of 400/);
    const person = await someone();
    await enter(page, person);
    const other = await (await browser.newContext()).newPage();
    await signIn(other, person.email, password);
    await page.goto(at);
    await page.getByRole('button', { name: /^Sign out: / }).click();
    await expect(page.getByRole('button', { name: /^Sign out: / })).toHaveCount(0);
    await other.goto(at);
    await expect(other).toHaveURL('/login');
    await other.context().close();
    const name = unique('Renamed');
    const profile = page.getByRole('region', { name: 'Name and photo' });
    await profile.getByLabel('Name', { exact: true }).fill(name);
    await profile.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Saved');

    const secret = page.getByRole('region', { name: 'Password' });
    const change = async (current: string, next: string) => {
      await secret.getByLabel('Current password', { exact: true }).fill(current);
      await secret.getByLabel('New password', { exact: true }).fill(next);
      await secret.getByLabel('Confirm password', { exact: true }).fill(next);
      await secret.getByRole('button', { name: 'Change password' }).click();
    };
    await change('Wrong#2026', 'Squash#2027');
    await expect(
      secret.getByLabel('Current password', { exact: true }),
    ).toHaveAccessibleDescription(/not right/);
    await change(password, 'short');
    await expect(secret.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
      /^Password must be 6 characters/,
    );
    await change(password, 'Squash#2027');
    await expect(page.getByRole('dialog')).toContainText('Your password is changed.');
    await page.getByRole('button', { name: 'OK', exact: true }).click();
    await page.reload();
    await expect(profile.getByLabel('Name', { exact: true })).toHaveValue(name);
    await expectAccessible(page);
  },
);

test(
  'a new address is proven by its link and then signs in; the old one is told and does not',
  longProofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 401/);
    const person = await confirmed(await someone());
    const next = `${unique('new').replace(' ', '.')}@example.com`;
    await enter(page, person);
    await page.goto(at);
    const section = page.getByRole('region', { name: 'Email', exact: true });
    await section.getByLabel('New email').fill(next);
    await section.getByLabel('Your password', { exact: true }).fill(password);
    await section.getByRole('button', { name: 'Change email' }).click();
    await expect(section).toContainText(`We have mailed a link to ${next}.`);
    // Not before the link is opened.
    await expect(section.getByLabel('Email', { exact: true })).toHaveValue(person.email);
    await expectAccessible(page);

    await page.goto(await mailedLink(next, '/newaddress'));
    await expect(page).toHaveURL('/newaddress');
    await expect(page.getByRole('main')).toContainText(person.email);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use the new address' }).click();
    await expect(page.getByText(`From now on you log in with ${next}.`)).toBeVisible();
    await expectAccessible(page);
    await expect(async () => {
      const told = (await mailsTo(person.email)).find(({ text }) => text.includes(next));
      expect(told?.subject).toBe('Your address was changed');
    }).toPass();

    await page.getByRole('link', { name: 'Go to my account' }).click();
    await expect(section.getByLabel('Email', { exact: true })).toHaveValue(next);
    await page.goto('/');
    await signOut(page);
    await page.goto('/login');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await signIn(page, next, password);
  },
);

test(
  'two-step sign-in: scan, confirm, sign in with a code, sign in with a backup code, turn off',
  phone,
  async ({ page, expected }) => {
    expected.push(/status of 40[01]/);
    const person = await confirmed(await someone('instructor'));
    await enter(page, person);
    await page.goto(at);
    const steps = page.getByRole('region', { name: 'Two-step sign-in' });
    await steps.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(
      dialog.getByRole('img', { name: 'QR code for your authenticator app' }),
    ).toBeVisible();
    await expectAccessible(page);
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The code is not right');
    await dialog.getByLabel('Code').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog.getByRole('heading', { name: 'Keep your backup codes' })).toBeVisible();
    const codes = await dialog.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await expect(steps).toContainText('On: signing in asks for');

    const firstStep = async () => {
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.goto('/login');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
    };
    const secondStep = async (code: string) => {
      await page.getByLabel('Code').fill(code);
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    };
    await firstStep();
    await secondStep('000000');
    await expect(page.getByRole('alert')).toContainText('The code is not right');
    await secondStep(codeOf(secret, 1));
    await expect(page).toHaveURL('/');
    await firstStep();
    await secondStep(codes[0] ?? '');
    await expect(page).toHaveURL('/');

    await page.goto(at);
    await steps.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await dialog.getByLabel('Code or backup code').fill(codes[1] ?? '');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect(steps.getByRole('button', { name: 'Turn on' })).toBeVisible();
  },
);

test(
  'everything we hold comes as a file, and deleting the account ends it for good',
  phone,
  async ({ page, expected }) => {
    expected.push(/status of 40[01]/);
    const person = await someone();
    const klass = await aClass();
    await select(person, klass);
    await enter(page, person);
    await page.goto(at);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export my data' }).click();
    const file = await (await download).path();
    const data = JSON.parse(await readFile(file, 'utf8')) as {
      profile: { email: string };
      cart: { name: string }[];
    };
    expect([data.profile.email, data.cart.map(({ name }) => name)]).toEqual([
      person.email,
      [klass.name],
    ]);

    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill('Wrong#2026');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The current password is not right');
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('dialog', { name: 'Your account is deleted.' })).toBeVisible();
    await expect(page).toHaveURL('/');
    await page.goto('/login');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Wrong email or password.');
  },
);
