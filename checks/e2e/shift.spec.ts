// Nothing moves while a page loads, however late its fonts come.
import { expect, once, proofOnce, test } from './fixtures.ts';
import { enter, someone } from './people.ts';

for (const path of ['/', '/classes', '/login', '/dashboard/mycart'])
  for (const width of [390, 1280])
    test(
      `${path} at ${width} px: nothing moves when the fonts arrive after everything else`,
      width === 390 ? once : proofOnce,
      async ({ page }) => {
        await page.setViewportSize({ width, height: 844 });
        if (path.startsWith('/dashboard')) await enter(page, await someone());
        const fonts = Promise.withResolvers<void>();
        await page.route('**/*.woff2', async (route) => {
          await fonts.promise;
          await route.continue();
        });
        await page.addInitScript(() => {
          const shifts: number[] = [];
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              shifts.push((entry as unknown as { value: number }).value);
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const loaded = () =>
          page.evaluate(() =>
            [...document.fonts]
              .filter(({ status }) => status === 'loaded')
              .map(({ family }) => family),
          );
        expect(await loaded()).not.toContain('Figtree Variable');
        fonts.resolve();
        for (const family of ['Figtree Variable', 'Bricolage Grotesque Variable'])
          await expect.poll(loaded).toContain(family);
        // The entries of a frame are told of after it.
        await page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const shifts = await page.evaluate(
          () => (window as unknown as { shifts: number[] }).shifts,
        );
        const sum = shifts.reduce((total, value) => total + value, 0);
        expect(sum, `layout shifts of ${path}: ${shifts.join(', ')}`).toBeLessThan(0.001);
      },
    );

test(
  'a dashboard that is opened again has our fonts from the first paint',
  once,
  async ({ page }) => {
    await enter(page, await someone());
    await page.goto('/dashboard/mycart');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('fonts'))).toBe('kept');
    await page.reload({ waitUntil: 'domcontentloaded' });
    const isLate = await page.evaluate(() => 'fonts' in document.documentElement.dataset);
    expect(isLate).toBe(false);
  },
);
