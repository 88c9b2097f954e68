// Staff: an admin's Monday, an invitation that is accepted, a parent who becomes an instructor, an
// announcement to a class.
import { expect, expectToast, once, proofOnce, test } from './fixtures.ts';
import { audit } from './looks.ts';
import {
  aClass,
  confirmed,
  enter,
  mailedLink,
  select,
  someone,
  theAdmin,
  unique,
} from './people.ts';
import { aLesson } from './rollcalls.ts';
import { aBuyer } from './till.ts';

test("an admin's Monday", once, async ({ page: admin }) => {
  const { student, chosen } = await aBuyer();
  const coach = chosen.instructor;
  const next = await someone('instructor');
  const waiting = [];
  for (let n = 0; n < 3; n++) waiting.push(await aClass({ instructor: coach, decided: null }));

  await enter(admin, await theAdmin());

  // Three classes are read, then approved.
  for (const { id, name } of waiting) {
    await admin.goto(`/dashboard/manageclasses/${id}`);
    await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible();
    const approve = admin.getByRole('button', { name: `Approve: ${name}` });
    await approve.click();
    await expect(approve).toBeDisabled();
  }

  // Their instructor cannot be demoted before another one teaches the student.
  await admin.goto(`/dashboard/manageusers?q=${encodeURIComponent(coach.email)}`);
  await admin.getByRole('link', { name: coach.name }).click();
  await expect(admin.getByRole('heading', { name: coach.name, level: 1 })).toBeVisible();
  await audit(admin);
  await admin.getByRole('button', { name: 'Make Student' }).click();
  await expect(admin.getByRole('alert')).toContainText('teaches a class with students');
  await admin.getByRole('button', { name: 'Hand over the classes' }).click();
  const handOver = admin.getByRole('dialog', { name: `Hand over the classes of ${coach.name}` });
  await handOver.getByLabel('Find').fill(next.name);
  await handOver.getByLabel('New instructor').selectOption(next.id);
  await audit(admin);
  await handOver.getByRole('button', { name: 'Hand over 4 classes' }).click();
  await expect(handOver).toBeHidden();
  await admin.getByRole('button', { name: 'Make Student' }).click();
  const question = admin.getByRole('dialog', { name: `Make ${coach.name} a Student?` });
  await question.getByRole('button', { name: 'Make Student' }).click();
  await expectToast(admin, `${coach.name} is a Student Now!`);

  // Blocked, they are out at once and are told so.
  await admin.getByRole('button', { name: 'Block', exact: true }).click();
  const block = admin.getByRole('dialog', { name: `Block ${coach.name}?` });
  await block.getByLabel('Reason').fill('Left without a word.');
  await block.getByRole('button', { name: 'Block' }).click();
  await expect(admin.getByText(/^Blocked /)).toBeVisible();
  await audit(admin);

  // A part of the payment goes back.
  await admin.goto(`/dashboard/payments?q=${encodeURIComponent(student.email)}`);
  await expect(admin.getByText(/1 found: \$49\.00/)).toBeVisible();
  await audit(admin);
  await admin.getByRole('link', { name: chosen.name }).click();
  await admin.getByRole('button', { name: `Refund a part: ${chosen.name}` }).click();
  const part = admin.getByRole('dialog');
  await part.getByLabel('Back to the card').fill('9');
  await part.getByLabel('Reason').fill('Rain.');
  await part.getByRole('button', { name: 'Refund $9.00' }).click();
  await expect(part).toBeHidden();
  await admin.goto(`/dashboard/payments?q=${encodeURIComponent(student.email)}`);
  await expect(
    admin.getByText(/1 found: \$40\.00 \(\$49\.00 paid, \$9\.00 refunded\)/),
  ).toBeVisible();
  const spreadsheet = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Export CSV' }).click();
  expect((await spreadsheet).suggestedFilename()).toBe('payments.csv');

  // The log has it all, by whom and by what, with links.
  await admin.goto('/dashboard/audit?topic=accounts');
  const line = admin.getByRole('row').filter({ hasText: 'Left without a word.' });
  await expect(line).toContainText('account blocked');
  await admin.getByLabel('When').selectOption('7 days');
  await expect(admin).toHaveURL(/from=\d{4}-\d\d-\d\d/);
  await expect(line).toBeVisible();
  await audit(admin);
  await line.getByRole('link', { name: 'User: account blocked' }).click();
  await expect(admin.getByRole('heading', { name: coach.name, level: 1 })).toBeVisible();
});

test('a blocked person is told where to write', once, async ({ page, expected }) => {
  expected.push(/409/);
  const person = await someone();
  await (await theAdmin()).ask('PATCH', `/users/block/${person.id}`, {});
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('Tennis#2026');
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('This account is blocked. Write to');
  await audit(page);
});

test(
  'an instructor is invited, joins, and has the menu of one',
  proofOnce,
  async ({ page: admin, browser }) => {
    await enter(admin, await theAdmin());
    const email = `${unique('carla').replace(' ', '.')}@example.com`;
    await admin.goto('/dashboard/manageusers');
    await admin.getByRole('button', { name: 'Invite staff' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Invite staff' });
    await dialog.getByLabel('Email').fill(email);
    await audit(admin);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expectToast(admin, 'Invitation sent');
    await expect(admin.getByRole('button', { name: `Withdraw: ${email}` })).toBeVisible();
    await audit(admin);
    const page = await (await browser.newContext()).newPage();
    await page.goto(await mailedLink(email, '/join'));
    await expect(page).toHaveURL('/join');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await page.getByLabel('Name').fill('Carla Coach');
    await page.getByLabel('Password', { exact: true }).fill('Lob&Volley7');
    await page.getByLabel('Confirm Password').fill('Lob&Volley7');
    await audit(page);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await expect(page).toHaveURL('/dashboard/myclasses');
    await expect(page.getByRole('link', { name: 'Add a Class' }).first()).toBeVisible();
    await page.context().close();
  },
);

test('a parent turned instructor keeps the cart, and has both menus', once, async ({ page }) => {
  const parent = await someone();
  const wanted = await aClass();
  await select(parent, wanted);
  await (await theAdmin()).ask('PATCH', `/users/instructor/${parent.id}`);
  await enter(page, parent);
  await page.goto('/dashboard/mycart');
  await expect(page.getByRole('row').filter({ hasText: wanted.name })).toBeVisible();
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(menu.getByRole('link', { name: 'Add a Class' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'My Cart' })).toBeVisible();
});

test(
  'an instructor writes to a class, and the parent reads it',
  proofOnce,
  async ({ page: coach, browser }) => {
    const { klass, instructor, parent } = await aLesson(1);
    await enter(coach, await confirmed(instructor));
    await coach.goto('/dashboard/myclasses');
    await coach.getByRole('button', { name: `Write to families: ${klass.name}` }).click();
    const dialog = coach.getByRole('dialog', { name: `Write to the families of ${klass.name}` });
    await dialog.getByLabel('Subject').fill('Two bottles of water');
    await dialog.getByLabel('Text').fill('It will be hot.\nPlease bring two.');
    await expect(dialog.getByText('1 family will get it.')).toBeVisible();
    await expect(dialog.getByRole('region', { name: 'As a mail' })).toContainText(
      'It will be hot.',
    );
    await audit(coach);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expectToast(coach, 'Sent to 1 family');

    const family = await (await browser.newContext()).newPage();
    const mail = family.getByRole('article').filter({ hasText: 'Two bottles of water' });
    await expect(async () => {
      await family.goto(`/dev/mail?to=${encodeURIComponent(parent.email)}`);
      await expect(mail).toHaveCount(1, { timeout: 500 });
    }).toPass();
    await expect(mail).toContainText(`${instructor.name} writes to the families of ${klass.name}:`);
    await expect(mail).toContainText('Please bring two.');
    await enter(family, parent);
    await mail.getByRole('link').first().click();
    await expect(family).toHaveURL('/dashboard/myenrolledclasses');
    await family.getByText('1 announcement: Two bottles of water').click();
    await expect(family.getByText('Please bring two.')).toBeVisible();
    await audit(family);
    await family.context().close();
  },
);
