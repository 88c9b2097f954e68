// The same text as in injection.spec.ts on the dashboards of the three roles.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectToast, longProofOnce, test } from './fixtures.ts';
import { openDatabase } from './leftovers.ts';
import { enter, theAdmin } from './people.ts';
import { image, injections, expectHarmless, visible, watch, type World } from './injections.ts';

// One after another in one worker: what is planted is planted once. The width of the screen changes
// nothing about it.
test.describe.configure({ mode: 'default' });

const { mark, words, plant } = injections();
let world: World;

test.beforeAll(async ({ request }) => {
  world = await plant(request);
});
test.beforeEach(({ page }) => watch(page));

test(
  'a student reads it as text, from the cart to the receipt and the mail',
  longProofOnce,
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
  longProofOnce,
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
      ['Age from', ages],
      ['Schedule', schedule],
      ['Place', place],
      ['Description', description],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(text);
    const preview = page.getByRole('region', { name: 'As visitors will see it' });
    for (const text of [`${words.name} typed`, words.teacher, schedule])
      await expect(visible(preview, text)).toBeVisible();
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectHarmless(page, 'Photo URL must be an https:// address of a picture');
    for (const label of ['Price', 'Available Seats', 'Age from'])
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Photo URL').fill(words.picture);
    await page.getByLabel('Price').fill('49');
    await page.getByLabel('Available Seats').fill('5');
    await page.getByLabel('Age from').fill('');
    await page.getByRole('button', { name: 'Add Class' }).click();
    await expectToast(page, 'Class added successfully');
    await expectHarmless(page);
    await page.goto('/dashboard/myclasses');
    await expectHarmless(page, `${words.name} typed`);
    await page.getByRole('link', { name: `Update: ${words.name} typed` }).click();
    for (const [label, text] of Object.entries({
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
  longProofOnce,
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
      await expectHarmless(page, `Refund for ${name}`, words.reason);
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
 * A payment that belongs to no student cannot be made by buying: the row is written as the
 * reconciliation writes it.
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
