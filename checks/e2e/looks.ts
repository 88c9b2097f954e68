// What every page must pass: axe finds nothing, and nothing is wider than the screen.
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectToFit } from './fixtures.ts';

/** Each page is audited in both themes: dark on the phone, light on the desktop. */
export const themeOf = (project: string) => (project === 'phone' ? 'dark' : 'light');

export async function audit(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectToFit(page);
  await page.evaluate((theme) => {
    // Without transitions: during one, the colours belong to neither theme.
    const still = new CSSStyleSheet();
    still.replaceSync(
      '*, ::before, ::after { transition: none !important; animation: none !important }',
    );
    document.adoptedStyleSheets.push(still);
    document.documentElement.dataset['theme'] = theme;
  }, themeOf(test.info().project.name));
  await cardFrameFollows(page);
  await expectAccessible(page);
}

/** The one thing that a page is for is loud. */
export async function expectOneSolidButton(page: Page) {
  const solid = await page.locator('.btn-primary').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { width, top, bottom } = button.getBoundingClientRect();
        return width > 1 && bottom > 0 && top < innerHeight;
      })
      .map(({ textContent }) => textContent),
  );
  expect(solid.slice(1), 'further solid buttons').toEqual([]);
}

/** Messages change the theme of the card frame; until the last one it has colours of both themes. */
async function cardFrameFollows(page: Page) {
  const frame = page.locator('iframe[title="Secure card payment input frame"]');
  if ((await frame.count()) === 0) return;
  await expect(async () => {
    const theme = await frame.evaluate((element) => {
      const ground = element.closest('.bg-base-100');
      const dark = document.documentElement.dataset['theme'] === 'dark';
      return `${dark ? '#eaf2ec' : '#14213d'} on ${ground && getComputedStyle(ground).backgroundColor}`;
    });
    await expect(frame.contentFrame().locator('html')).toHaveAttribute('data-look', theme, {
      timeout: 1_000,
    });
  }).toPass();
}
