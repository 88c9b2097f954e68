// Questions, news and toasts: what they say is in the journeys; here is how they behave.
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectToFit,
  once,
  proofOnce,
  test,
  toastOf,
  proof,
} from './fixtures.ts';
import { themeOf } from './looks.ts';
import { aClass, enter, select, someone, theAdmin } from './people.ts';

test.beforeEach(({ page }, { project }) =>
  page.emulateMedia({ colorScheme: themeOf(project.name), reducedMotion: 'reduce' }),
);

async function inTheCart(page: Page, count: number) {
  const student = await someone();
  const instructor = await someone('instructor');
  const chosen = [];
  for (let made = 0; made < count; made += 1) chosen.push(await aClass({ instructor }));
  for (const one of chosen) await select(student, one);
  await enter(page, student);
  await page.goto('/dashboard/mycart');
  await expect(page.getByRole('rowheader')).toHaveCount(count);
  return chosen;
}

/** Success toasts stay for a minute. */
const keepToasts = (page: Page) =>
  page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = ((run: () => void, ms?: number) =>
      wait(run, ms === 1_500 ? 60_000 : ms)) as typeof setTimeout;
  });

test('a question that is asked again at once works like the first', proofOnce, async ({ page }) => {
  const [one] = await inTheCart(page, 1);
  const remove = page.getByRole('button', { name: `Delete: ${one?.name}` });
  // In the page, so that nothing waits between the clicks.
  await remove.evaluate(async (button: HTMLElement) => {
    const answers = [...Array<string>(10).fill('Cancel'), 'Yes, delete it!'];
    for (const answer of answers) {
      button.click();
      let found: HTMLElement | undefined;
      while (!found) {
        await new Promise(requestAnimationFrame);
        found = [...document.querySelectorAll('button')].find(
          ({ textContent }) => textContent === answer,
        );
      }
      found.click();
    }
  });
  await expect(page.getByText('Your file has been deleted.')).toBeVisible();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Please select a course')).toBeVisible();
});

test('a question has the focus on Cancel, keeps Tab inside, and is answered no by Escape and by a click outside it', async ({
  page,
}) => {
  const [one] = await inTheCart(page, 1);
  const remove = page.getByRole('button', { name: `Delete: ${one?.name}` });
  const question = page.getByRole('dialog', { name: 'Are you sure?' });
  for (const sayNo of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await remove.click();
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(question.getByRole('button', { name: 'Yes, delete it!' })).toBeFocused();
    await sayNo();
    await expect(question).toHaveCount(0);
    await expect(remove).toBeFocused();
  }
  await expect(page.getByRole('rowheader')).toHaveCount(1);
});

test(
  'the focus goes to the content when the element that had it is gone',
  proofOnce,
  async ({ page }) => {
    const [one] = await inTheCart(page, 2);
    await page.getByRole('button', { name: `Delete: ${one?.name}` }).click();
    await page.getByRole('button', { name: 'Yes, delete it!' }).click();
    await expect(
      page
        .getByRole('dialog', { name: 'Deleted!' })
        .getByRole('button', { name: 'OK', exact: true }),
    ).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  },
);

test(
  'questions, news and toasts are accessible and fit the screen',
  proof,
  async ({ page, expected }) => {
    expected.push(/status of 409/);
    const [one] = await inTheCart(page, 1);
    await page.getByRole('button', { name: `Delete: ${one?.name}` }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Yes, delete it!' }).click();
    await expect(page.getByRole('dialog', { name: 'Deleted!' })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page);

    await keepToasts(page);
    await page.goto(`/classes/${(await aClass()).id}`);
    await page.getByRole('button', { name: /^Select/ }).click();
    await expect(toastOf(page)).toHaveText('Class added to your  cart succesfully.');
    await expectAccessible(page);
    await expectToFit(page);
  },
);

test(
  'a success toast is at top-end, lets clicks through, and is gone after 1500 ms',
  once,
  async ({ page }) => {
    const chosen = await aClass();
    await enter(page, await someone());
    await page.clock.install();
    await page.goto(`/classes/${chosen.id}`);
    await expect(page.getByRole('banner').getByRole('link', { name: /^Cart/ })).toBeVisible();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: /^Select/ }).click();
    const toast = toastOf(page);
    await expect(async () => {
      await page.clock.runFor(10);
      expect(await toast.count()).toBe(1);
    }).toPass();
    await expect(toast).toHaveText('Class added to your  cart succesfully.');
    await expect(page.locator('#toasts').getByRole('button')).toHaveCount(0);

    const { x, y, width, height } = (await toast.boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    expect((page.viewportSize()?.width ?? 0) - (x + width)).toBeLessThan(48);
    expect(y + height).toBeLessThan(160);
    expect(
      await page.evaluate(
        ([left, top]) => !!document.elementFromPoint(left, top)?.closest('#toasts'),
        [x, y] as const,
      ),
    ).toBe(false);

    await page.clock.runFor(1_400);
    await expect(toast).toBeVisible();
    await page.clock.runFor(110);
    await expect(toast).toHaveCount(0);
  },
);

test('a toast is seen above a dialog that was opened before it', proofOnce, async ({ page }) => {
  const chosen = await aClass({ decided: null });
  await keepToasts(page);
  await enter(page, await theAdmin());
  await page.goto(`/dashboard/manageclasses?q=${encodeURIComponent(chosen.name)}`);
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/classes/approve/*', async (route) => {
    await answer.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: `Approve: ${chosen.name}` }).click();
  await page.getByRole('button', { name: `Feedback: ${chosen.name}` }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  answer.resolve();
  await expect(toastOf(page)).toHaveText('Approved');
  const { x, y } = (await toastOf(page).boundingBox()) ?? { x: 0, y: 0 };
  // The corner above the words has the colour of the toast alone, unless the dialog's backdrop
  // darkens it.
  const corner = () => page.screenshot({ clip: { x, y: y - 6, width: 4, height: 4 } });
  const withDialog = await corner();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(withDialog.equals(await corner())).toBe(true);
});

const parts = /[/]assets[/]MessageParts-/;

test(
  'a toast that comes before its part has loaded is shown when it has',
  proofOnce,
  async ({ page }) => {
    const arrival = Promise.withResolvers<void>();
    await page.route(parts, async (route) => {
      await arrival.promise;
      await route.fallback();
    });
    const chosen = await aClass();
    await keepToasts(page);
    await enter(page, await someone());
    await page.goto(`/classes/${chosen.id}`);
    await page.getByRole('button', { name: /^Select/ }).click();
    await expect(
      page.getByRole('banner').getByRole('link', { name: 'Cart, 1 class', exact: true }),
    ).toBeVisible();
    await expect(page.locator('#toasts')).toHaveText('');
    arrival.resolve();
    await expect(toastOf(page)).toHaveText('Class added to your  cart succesfully.');
  },
);

test(
  'a page that has lost its connection can ask and tell',
  once,
  async ({ page, context, expected }) => {
    expected.push(/ERR_INTERNET_DISCONNECTED/);
    const arrived = page.waitForResponse(parts);
    const [one] = await inTheCart(page, 1);
    await (await arrived).finished();
    await context.setOffline(true);
    await page.getByRole('button', { name: `Delete: ${one?.name}` }).click();
    const question = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await context.setOffline(false);
  },
);

test(
  "the browser's own dialogs ask where ours could not be loaded, and ours do once they could",
  proofOnce,
  async ({ page, expected }) => {
    expected.push(/ERR_FAILED/);
    await page.route(parts, (route) => route.abort());
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(`${dialog.type()}: ${dialog.message()}`);
      void dialog.accept();
    });
    const [one, two] = await inTheCart(page, 2);
    await page.getByRole('button', { name: `Delete: ${one?.name}` }).click();
    await expect(page.getByRole('rowheader')).toHaveCount(1);
    await expect
      .poll(() => asked)
      .toEqual([
        "confirm: Are you sure?\n\nYou won't be able to revert this!",
        'alert: Deleted!\n\nYour file has been deleted.',
      ]);
    await page.unroute(parts);
    await page.getByRole('button', { name: `Delete: ${two?.name}` }).click();
    await expect(page.getByRole('dialog', { name: 'Are you sure?' })).toBeVisible();
    expect(asked).toHaveLength(2);
  },
);
