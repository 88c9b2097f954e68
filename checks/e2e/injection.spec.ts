// Text that looks like markup, script, SQL or a formula, planted in every field that takes text and
// read on the pages of all roles: shown word for word, and doing nothing.
import type { Locator, Page } from '@playwright/test';
import { elsewhere, expect, expectToast, proofOnce, test } from './fixtures.ts';
import { aClass, enter, select, someone, theAdmin, unique } from './people.ts';
import { buy } from './till.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const mark = unique('m').replace(' ', '').toLowerCase();
const image = '<img src=x data-injected onerror=injected=1>';
const script = '</script><script data-injected>injected=1</script>';
const link = `<a data-injected href="javascript:injected=1">${mark}</a>`;
const words = {
  teacher: `=cmd|' /C calc'!A1 ${image} ${mark}`,
  student: `@SUM(1) </title>${script} ${mark}`,
  name: `+1 ${script} ' OR 1=1;-- ${mark}`,
  ages: `"><i data-injected>`,
  schedule: `-1'); DROP TABLE class; --<b data-injected> ${mark}`,
  place: `../../../etc/passwd%00<u data-injected> ${mark}`,
  description: `{{7*7}} \${7*7} <!-- ]]> ${image} ${script} javascript:injected=1 ${link}`,
  feedback: `${image}${script} ${mark} feedback`,
  picture: `${elsewhere}${mark}.png?"onerror="injected=1"data-injected="'><b data-injected>`,
};

async function plant() {
  const { teacher: name, student: other, feedback, picture: img, ...texts } = words;
  const teacher = await someone('instructor', { name, image: img });
  const student = await someone('student', { name: other, image: img });
  const { id } = await aClass({ instructor: teacher });
  await teacher.ask('PATCH', `/classes/${id}`, { ...texts, img });
  const admin = await theAdmin();
  await admin.ask('PATCH', `/classes/approve/${id}`);
  await admin.ask('PATCH', `/classes/feedback/${id}`, { feedback });
  await select(student, { id, name: words.name, instructor: teacher });
  return { teacher, student, admin, id };
}

const visible = (at: Page | Locator, text: string) =>
  at.getByText(text).filter({ visible: true }).first();

const traces = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('[data-injected]')].map((element) => element.outerHTML),
    ...('injected' in window ? ['a script ran'] : []),
  ]);

/** The page is rendered and shows these words as they were written, and none of them ran. */
async function expectHarmless(page: Page, address: string, ...shown: string[]) {
  if (address) await page.goto(address);
  for (const text of shown) await expect(visible(page, text)).toBeVisible();
  await expect(page.locator('h1')).toBeVisible();
  expect(await traces(page)).toEqual([]);
}

test(
  'what people write is text on the pages of all roles',
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/status of 40[0-4]/);
    page.on('dialog', (dialog) => {
      throw new Error(`A dialog opened: ${dialog.message()}`);
    });
    await page.route(`${elsewhere}**`, (route) => route.fulfill({ path: 'web/public/icon.svg' }));
    const { teacher, student, admin, id } = await plant();
    const { name, ages, schedule, place, description } = words;

    // As a visitor. The page of a class has the words in its head and in its data, too.
    await expectHarmless(
      page,
      `/classes?search=${mark}&sort=new`,
      name,
      words.teacher,
      ages,
      schedule,
    );
    const facts = [name, words.teacher, ages, schedule, place, description];
    await expectHarmless(page, `/classes/${id}`, ...facts);
    await expect(page).toHaveTitle(`Rally Sports Academy | ${name}`);
    const data = await page.locator('script[type="application/ld+json"]').textContent();
    expect(JSON.parse(data ?? '')).toMatchObject({ name, description });
    const html = await (await page.request.get(`/classes/${id}`)).text();
    expect(html).not.toMatch(/<\w+ (src=x )?data-injected/);
    const all = encodeURIComponent(`'"><script data-injected>injected=1</script>${image}../../x`);
    for (const address of [
      'classes?search=',
      'classes/',
      'resetpassword?token=',
      'login?error=',
      '',
    ])
      await expectHarmless(page, `/${address}${all}`);

    await enter(page, student);
    await expectHarmless(page, '/dashboard/userhome', `Welcome, ${words.student}`);
    await expectHarmless(page, '/dashboard/mycart', name);
    await buy(student, id, 49);
    await expectHarmless(page, '/dashboard/myenrolledclasses', name, schedule);
    await expectHarmless(page, '/dashboard/paymenthistory', name, words.student);
    await expectHarmless(page, '/dashboard/account');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(words.student);

    await page.context().clearCookies();
    await enter(page, teacher);
    await expectHarmless(page, '/dashboard/myclasses', name);
    await page.getByRole('button', { name: `Feedback: ${name}` }).click();
    await expectHarmless(page, '', words.feedback);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `Update: ${name}` }).click();
    await expect(page.getByLabel('Description')).toHaveValue(description);
    await expectHarmless(page, '');

    await page.context().clearCookies();
    await enter(page, admin);
    await expectHarmless(page, `/dashboard/manageclasses?q=${mark}`, name, words.teacher);
    await expectHarmless(page, `/dashboard/manageusers?q=${mark}`, words.teacher, words.student);
    const row = page.getByRole('row').filter({ hasText: student.email });
    await row.getByRole('button', { name: 'Make Instructor' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Make Instructor/ })
      .click();
    await expectToast(page, `${words.student} is an Instructor Now!`);
    await expectHarmless(page, '/dashboard/payments', name, words.student);
    await expectHarmless(page, `/dashboard/audit?q=${mark}`, words.student);
    const mails = `/dev/mail?to=${encodeURIComponent(student.email)}`;
    await expect(() => expectHarmless(page, mails, `Your receipt for ${name}`)).toPass();
  },
);

test('markup and scripts would be found', proofOnce, async ({ page, expected }) => {
  expected.push(/CSP: script-src|Content Security Policy|status of 404/);
  await page.goto('/dev/mail?to=none');
  await page.evaluate(
    (markup) => document.querySelector('main')?.insertAdjacentHTML('beforeend', markup),
    image,
  );
  await page.evaluate(() => Object.assign(window, { injected: 1 }));
  expect(await traces(page)).toEqual([expect.stringContaining('data-injected'), 'a script ran']);
});
