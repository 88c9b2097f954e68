// What happens to a class between its instructor and the admin: added once, changed after feedback,
// approved as it was seen, handed over.
import type { Locator, Page } from '@playwright/test';
import { expect, test, expectToast, once, proofOnce, proof } from './fixtures.ts';
import { audit } from './looks.ts';
import { aClass, enter, select, someone, theAdmin, unique } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** The labels of a form's fields, from top to bottom. */
const labelsOf = (form: Locator) =>
  form.evaluate((element) =>
    [...element.querySelectorAll('input, select, textarea')].map(
      (field) => (field as HTMLInputElement).labels?.[0]?.textContent,
    ),
  );

async function fillClass(page: Page, name: string) {
  await page.getByLabel('Class Name').fill(name);
  await page.getByLabel('Photo URL').fill('/media/class/learn-to-swim.webp');
  await page.getByLabel('Price').fill('19.99');
  await page.getByLabel('Available Seats').fill('12');
}

test(
  'the forms of a class have the specified fields in the specified order, and ours after them',
  once,
  async ({ page }) => {
    const instructor = await someone('instructor');
    const { name } = await aClass({ instructor });
    const ours = [
      'Sport',
      'Level',
      'Age from',
      'Age to',
      'Schedule',
      'Place',
      'Description',
      'What to bring',
      'From',
      'Until',
      'Time',
      'Length',
      'Where',
    ];
    await enter(page, instructor);
    await page.goto('/dashboard/addaclass');
    const form = page.getByRole('form', { name: 'Add a Class' });
    await expect(form).toBeVisible();
    const added = [
      'Class Name',
      'Photo URL',
      'Instructor Name',
      'Email',
      'Price',
      'Available Seats',
    ];
    expect(await labelsOf(form)).toEqual([...added, ...ours]);
    await page.goto('/dashboard/myclasses');
    await page.getByRole('link', { name: `Update: ${name}` }).click();
    await expect(page.getByLabel('Class Name')).toHaveValue(name);
    const updated = ['Class Name', 'Price', 'Seat', 'Photo URL'];
    expect(await labelsOf(page.getByRole('form', { name: 'Update Class' }))).toEqual([
      ...updated,
      ...ours,
    ]);
  },
);

test(
  'two clicks in one tick on Add Class send one request and add one class',
  proofOnce,
  async ({ page }) => {
    const instructor = await someone('instructor');
    await enter(page, instructor);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/classes'))
        keys.push(request.headers()['idempotency-key']);
    });
    const button = page.getByRole('button', { name: 'Add Class' });
    for (const word of ['Once', 'Another']) {
      await page.goto('/dashboard/addaclass');
      await fillClass(page, unique(word));
      await button.evaluate((element: HTMLButtonElement) => {
        element.click();
        element.click();
      });
      await expect(page).toHaveURL('/dashboard/myclasses');
    }
    await expect(
      page.getByRole('heading', { level: 1, name: 'Instructor Classes: 2' }),
    ).toBeVisible();
    expect(keys.map((key) => key?.length)).toEqual([36, 36]);
    expect(new Set(keys).size).toBe(2);
  },
);

test('the preview of a class can be reached by neither pointer nor keyboard', async ({ page }) => {
  await enter(page, await someone('instructor'));
  await page.goto('/dashboard/addaclass');
  const preview = page.getByRole('region', { name: 'As visitors will see it' });
  await expect(preview.getByText('The name of your class').first()).toBeVisible();
  for (const control of await preview.locator('a, button').all()) {
    const box = await control.boundingBox();
    if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
  await expect(page).toHaveURL('/dashboard/addaclass');
  const reachable = await preview.evaluate(
    (region) =>
      [...region.querySelectorAll<HTMLElement>('a, button')].filter((element) => {
        element.focus();
        return document.activeElement === element;
      }).length,
  );
  expect(reachable).toBe(0);
});

test(
  'a class that its instructor changes after the feedback waits again, and the admin reads what changed',
  proof,
  async ({ page, browser }) => {
    const { id, name, instructor } = await aClass({ decided: 'deny' });
    const admin = await theAdmin();
    await admin.ask('PATCH', `/classes/feedback/${id}`, { feedback: 'Too late for children.' });
    await enter(page, instructor);
    await page.goto('/dashboard/myclasses');
    await page.getByRole('link', { name: `Update: ${name}` }).click();
    await page.getByLabel('Schedule').fill('Sat 10:00');
    await page.getByLabel('Place').fill('Hall 2');
    await page.getByRole('button', { name: 'Update Class' }).click();
    await expectToast(page, 'This Class is Updated Successfully');
    await page.goto('/dashboard/myclasses');
    await expect(
      page.getByRole('row').filter({ hasText: name }).getByText('pending'),
    ).toBeVisible();

    const theirs = await (await browser.newContext()).newPage();
    await enter(theirs, admin);
    await theirs.goto(`/dashboard/manageclasses?status=pending&q=${encodeURIComponent(name)}`);
    const row = theirs.getByRole('row').filter({ hasText: name });
    await expect(row.getByText('Changed after your feedback: schedule, place')).toBeVisible();
    await row.getByRole('button', { name: `Feedback: ${name}` }).click();
    await expect(theirs.getByRole('textbox', { name: 'Feedback' })).toHaveValue(
      'Too late for children.',
    );
    await theirs.keyboard.press('Escape');
    await row.getByRole('button', { name: `Approve: ${name}` }).click();
    await expect(theirs.getByText('Nothing found')).toBeVisible();
    await theirs.context().close();
  },
);

test(
  'an admin who approves a class that was changed since is shown the change first',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 409/);
    const { id, name, instructor } = await aClass({ decided: null });
    await enter(page, await theAdmin());
    await page.goto(`/dashboard/manageclasses?status=pending&q=${encodeURIComponent(name)}`);
    const approve = page.getByRole('button', { name: `Approve: ${name}` });
    await expect(approve).toBeVisible();
    await instructor.ask('PATCH', `/classes/${id}`, { name: `${name} with a twist` });
    await approve.click();
    await expect(page.getByText('This class was changed since you looked at it.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Approve: ${name} with a twist` }).click();
    await expect(page.getByText('Nothing found')).toBeVisible();
  },
);

test(
  'a parent reads the approved time and place until a change of them is approved',
  proofOnce,
  async ({ page }) => {
    const chosen = await aClass();
    const student = await someone();
    await select(student, chosen);
    await enter(page, student);
    await page.goto('/dashboard/mycart');
    await page.getByRole('link', { name: `Pay: ${chosen.name}` }).click();
    const card = page.frameLocator('iframe[title="Secure card payment input frame"]');
    await card.getByRole('textbox', { name: /card number/ }).fill('4242424242424242');
    await card.getByRole('textbox', { name: /expiration date/ }).fill('12 / 40');
    await card.getByRole('textbox', { name: /security code/ }).fill('123');
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await expect(page).toHaveURL('/dashboard/myselectedclasses');
    await chosen.instructor.ask('PATCH', `/classes/${chosen.id}`, {
      schedule: 'Sat 7:00',
      place: 'Other side of town',
    });
    const row = page.getByRole('row').filter({ hasText: chosen.name });
    await page.goto('/dashboard/myenrolledclasses');
    await expect(row).toContainText(/Mon 16:00.*Court 1/s);
    await (await theAdmin()).ask('PATCH', `/classes/approve/${chosen.id}`);
    await page.reload();
    await expect(row).toContainText(/Sat 7:00.*Other side of town/s);
  },
);

test(
  'an admin is led from an empty /updateclass to Manage Classes, and updates a class from there',
  proofOnce,
  async ({ page }) => {
    const { name } = await aClass();
    await enter(page, await theAdmin());
    await page.goto('/updateclass');
    await page.getByRole('main').getByRole('link', { name: 'Manage Classes' }).click();
    await expect(page).toHaveURL('/dashboard/manageclasses');
    // The public list has fewer fields than the form needs.
    for (const tab of ['', '&status=approved']) {
      await page.goto(`/dashboard/manageclasses?q=${encodeURIComponent(name)}${tab}`);
      await page.getByRole('link', { name: `Update: ${name}` }).click();
      await expect(page.getByLabel('Seat', { exact: true })).toHaveValue('5');
      await expect(page.getByText('until the office has approved')).toBeHidden();
    }
    await page.getByLabel('Place').fill('Court 9');
    await page.getByRole('button', { name: 'Update Class' }).click();
    await expectToast(page, 'This Class is Updated Successfully');
    await page.getByRole('link', { name: 'Back to Manage Classes' }).click();
    await expect(page).toHaveURL('/dashboard/manageclasses');
  },
);

test('an admin hands a class over to another instructor', proof, async ({ page }) => {
  const { name } = await aClass();
  const next = await someone('instructor');
  await enter(page, await theAdmin());
  await page.goto(`/dashboard/manageclasses?q=${encodeURIComponent(name)}`);
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByRole('button', { name: `Hand over: ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Hand over ${name}` });
  await dialog.getByLabel('Find').fill(next.name);
  await dialog.getByLabel('New instructor').selectOption({ label: `${next.name} (${next.email})` });
  await audit(page);
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByText(next.name)).toBeVisible();
});
