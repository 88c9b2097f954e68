// The inventory of the payment page's scripts and headers (docs/security.md). A change of either
// must be reviewed and added here.
import { expect, test, once } from './fixtures.ts';
import { aClass, enter, select, someone } from './people.ts';

test(
  'the payment page runs our scripts and those of the card form',
  once,
  async ({ page, baseURL }) => {
    const student = await someone();
    const chosen = await aClass();
    await select(student, chosen);
    await enter(page, student);
    const scripts = new Set<string>();
    const inTheFrame = new Set<string>();
    const frames = new Set<string>();
    const origins = new Set<string>();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol)) origins.add(url.origin);
      const ours = request.frame() === page.mainFrame();
      if (request.resourceType() === 'script')
        (ours ? scripts : inTheFrame).add(
          url.pathname.replace(/^\/assets\/[\w.-]+\.js$/, '/assets/*.js'),
        );
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) frames.add(new URL(frame.url()).pathname);
    });
    await page.goto('/dashboard/mycart');
    await page.getByRole('link', { name: `Pay: ${chosen.name}` }).click();
    const card = page.frameLocator('iframe[title="Secure card payment input frame"]');
    await expect(card.getByRole('textbox', { name: /card number/ })).toBeVisible();
    expect([...scripts].toSorted()).toEqual(['/assets/*.js', '/sandbox/stripe.js']);
    await expect
      .poll(() => [...inTheFrame].toSorted())
      .toEqual(['/sandbox/elements/card.js', '/sandbox/elements/fields.js']);
    expect([...frames].filter((path) => !path.startsWith('/sandbox/elements/'))).toEqual([]);
    expect(frames.size).toBe(1);
    expect([...origins]).toEqual([baseURL]);
    // The page itself has no field for a card.
    expect(await page.locator('input[autocomplete^="cc-"], input[name*="card" i]').count()).toBe(0);
  },
);

test("the payment page's headers are these", once, async ({ request }) => {
  const headers = (await request.get('/dashboard/payment')).headers();
  const policy = headers['content-security-policy']?.replace(/'sha256-[\w+/=]+'/g, "'hash'");
  expect(policy?.split(';')).toEqual([
    "default-src 'none'",
    "script-src 'hash' 'hash' 'self' 'strict-dynamic'",
    "connect-src 'self'",
    "frame-src 'self'",
    "img-src 'self' https: data:",
    "style-src 'self' 'hash'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  });
});
