// Text that would like to be markup, script, SQL, a formula or a path: in every field that takes
// text, on every screen that shows it. It must stand there word for word and do nothing. Not for:
// what a field accepts (server/features/identity/routes.signup.test.ts, contract/).
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { elsewhere, expect, expectToast, once, test } from './fixtures.ts';
import { openDatabase } from './leftovers.ts';
import {
  aClass,
  enter,
  type MadeClass,
  type Person,
  select,
  someone,
  theAdmin,
  unique,
} from './people.ts';
import { inDatabase } from './till.ts';

// One after another in one worker: what is planted is planted once. The width of the screen changes
// nothing about it.
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const mark = unique('m').replace(' ', '').toLowerCase();
const script = '</script><script data-injected>injected=1</script>';
const image = '<img src=x data-injected onerror=injected=1>';
const words = {
  teacher: `=cmd|' /C calc'!A1 ${image} ${mark}`,
  student: `@SUM(1) </title>${script} ${mark}`,
  name: `+1 ${script} ' OR 1=1;-- ${mark}`,
  ages: `"><i data-injected>`,
  schedule: `-1'); DROP TABLE class; --<b data-injected> ${mark}`,
  place: `../../../etc/passwd%00<u data-injected> ${mark}`,
  description: `{{7*7}} \${7*7} <!-- ]]> ${image} ${script} javascript:injected=1 <a data-injected href="javascript:injected=1">${mark}</a>`,
  feedback: `${image}${script} ${mark} feedback`,
  reason: `${image}${script} ${mark} reason`,
  picture: `${elsewhere}${mark}.png?"onerror="injected=1"data-injected="'><b data-injected>`,
};

interface World {
  teacher: Person;
  student: Person;
  bought: MadeClass;
  wanted: MadeClass;
  paymentId: string;
}
let world: World;

test.beforeAll(async ({ request }) => {
  const picture = { image: words.picture };
  const [teacher, student] = await Promise.all([
    someone('instructor', { name: words.teacher, ...picture }),
    someone('student', { name: words.student, ...picture }),
  ]);
  const [bought, wanted] = [
    await aClass({ instructor: teacher }),
    await aClass({ instructor: teacher }),
  ];
  const admin = await theAdmin();
  const { ages, schedule, place, description } = words;
  const waiting = await aClass({ instructor: teacher, decided: null });
  // Admin Home lists the twenty that wait longest.
  await inDatabase("update class set handed_in_at = '2000-01-02' where id = $1", [waiting.id]);
  for (const [{ id }, name] of [
    [bought, words.name],
    [wanted, `${words.name} wanted`],
    [waiting, `${words.name} waiting`],
  ] as const) {
    await teacher.ask('PATCH', `/classes/${id}`, {
      name,
      img: words.picture,
      ages,
      schedule,
      place,
      description,
    });
    await admin.ask('PATCH', `/classes/feedback/${id}`, { feedback: words.feedback });
    if (id !== waiting.id) await admin.ask('PATCH', `/classes/approve/${id}`);
  }
  for (const chosen of [bought, wanted]) await select(student, chosen);
  const { clientSecret } = await student.ask('POST', '/create-payment-intent', {
    price: 49,
    itemId: bought.id,
  });
  const secret = String(clientSecret);
  const [intent = ''] = secret.split('_secret');
  const { cards } = (await (await request.get('/api/settings')).json()) as {
    cards: { publishableKey: string };
  };
  const form = { client_secret: secret, payment_method: 'pm_card_visa', key: cards.publishableKey };
  expect(
    (await request.post(`/sandbox/v1/payment_intents/${intent}/confirm`, { form })).status(),
  ).toBe(200);
  const { insertResult } = await student.ask('POST', '/payments', { transactionId: intent });
  world = {
    teacher,
    student,
    bought,
    wanted,
    paymentId: (insertResult as { insertedId: string }).insertedId,
  };
});

test.beforeEach(async ({ page }) => {
  page.on('dialog', (dialog) => {
    throw new Error(`A dialog opened: ${dialog.message()}`);
  });
  await page.route(`${elsewhere}**`, (route) => route.fulfill({ path: 'web/public/icon.svg' }));
});

/** The page stands, shows these words as they were written, and nothing has come of them. */
async function expectHarmless(page: Page, ...shown: string[]) {
  for (const text of shown) await expect(visible(page, text)).toBeVisible();
  await expect(page.locator('h1')).toBeVisible();
  expect(await traces(page)).toEqual([]);
}

const visible = (at: Page | Locator, text: string) =>
  at.getByText(text).filter({ visible: true }).first();

const traces = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('[data-injected]')].map((element) => element.outerHTML),
    ...('injected' in window ? ['a script ran'] : []),
  ]);

test(
  'the detectors find markup, script and breaches of the policy when they are really there',
  once,
  async ({ page, expected }) => {
    expected.push(/CSP: script-src|Content Security Policy|status of 404/);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto('/dev/mail?to=nobody');
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

test('visitors read it as text', once, async ({ page, request, expected }) => {
  expected.push(/status of 404/);
  const { teacher, bought } = world;
  const { name, ages, schedule, place, description } = words;
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
  // On one of the pages, by how many the others have taught.
  await page.goto('/instructors');
  for (let next = 2; next < 50 && !(await visible(page, words.teacher).isVisible()); next++) {
    await page.goto(`/instructors?page=${next}`);
  }
  await expectHarmless(page, words.teacher);
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
  expect(await (await request.get('/sitemap.xml')).text()).not.toContain(mark);

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
  await page.getByLabel('Search').fill(`' OR 1=1 -- nobodyiscalledthat ${image}`);
  await expect(page.getByText('No classes match')).toBeVisible();
  await expectHarmless(page);
  await page.getByLabel('Search').fill('');
  await expect(heading).toBeVisible();
});

test('the forms around signing in take it as text', once, async ({ page, expected }) => {
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
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved');
  await expectHarmless(page);
  await page.goto('/dashboard/userhome');
  await expectHarmless(page, `Welcome, ${words.teacher}`);
});

test(
  'a student reads it as text, from the cart to the receipt and the mail',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 40[04]/);
    const { student, paymentId } = world;
    const { name, schedule } = words;
    await enter(page, student);
    const all = encodeURIComponent(`'"><script data-injected>injected=1</script>`);
    for (const [path, ...shown] of [
      ['userhome', `Welcome, ${words.student}`],
      ['mycart', name],
      [`mycart?q=${all}`, 'Nothing found'],
      ['paymenthistory', name, words.student],
      ['myenrolledclasses', name, schedule],
      [`receipt/${paymentId}`, name, words.student, words.teacher],
      [`receipt/${all}`, 'There is no such receipt'],
      [`payment?item=${all}`, 'not in your cart any more'],
      ['payment', name],
    ]) {
      await page.goto(`/dashboard/${path}`);
      await expectHarmless(page, ...shown);
    }
    await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
    await page.goto('/dashboard/account');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(words.student);
    await expect(page.getByLabel('Photo URL')).toHaveValue(words.picture);
    await expectHarmless(page);
    await page.goto('/dashboard/mycart');
    await page.getByRole('button', { name: `Delete: ${name}` }).click();
    await expectHarmless(page, 'Are you sure?');
    await expect(async () => {
      await page.goto(`/dev/mail?to=${encodeURIComponent(student.email)}`);
      await expectHarmless(page, `Your receipt for ${name}`, `Hello ${words.student}`);
    }).toPass();
  },
);

test(
  'an instructor reads it as text, in the table, the feedback and the forms',
  once,
  async ({ page }) => {
    const { teacher } = world;
    await enter(page, teacher);
    await page.goto('/dashboard/myclasses');
    await expectHarmless(page, words.name);
    await page.getByRole('button', { name: `Feedback: ${words.name} wanted` }).click();
    await expectHarmless(page, words.feedback);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `Update: ${words.name} wanted` }).click();
    await expect(page.getByLabel('Class Name')).toHaveValue(`${words.name} wanted`);
    await expect(page.getByLabel('Description')).toHaveValue(words.description);
    await expectHarmless(page);
    await page.goto('/dashboard/addaclass');
    const { ages, schedule, place, description } = words;
    for (const [label, text] of [
      ['Class Name', `${words.name} typed`],
      ['Photo URL', 'javascript:injected=1'],
      ['Price', `49' OR 1=1`],
      ['Available Seats', image],
      ['Ages', ages],
      ['Schedule', schedule],
      ['Place', place],
      ['Description', description],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text);
    const preview = page.getByRole('region', { name: 'As visitors will see it' });
    for (const text of [`${words.name} typed`, words.teacher, ages, schedule])
      await expect(visible(preview, text)).toBeVisible();
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectHarmless(page, 'Photo URL must be an https:// address of a picture');
    for (const label of ['Price', 'Available Seats'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Photo URL').fill(words.picture);
    await page.getByLabel('Price').fill('49');
    await page.getByLabel('Available Seats').fill('5');
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectToast(page, 'Class added successfully');
    await expectHarmless(page);
    await page.goto('/dashboard/myclasses');
    await expectHarmless(page, `${words.name} typed`);
    await page.getByRole('link', { name: `Update: ${words.name} typed` }).click();
    for (const [label, text] of Object.entries({
      Ages: ages,
      Schedule: schedule,
      Place: place,
      Description: description,
    }))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(text);
    await expectHarmless(page);
  },
);

test(
  'an admin reads it as text, in tables, dialogs, toasts and spreadsheets',
  once,
  async ({ page }) => {
    const { student } = world;
    const { name } = words;
    await enter(page, await theAdmin());
    await page.goto(`/dashboard/manageusers?q=${mark}`);
    await expectHarmless(page, words.teacher, words.student);
    const users = await exported(page);
    expect(users).toContain(`"'${words.teacher}",`);
    expect(users).not.toMatch(formula);
    const row = page.getByRole('row').filter({ hasText: student.email });
    await row.getByRole('button', { name: 'Make Instructor' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Make Instructor all the same' })
      .click();
    await expectToast(page, `${words.student} is an Instructor Now!`);
    await expectHarmless(page);

    await page.goto(`/dashboard/manageclasses?q=${mark}`);
    await expectHarmless(page, name, words.teacher);
    const classes = await exported(page);
    // A spreadsheet that splits cells at semicolons would run what comes after one.
    expect(classes).toContain(`"'${name.replace(';-', ";'-")}"`);
    expect(classes).not.toMatch(formula);
    await page.getByRole('button', { name: `Feedback: ${name} wanted` }).click();
    await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(words.feedback);
    await expectHarmless(page, `Feedback on ${name} wanted`, `${words.teacher} reads this`);
    await page.getByRole('dialog').getByRole('textbox').fill(`${words.feedback} typed`);
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await expectToast(page, 'Feedback sent');
    await expectHarmless(page);
    await page.getByRole('button', { name: `Feedback: ${name} wanted` }).click();
    await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(
      `${words.feedback} typed`,
    );
    await expectHarmless(page);

    await page.goto('/dashboard/payments');
    await expectHarmless(page, name, words.student);
    await page.getByRole('button', { name: `Refund: ${name}` }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(words.reason);
    await expectHarmless(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Refund/ })
      .click();
    await expectToast(page, 'Refund started');
    await expectHarmless(page);
    await page.goto(`/dashboard/audit?q=${mark}`);
    await expectHarmless(page, words.student, words.reason);
    await page.goto('/dashboard/adminhome');
    const waiting = page.getByRole('region', { name: 'Waiting for your decision' });
    for (const text of [`${name} waiting`, words.teacher])
      await expect(visible(waiting, text)).toBeVisible();
    await expectHarmless(page);
    const release = await quarantined(words.reason);
    await page.goto('/dashboard/attention');
    await expectHarmless(page, words.reason);
    await release();
    for (const path of ['manageusers', 'manageclasses', 'payments', 'audit', 'attention']) {
      const all = encodeURIComponent(`'"><script data-injected>injected=1</script>`);
      await page.goto(
        `/dashboard/${path}?q=${all}&sort=${all}&page=${all}&role=${all}&status=${all}`,
      );
      await expectHarmless(page);
    }
    await expect(async () => {
      await page.goto(`/dev/mail?to=${encodeURIComponent(student.email)}`);
      await expectHarmless(page, `Your money back for ${name}`, words.reason);
    }).toPass();
  },
);

/** A cell that a spreadsheet would run. */
const formula = /(^|,)"?[=+@-]/m;

async function exported(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

/**
 * Nine more buyers would make it one of the six on the home page, and take the time of a journey
 * each: they are only counted for a while.
 */
async function whilePopular({ id }: MadeClass, work: () => Promise<void>) {
  const database = await openDatabase();
  const count = (buyers: number) =>
    database.query('update class set capacity = capacity + $2, sold = sold + $2 where id = $1', [
      id,
      buyers,
    ]);
  await count(9);
  try {
    await work();
  } finally {
    await count(-9);
    await database.end();
  }
}

/**
 * A payment that nobody knows cannot be made by buying something: it is written where the
 * reconciliation would write it.
 */
async function quarantined(reason: string): Promise<() => Promise<void>> {
  const database = await openDatabase();
  const intent = `pi_${mark}`;
  await database.query(
    'insert into quarantine (intent_id, amount_cents, currency, reason) values ($1, 100, $2, $3)',
    [intent, 'usd', reason],
  );
  return async () => {
    await database.query('delete from quarantine where intent_id = $1', [intent]);
    await database.end();
  };
}
