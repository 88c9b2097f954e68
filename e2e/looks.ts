// How a page must look to everybody: nothing that axe finds in either theme, and nothing wider than the screen.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectToFit } from './fixtures.ts';

export async function audit(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectToFit(page);
  // Colours flow from one theme into the other; what is read on the way is neither.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  for (const [theme, rules] of [
    ['light', undefined],
    // The same page in other colours: only what depends on them is asked again.
    ['dark', ['color-contrast', 'link-in-text-block']],
  ] as const) {
    await page.evaluate((next) => {
      document.documentElement.dataset['theme'] = next;
    }, theme);
    await expectAccessible(page, rules);
  }
}
