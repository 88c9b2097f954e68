// Sign-up with every rule broken, sign-in, sign-out, a forgotten password, and the session after a
// reload.
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectToFit,
  newEmail,
  openMenu,
  people,
  signIn,
  signOut,
  signUpPassword,
  test,
  once,
  phone,
  proofOnce,
  expectToast,
} from './fixtures.ts';
import { enter, mailedCode, mailedLink, password, someone } from './people.ts';

const good = {
  name: 'Pat Parent',
  photo: '/media/people/tomas-herrera.svg',
  password: signUpPassword,
  confirm: signUpPassword,
};

async function fill(
  page: Page,
  form: { name: string; photo: string; email: string; password: string; confirm: string },
) {
  await page.getByLabel('Name', { exact: true }).fill(form.name);
  await page.getByLabel('Photo URL').fill(form.photo);
  await page.getByLabel('Email').fill(form.email);
  await page.getByLabel('Password', { exact: true }).fill(form.password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(form.confirm);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
}

test('signing up names each broken rule at its field and keeps what was typed; then it works', async ({
  page,
}) => {
  const email = newEmail();
  const right = { ...good, email };
  const broken: [Partial<typeof right>, string, string][] = [
    [{ name: '' }, 'Name', 'Name is required'],
    [{ photo: '' }, 'Photo URL', 'Photo URL is required'],
    [
      { photo: 'javascript:alert(1)' },
      'Photo URL',
      'Photo URL must be an https:// address of a picture',
    ],
    [{ email: '' }, 'Email', 'Email is required'],
    [{ password: '', confirm: '' }, 'Password', 'Password is required'],
    [{ password: 'Aa1!', confirm: 'Aa1!' }, 'Password', 'Password must be 6 characters'],
    [{ password: 'Aa1!'.repeat(6) }, 'Password', 'Password must be less than 20 characters'],
    [
      { password: 'alllowercase' },
      'Password',
      'Password must have one Uppercase one lower case, one number and one special character.',
    ],
    [{ confirm: 'Lob&Volley8' }, 'Confirm Password', 'The two passwords are not the same'],
  ];
  await page.goto('/signup');
  for (const [change, label, message] of broken) {
    await fill(page, { ...right, ...change });
    const field = page.getByLabel(label, { exact: true });
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(new RegExp(message.slice(0, 20)));
    if (!('name' in change))
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(right.name);
  }
  await fill(page, right);
  await expectToast(page, 'User created successfully.');
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => localStorage.getItem('access-token'))).toMatch(
    /^[\w-]+\.[\w-]+\.[\w-]+$/,
  );
});

const formRules = /[/]assets[/]formrules-/;

test(
  'when the rules of the form do not arrive, signing up says so, and Retry goes on',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/ERR_FAILED/);
    await page.route(formRules, (route) => route.abort());
    await page.goto('/signup');
    await fill(page, { ...good, email: newEmail() });
    await expect(page.getByRole('alert')).toContainText('Part of this page did not arrive.');
    await page.unroute(formRules);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectToast(page, 'User created successfully.');
    await expect(page).toHaveURL('/');
  },
);

test(
  'the form stays on the screen until the page after it has loaded',
  proofOnce,
  async ({ page }) => {
    const arrival = Promise.withResolvers<void>();
    await page.route(/[/]assets[/]Home-/, async (route) => {
      await arrival.promise;
      await route.fallback();
    });
    await page.goto('/signup');
    await fill(page, { ...good, email: newEmail() });
    await expectToast(page, 'User created successfully.');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign Up');
    await expect(page.getByLabel('Email')).toBeVisible();
    arrival.resolve();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Popular Courses' })).toBeVisible();
  },
);

test(
  'an address that is taken is not told apart, and its owner is not signed out of the form',
  once,
  async ({ page, expected }) => {
    expected.push(/status of (40[013]|422)/);
    await page.goto('/signup');
    await fill(page, { ...good, email: people.student });
    await expect(page.getByRole('alert')).toContainText('Please check your mailbox, or log in');
    await expect(page.getByLabel('Email')).toHaveValue(people.student);
  },
);

test(
  'signing in wrong says so without a hint, right leads in; signing out removes the token',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 401/);
    await page.goto('/login');
    const attempt = async (email: string, secret: string) => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(secret);
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    };
    await attempt(newEmail(), 'Wrong#2026');
    const message = 'Wrong email or password.';
    await expect(page.getByRole('alert')).toHaveText(message);
    const { email } = await someone();
    await page.goto('/login');
    await attempt(email, 'Wrong#2026');
    await expect(page.getByRole('alert')).toHaveText(message);
    await attempt(email, password);
    await expectToast(page, 'User Login Successful.');
    await expect(page).toHaveURL('/');
    await signOut(page);
    expect(await page.evaluate(() => localStorage.getItem('access-token'))).toBeNull();
  },
);

test(
  'a forgotten password is chosen anew by a mailed link that works once',
  phone,
  async ({ page, expected }) => {
    expected.push(/status of 40[01]/);
    const { email } = await someone();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // The login page has a field of the same name.
    await expect(page.getByRole('heading', { name: 'Forgot password?' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByRole('status')).toContainText(email);
    const link = await mailedLink(email, '/resetpassword');
    await page.goto(link);
    const choose = async (secret: string) => {
      await page.getByLabel('New Password', { exact: true }).fill(secret);
      await page.getByLabel('Confirm Password', { exact: true }).fill(secret);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await choose('short');
    await expect(page.getByRole('alert')).toHaveText('Password must be 6 characters');
    await choose('Smash&Serve9');
    await expect(page.getByRole('heading', { name: 'Your password is changed.' })).toBeVisible();
    await expect(page.getByText('What this account has stays')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await signIn(page, email, 'Smash&Serve9');
    await signOut(page);
    // A spent link says so before any form.
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
    await expect(page.getByLabel('New Password', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Send me a new link' })).toHaveAttribute(
      'href',
      '/forgotpassword',
    );
  },
);

test('the link of the welcome mail leads to a button that confirms the address, and the page says so', async ({
  page,
}) => {
  const person = await someone();
  await enter(page, person);
  const link = await mailedLink(person.email, '/confirm');
  await page.goto(link);
  await expect(page).toHaveTitle('Rally Sports Academy | Confirm Address');
  await expect(page.getByRole('heading', { name: 'Confirm your address' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed.' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the classes' })).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your address is confirmed.' })).toBeVisible();
  await expect(page.getByText('was confirmed before.')).toBeVisible();
});

test(
  'on another device the link asks for the password of the sign-up, or for a new one',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 400/);
    const { email } = await someone();
    await page.goto(await mailedLink(email, '/confirm'));
    await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await expect(page.getByRole('alert')).toContainText('This is not the password of the sign-up.');
    await page.getByRole('button', { name: 'Choose a new password instead' }).click();
    await expectAccessible(page);
    await page.getByLabel('New Password', { exact: true }).fill('Smash&Serve9');
    await page.getByLabel('Confirm Password', { exact: true }).fill('Smash&Serve9');
    await page.getByRole('button', { name: 'Confirm and change password' }).click();
    await expect(page.getByRole('heading', { name: 'Your address is confirmed.' })).toBeVisible();
    await expect(page.getByText('What this account has stays')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/login');
    await signIn(page, email, 'Smash&Serve9');
  },
);

test(
  'a link that does not work says so and leads to the digits of a new mail',
  once,
  async ({ page }) => {
    await page.goto('/confirm?token=abc');
    await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
    await expect(
      page.getByRole('link', { name: 'Send me a link for a new password' }),
    ).toBeVisible();
    const { email, cookies } = await someone();
    await page.context().addCookies(cookies);
    await page.goto('/confirm?token=abc');
    await page.getByLabel('Code').fill(await mailedCode(email));
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Your address is confirmed.' })).toBeVisible();
  },
);

test(
  'after too many tries the login page points to a new password by email',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 429/);
    const refusal = {
      error: true,
      code: 'RATE_LIMITED',
      message: 'Too many requests.',
      requestId: 'x',
    };
    await page.route('**/api/auth/sign-in/email', (route) =>
      route.fulfill({ status: 429, json: refusal }),
    );
    await page.goto('/login');
    await page.getByLabel('Email').fill(people.student);
    await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
    await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Too many requests.');
    await alert.getByRole('link', { name: 'choose a new password by email' }).click();
    await expect(page).toHaveURL('/forgotpassword');
  },
);

test('a deep link leads through login and back to itself', once, async ({ page }) => {
  await page.goto('/dashboard/paymenthistory?q=tennis');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Email').fill(people.student);
  await page.getByLabel('Password', { exact: true }).fill('Rally#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/paymenthistory\?q=tennis$/);
});

for (const [who, first] of [
  ['admin', 'manageusers'],
  ['coach', 'myclasses'],
  ['student', 'mycart'],
] as const) {
  test(`the Dashboard link of the ${who} leads to ${first}, and the navbar does not flicker on reload`, async ({
    page,
  }) => {
    await signIn(page, people[who]);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(page.locator('html')).toHaveAttribute('data-auth', 'in');
    await openMenu(page);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'href',
      `/dashboard/${first}`,
    );
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveCount(0);
    const banner = page.getByRole('banner');
    const avatar = banner.getByRole('img', { name: /^(Avery|Casey|Sam) / });
    await expect(avatar).toBeVisible();
    const ways = avatar
      .or(banner.getByRole('button', { name: 'Logout' }))
      .or(banner.getByRole('link', { name: 'Dashboard' }));
    expect(await ways.evaluateAll((all) => all.map(({ tagName }) => tagName))).toEqual([
      'IMG',
      'BUTTON',
      'A',
    ]);
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(ways.last()).toBeVisible();
    await expectToFit(page);
  });
}

test(
  'a signed-in user stays signed in when the first answers get lost',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 503/, /ERR_FAILED/);
    await signIn(page, people.student);
    let lost = 0;
    await page.route('**/api/auth/get-session', (route) => {
      lost += 1;
      if (lost === 1) return route.abort();
      return lost === 2
        ? route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } })
        : route.fallback();
    });
    await page.goto('/dashboard/mycart');
    await expect(page.getByRole('button', { name: 'Logout' })).toBeEnabled();
    await expect(page).toHaveURL('/dashboard/mycart');
    expect(lost).toBe(3);
  },
);

test('signing out in one tab signs out the other', proofOnce, async ({ page, context }) => {
  await enter(page, await someone());
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/');
  await openMenu(other);
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
  await signOut(page);
  await expect(other.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
});

test(
  'a refused token signs out and leads to the login page',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 401/);
    await enter(page, await someone());
    await page.route('**/api/bookeds*', (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED' } }),
    );
    await page.goto('/');
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem('access-token'))).toBeNull();
  },
);

test('without Google set up the button says so instead of vanishing', once, async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeDisabled();
  await expect(page.getByText('Sign-in with Google is not available here yet.')).toBeVisible();
});
