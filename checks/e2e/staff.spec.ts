// Staff: an admin's Monday, a blocked person, an invitation that is accepted.
import { expect, expectToast, once, phone, proofOnce, test } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, mailedLink, someone, theAdmin, unique } from './people.ts';
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
  await audit(admin);

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

test('a blocked person is told where to write', phone, async ({ page, expected }) => {
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
