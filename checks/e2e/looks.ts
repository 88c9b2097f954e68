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
  expect(await paleEdges(page), 'edges of fields below 3 : 1').toEqual([]);
}

/** The edge of a field against what is around it (WCAG 1.4.11). */
const paleEdges = (page: Page) =>
  page.locator(':is(.input, .select, .textarea, .checkbox):enabled').evaluateAll((fields) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const lightOf = (colour: string) => {
      if (!canvas) return 0;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const groundOf = (element: Element | null): string => {
      const ground = element ? getComputedStyle(element).backgroundColor : 'white';
      return /, 0\)$|\/ 0\)$|^transparent/.test(ground)
        ? groundOf(element?.parentElement ?? null)
        : ground;
    };
    return fields
      .filter((field) => field.checkVisibility() && !field.matches(':checked'))
      .map((field) => {
        const edge = lightOf(getComputedStyle(field).borderTopColor);
        const ground = lightOf(groundOf(field.parentElement));
        const ratio = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05);
        return { field: field.className, ratio };
      })
      .filter(({ ratio }) => ratio < 3);
  });

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

/** Text of 200 % is for the desktop: on a phone one zooms. */
export async function expectToFitTwiceAsLarge(page: Page) {
  if (test.info().project.name === 'phone') return;
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expectToFit(page);
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
