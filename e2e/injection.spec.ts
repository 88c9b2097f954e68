// Text that looks like markup, script, SQL, a formula or a path, read by visitors and typed into
// the forms around signing in. It must be shown word for word and do nothing. Not for: what
// a field accepts (server/features/identity/routes.signup.test.ts, contract/).
import { expect, expectToast, once, proofOnce, test, longProofOnce } from './fixtures.ts';
import { openDatabase } from './leftovers.ts';
import type { MadeClass } from './people.ts';
import {
  image,
  injections,
  expectHarmless,
  traces,
  visible,
  watch,
  type World,
} from './injections.ts';

// One after another in one worker: what is planted is planted once. The width of the screen changes
// nothing about it.
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const { mark, words, plant } = injections();
let world: World;

test.beforeAll(async ({ request }) => {
  world = await plant(request);
});
test.beforeEach(({ page }) => watch(page));

test(
  'the detectors find markup, script and breaches of the policy when they are really there',
  once,
  async ({ page, expected }) => {
    expected.push(/CSP: script-src|Content Security Policy|status of 404/);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto('/dev/mail?to=none');
    await page.evaluate(
      (markup) => document.querySelector('main')?.insertAdjacentHTML('beforeend', markup),
      image,
    );
    await expect.poll(() => said.join()).toContain('CSP: script-src-attr inline');
    await page.evaluate(() => Object.assign(window, { injected: 1 }));
    expect(await traces(page)).toEqual([
      expect.stringContaining('<img src="x" data-injected'),
      'a script ran',
    ]);
  },
);

test('visitors read it as text in lists', proofOnce, async ({ page, request, expected }) => {
  expected.push(/status of 404/);
  const { teacher, bought } = world;
  const { name, ages, schedule } = words;
  await page.goto(`/classes?search=${mark}&sort=new`);
  await expectHarmless(page, name, words.teacher, ages, schedule);
  await page.goto(`/classes?instructor=${teacher.id}`);
  await expectHarmless(page, `What ${words.teacher} teaches`, name);
  await whilePopular(bought, async () => {
    await expect.poll(async () => (await request.get('/')).text()).toContain(mark);
    const home = await page.goto('/');
    await expectHarmless(page, name, ages, schedule);
    await expect(page.getByRole('heading', { name: words.teacher, exact: true })).toBeVisible();
    expect((await home?.text())?.match(/<\w+ (src=x )?data-injected/g)).toBeNull();
  });
  // The instructor is on one of the pages; which one depends on the other journeys.
  await page.goto('/instructors');
  for (let next = 2; next < 50 && !(await visible(page, words.teacher).isVisible()); next++) {
    await page.goto(`/instructors?page=${next}`);
  }
  await expectHarmless(page, words.teacher);
  expect(await (await request.get('/sitemap.xml')).text()).not.toContain(mark);
});

test('visitors read it as text on the page of a class', once, async ({ page }) => {
  const { bought } = world;
  const { name, ages, schedule, place, description } = words;
  const answer = await page.goto(`/classes/${bought.id}`);
  await expectHarmless(page, name, words.teacher, ages, schedule, place, description);
  await expect(page).toHaveTitle(`Rally Sports Academy | ${name}`);
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
    'content',
    `Rally Sports Academy | ${name}`,
  );
  expect(await page.locator('meta[name=description]').getAttribute('content')).toContain(
    words.teacher,
  );
  const data = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
  ) as {
    name: string;
    description: string;
  };
  expect([data.name, data.description]).toEqual([name, description]);
  expect((await answer?.text())?.match(/<\w+ (src=x )?data-injected/g)).toBeNull();
});

test('a page takes what is in its address as text', longProofOnce, async ({ page, expected }) => {
  expected.push(/status of 404/);
  const all = encodeURIComponent(
    `'"><script data-injected>injected=1</script>${image}../../../etc/passwd`,
  );
  for (const address of [
    `/classes?search=${all}`,
    `/classes?instructor=${all}&sport=${all}&sort=${all}&page=${all}&minPrice=${all}&maxPrice=${all}&free=${all}&${all}=${all}`,
    `/instructors?search=${all}&page=${all}`,
    `/classes/${all}`,
    `/${all}`,
    `/resetpassword?token=${all}`,
    `/confirm?token=${all}`,
    `/forgotpassword?email=${all}`,
    `/login?error=${all}&from=${encodeURIComponent('https://evil.example/')}`,
    `/login?from=javascript:injected=1#${all}`,
  ]) {
    await page.goto(address);
    await expectHarmless(page);
  }
  await page.goto('/classes');
  const heading = page.getByRole('heading', { level: 2, name: /^[\d,]+ class(es)?$/ });
  await expect(heading).toBeVisible();
  await page.getByLabel('Search').fill(`' OR 1=1 -- nosuchname ${image}`);
  await expect(page.getByText('No classes match')).toBeVisible();
  await expectHarmless(page);
  await page.getByLabel('Search').fill('');
  await expect(heading).toBeVisible();
});

test('the forms around signing in take it as text', proofOnce, async ({ page, expected }) => {
  expected.push(/status of 40[01]/);
  await page.goto('/login');
  await page.getByLabel('Email').fill(`'or'1'='1@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(`' OR 1=1;-- ${image}`);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expectHarmless(page, 'Wrong email or password.');
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(words.student);
  await page.getByLabel('Photo URL').fill('javascript:injected=1');
  await page.getByLabel('Email').fill(`<b data-injected>@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(image);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expectHarmless(
    page,
    'Photo URL must be an https:// address of a picture',
    'Please enter a valid email address',
  );
  await page.getByLabel('Photo URL').fill(words.picture);
  await page.getByLabel('Email').fill(`${mark}@example.com`);
  for (const label of ['Password', 'Confirm Password'])
    await page.getByLabel(label, { exact: true }).fill('Lob&Volley7');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page).toHaveURL('/');
  await expectHarmless(page);
  await page.goto('/dashboard/account');
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue(words.student);
  await name.fill(words.teacher);
  await page
    .getByRole('region', { name: 'Name and photo' })
    .getByRole('button', { name: 'Save' })
    .click();
  await expectToast(page, 'Saved');
  await expectHarmless(page);
  await page.goto('/dashboard/userhome');
  await expectHarmless(page, `Welcome, ${words.teacher}`);
});

/**
 * Adds ninety buyers to the counters for a while, so that the class and its instructor are on the home
 * page: other journeys sell seats, too.
 */
async function whilePopular({ id }: MadeClass, work: () => Promise<void>) {
  const database = await openDatabase();
  const count = (buyers: number) =>
    database.query('update class set capacity = capacity + $2, sold = sold + $2 where id = $1', [
      id,
      buyers,
    ]);
  await count(90);
  try {
    await work();
  } finally {
    await count(-90);
    await database.end();
  }
}
