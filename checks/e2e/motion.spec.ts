// What moves, and that nothing does with reduced motion set.
import { expect, proofOnce, test } from './fixtures.ts';

for (const reducedMotion of ['reduce', 'no-preference'] as const)
  test.describe(`with motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test(
      'the slider glides for 350 ms or not at all, and so does everything else',
      proofOnce,
      async ({ page }) => {
        const still = reducedMotion === 'reduce';
        await page.goto('/');
        const next = page.getByRole('button', { name: 'Next picture' });
        await next.click();
        await expect(page.getByText('2 of 4')).toBeVisible();
        const track = page.getByRole('region', { name: /use the arrow keys/ });
        const place = () => track.evaluate((box) => box.scrollLeft / box.clientWidth);
        await expect.poll(place).toBe(1);
        await page.clock.install();
        await page.clock.pauseAt(Date.now() + 60_000);
        await next.click();
        await page.clock.runFor(100);
        expect((await place()) === 2).toBe(still);
        await page.clock.runFor(300);
        await expect.poll(place).toBe(2);
        const moving = await page.evaluate(
          () =>
            [...document.querySelectorAll('*')].filter((element) => {
              const { transitionDuration, animationDuration } = getComputedStyle(element);
              return `${transitionDuration},${animationDuration}`
                .split(',')
                .some((time) => Number.parseFloat(time) > 0.001);
            }).length,
        );
        if (still) expect(moving).toBe(0);
        else expect(moving).toBeGreaterThan(0);
      },
    );
  });
