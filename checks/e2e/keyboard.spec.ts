// Everything that a pointer can do, by the keyboard alone.
import type { Locator, Page } from '@playwright/test';
import { contrast } from '../../contract/platform/contrast.ts';
import { expect, longProof, phone, proofOnce, test } from './fixtures.ts';
import { aClass, enter, type Person, select, someone, theAdmin } from './people.ts';
import { atTheTill, payButton, typeCard } from './till.ts';
import { walk } from './walk.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function expectWalkable(page: Page, address: string) {
  await test.step(address, async () => {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const { stops, complaints } = await walk(page);
    expect(complaints).toEqual([]);
    expect(stops).toBeGreaterThan(1);
  });
}

/** Until React has taken over the page, a link loads the next page as a whole. */
const expectTakenOver = (element: Locator) =>
  expect
    .poll(() =>
      element.evaluate((it) => Object.keys(it).some((key) => key.startsWith('__reactProps'))),
    )
    .toBe(true);

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, goal: Locator) {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    if (await goal.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never comes to ${String(goal)}`);
}

async function become(page: Page, person: Person) {
  await page.goto('/robots.txt');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await enter(page, person);
}

for (const [name, addresses] of [
  ['home', ['/']],
  ['catalogue', ['/classes?sport=Tennis', '/classes/', '/instructors']],
  [
    'sign-in',
    [
      '/login',
      '/signup',
      '/forgotpassword',
      '/resetpassword?token=abc',
      '/confirm?token=abc',
      '/nowhere',
    ],
  ],
] as const)
  test(
    `public pages (${name}): Tab comes to everything in order, and is seen there`,
    longProof,
    async ({ page, expected, request }) => {
      expected.push(/status of 404/);
      const { result } = (await (
        await request.get('/api/classes?status=approved&limit=1')
      ).json()) as {
        result: { _id: string }[];
      };
      for (const address of addresses)
        await expectWalkable(
          page,
          address === '/classes/' ? `${address}${result[0]?._id}` : address,
        );
    },
  );

test(
  'the dashboards of all three roles: Tab comes to everything in order, and is seen there',
  longProof,
  async ({ page }) => {
    const chosen = await aClass({ decided: null });
    const bought = await aClass();
    const student = await someone();
    await select(student, bought);
    for (const [person, path] of [
      [await theAdmin(), `manageclasses?q=${encodeURIComponent(chosen.name)}`],
      [chosen.instructor, 'myclasses'],
      [chosen.instructor, 'addaclass'],
      [student, 'mycart'],
      [student, 'account'],
    ] as const) {
      await become(page, person);
      await expectWalkable(page, `/dashboard/${path}`);
    }
  },
);

test(
  'the walk finds what is planted: the unreached, the unseen, the covered, the trap, the wrong order',
  proofOnce,
  async ({ page }) => {
    await page.goto('/forgotpassword');
    expect((await walk(page)).complaints).toEqual([]);
    await page.evaluate(() => {
      for (const [tag, name, properties] of [
        ['div', 'a div that clicks', { onclick: () => undefined }],
        ['div', 'a div with a hand', { style: 'cursor: pointer' }],
        ['button', 'a button left out', { tabIndex: -1 }],
        ['button', 'a button without a ring', { style: 'outline: none' }],
        ['button', 'a button that comes first', { tabIndex: 1 }],
        ['button', 'a button under a cloth', { style: 'display: block' }],
        ['div', '', { style: 'position: relative; margin-top: -20px; height: 20px' }],
      ] as const) {
        const planted = Object.assign(
          document.createElement(tag),
          { textContent: name },
          properties,
        );
        document.querySelector('main')?.append(planted);
      }
    });
    const { complaints } = await walk(page);
    expect(complaints).toEqual([
      'no focus ring: <button> a button without a ring',
      'covered: <button> a button under a cloth',
      'unreached: <div> a div that clicks',
      'unreached: <div> a div with a hand',
      'unreached: <button> a button left out',
      'unreached: <button> a button that comes first',
    ]);
    await page.evaluate(() =>
      document.querySelector('main a')?.addEventListener('keydown', (key) => key.preventDefault()),
    );
    expect((await walk(page)).complaints.join()).toContain('trap: <a>');
  },
);

test('the ring of the focus can be seen on the dark band of the footer', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/login');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Classes' });
  // Focused by a script after a key, so that the browser shows the ring.
  await page.keyboard.press('Tab');
  await link.focus();
  const { ring, band } = await link.evaluate((element) => ({
    ring: getComputedStyle(element).outlineColor,
    band: getComputedStyle(element.closest('footer') ?? element).backgroundColor,
  }));
  // WCAG 1.4.11.
  expect(contrast(hexOf(ring), hexOf(band))).toBeGreaterThanOrEqual(3);
});

/** Of `rgb(10, 42, 36)`. */
const hexOf = (colour: string) =>
  `#${(colour.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;

test('the link past the navbar leads to the content', async ({ page }) => {
  for (const address of ['/instructors', '/dashboard/mycart']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => !!document.activeElement?.closest('main'))).toBe(true);
  }
});

test(
  'the theme, the slider, the questions and the menu on the phone obey the keys',
  phone,
  async ({ page, isMobile }) => {
    await page.goto('/');
    const html = page.locator('html');
    const key = (name: string) => page.keyboard.press(name);
    const menu = page.locator('header summary');
    const links = page.getByRole('banner').getByRole('link');
    if (isMobile) {
      await tabTo(page, menu);
      await key('Enter');
      for (const name of ['Home', 'Instructors', 'Classes']) {
        await key('Tab');
        await expect(links.filter({ hasText: name })).toBeFocused();
      }
      await key('Escape');
      await expect(links).toHaveCount(1);
      await expect(menu).toBeFocused();
      await key('Enter');
    }
    await tabTo(page, page.getByRole('button', { name: 'Dark theme' }));
    await key('Space');
    await expect(html).toHaveAttribute('data-theme', 'dark');
    await key('Enter');
    await expect(html).toHaveAttribute('data-theme', 'light');
    if (isMobile) {
      // Left behind, the menu must not lie over what has the focus now.
      await key('Tab');
      await expect(links).toHaveCount(1);
    }

    const slider = page.getByRole('region', { name: 'Our sports in pictures', exact: true });
    const status = slider.getByRole('status');
    await tabTo(page, slider.getByRole('region'));
    await key('ArrowLeft');
    await expect(status).toHaveText('4 of 4');
    await key('ArrowRight');
    await expect(status).toHaveText('1 of 4');
    await tabTo(page, slider.getByRole('button', { name: 'Next picture' }));
    await key('Enter');
    await expect(status).toHaveText('2 of 4');
    await tabTo(page, slider.getByRole('button', { name: 'Show picture 4' }));
    await key('Space');
    await expect(status).toHaveText('4 of 4');

    const question = page.locator('details', { hasText: 'Is my card safe?' });
    await tabTo(page, question.locator('summary'));
    await key('Enter');
    await expect(question.getByText('never reaches our server')).toBeVisible();
  },
);

test(
  'the focus stays at the card when its class is selected by the keys',
  proofOnce,
  async ({ page }) => {
    await enter(page, await someone());
    await page.goto('/classes?age=18&sort=-seat');
    const card = page.getByRole('article').nth(5);
    await expect(
      page.getByRole('banner').getByRole('link', { name: 'Cart, 0 classes' }),
    ).toBeVisible();
    await tabTo(page, card.getByRole('button', { name: /^Select/ }));
    await page.keyboard.press('Enter');
    await expect(card.getByRole('link', { name: /^✓ In your cart/ })).toBeFocused();
  },
);

test(
  'a button at work keeps the focus, and its form is sent once',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 401/);
    const { email } = await someone();
    const answer = Promise.withResolvers<void>();
    let sent = 0;
    await page.route('**/sign-in/email', async (route) => {
      sent += 1;
      await answer.promise;
      await route.fallback();
    });
    await page.goto('/login');
    const button = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('Wrong1!');
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await button.click({ force: true });
    await expect(button).toBeFocused();
    await page.getByLabel('Email').press('Enter');
    await button.focus();
    answer.resolve();
    await expect(page.getByText('Wrong email or password.')).toBeVisible();
    await expect(button).toBeFocused();
    expect(sent).toBe(1);
  },
);

test(
  'the focus stays at the button when the card is declined',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 402/);
    await atTheTill(page);
    await typeCard(page, '4000000000000002');
    await payButton(page).click();
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    await expect(payButton(page)).toBeFocused();
  },
);

test(
  'the next page of a list keeps the focus, also where it is the last',
  proofOnce,
  async ({ page }) => {
    const instructor = await someone('instructor');
    for (let made = 0; made < 26; made += 1) await aClass({ instructor });
    await enter(page, instructor);
    await page.goto('/dashboard/myclasses');
    const next = page.getByRole('button', { name: 'Next page' });
    await next.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('26 of 26 classes', { exact: true })).toBeVisible();
    await expect(next).toBeFocused();
    await expect(next).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/page=2$/);

    const pages = page.getByRole('navigation', { name: 'Pages of classes' });
    await page.goto(`/classes?instructor=${instructor.id}`);
    const nextLink = pages.getByRole('link', { name: 'Next' });
    await expectTakenOver(nextLink);
    await nextLink.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/page=2$/);
    await expect(nextLink).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  },
);
