// What a visitor without an account sees: home, navigation, search engines, the error page.
import { createHash } from 'node:crypto';
import { expect, once, openMenu, test, proof, proofOnce } from './fixtures.ts';

test('the home page shows what is popular, answers a parent, and thanks the sponsors', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Rally Sports Academy | Home');
  await expect(page.getByRole('heading', { name: 'Popular Courses' })).toBeVisible();
  await expect(page.getByText('All Popular Classes or Courses is here.....')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Popular Instructors' })).toBeVisible();
  await expect(page.getByText('All our Hero instructors.....')).toBeVisible();
  const sponsors = page.getByRole('region', { name: 'Our Valuable Sponsors' });
  await expect(sponsors.getByRole('heading')).toHaveCSS('text-transform', 'uppercase');
  await expect(sponsors).toContainText('World best companys trust us.....');
  await expect(sponsors.getByRole('img')).toHaveCount(6);
  await expect(page.getByRole('heading', { name: 'Before you book' })).toBeVisible();
  const card = page.getByRole('article').first();
  for (const text of ['Instructor', 'Available Seats', 'Price'])
    await expect(card).toContainText(text);
  const instructor = page.getByRole('article').filter({ hasText: 'See Classes' }).first();
  for (const text of ['Name', 'Email'])
    await expect(instructor.getByText(text, { exact: true })).toBeVisible();
  await page.getByText('Can I get my money back?').click();
  await expect(page.getByRole('link', { name: 'hello@rally.test' })).toHaveAttribute(
    'href',
    'mailto:hello@rally.test',
  );
});

test('navbar and footer lead everywhere, in the order of the specification', async ({ page }) => {
  await page.goto('/');
  await openMenu(page);
  const menu = page.getByRole('navigation', { name: /^(Main|Menu)$/ });
  await expect(menu.getByRole('link')).toHaveText(['Home', 'Instructors', 'Classes']);
  await menu.getByRole('link', { name: 'Instructors' }).click();
  await expect(page).toHaveTitle('Rally Sports Academy | Instructors');
  await openMenu(page);
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveTitle('Rally Sports Academy | Login');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link')).toHaveText([
    'Home',
    'Instructors',
    'Classes',
    'Signup',
    'Contact',
  ]);
  await expect(footer).toContainText(/About us\s*Contact\s*Jobs\s*Lisbon, Portugal/);
});

test(
  'the slider goes by arrow, dot, thumbnail, key and swipe, and around',
  proof,
  async ({ page }) => {
    await page.goto('/');
    const slider = page.getByRole('region', { name: 'Our sports in pictures', exact: true });
    const status = slider.getByRole('status');
    await expect(status).toHaveText('1 of 4');
    await slider.getByRole('button', { name: 'Next picture' }).click();
    await expect(status).toHaveText('2 of 4');
    await slider.getByRole('button', { name: 'Show picture 4' }).click();
    await expect(status).toHaveText('4 of 4');
    await slider.getByRole('button', { name: 'Next picture' }).click();
    await expect(status).toHaveText('1 of 4');
    await slider.getByRole('button', { name: /Thumbnail 3/ }).click();
    await expect(status).toHaveText('3 of 4');
    const track = slider.getByRole('region');
    await track.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(status).toHaveText('2 of 4');
    await track.evaluate((box) => box.scrollIntoView({ block: 'center' }));
    const place = await track.boundingBox();
    if (!place) throw new Error('The slider has no place on the page');
    const middle = { x: place.x + place.width / 2, y: place.y + place.height / 3 };
    const drag = async (by: number) => {
      await page.mouse.move(middle.x, middle.y);
      await page.mouse.down();
      await page.mouse.move(middle.x + by, middle.y, { steps: 4 });
      await page.mouse.up();
    };
    await drag(-5);
    await expect(status).toHaveText('2 of 4');
    await drag(-40);
    await expect(status).toHaveText('3 of 4');
  },
);

test(
  'the policy of a page allows its own inline scripts by their hashes, and nothing else',
  once,
  async ({ request }) => {
    const answer = await request.get('/');
    const policy = answer.headers()['content-security-policy'] ?? '';
    const scripts = [...(await answer.text()).matchAll(/<script>([^]*?)<\/script>/g)];
    const hashes = scripts.map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(policy.split(';')).toContain(`script-src ${hashes.join(' ')} 'self' 'strict-dynamic'`);
    // Every page is made anew when a class changes, and another test may add one between two reads.
    await expect
      .poll(async () => {
        const { etag = '' } = (await request.get('/')).headers();
        return (await request.get('/', { headers: { 'if-none-match': etag } })).status();
      })
      .toBe(304);
  },
);

test(
  'an unknown address shows the error page with its two ways on',
  once,
  async ({ page, expected }) => {
    expected.push(/status of 404/);
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('link', { name: 'Go Back' })).toHaveAttribute('href', '/dashboard');
    await page.getByRole('link', { name: 'Go Home' }).click();
    await expect(page).toHaveTitle('Rally Sports Academy | Home');
  },
);

test('the theme is remembered and stands before the first paint', proofOnce, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('pages are pages: text, links, pictures, and a search that works', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Popular Courses' })).toBeVisible();
    const contact = page.getByRole('contentinfo').getByRole('link', { name: 'Contact' });
    await expect(contact).toHaveAttribute('href', 'mailto:hello@rally.test');
    await page.getByRole('search').getByLabel('Sport').selectOption('Tennis');
    await page.getByRole('button', { name: 'Find classes' }).click();
    await expect(page).toHaveURL(/\/classes\?sport=Tennis/);
    await expect(page.getByRole('article').first()).toContainText('Tennis');
    await page.goto('/');
    await page.getByRole('link', { name: 'See all classes' }).click();
    await page.getByLabel('Search').fill('yoga');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/search=yoga/);
    await expect(page.getByRole('article').first()).toContainText(/yoga/i);
    await page.getByRole('link', { name: 'All sports' }).click();
    await page.getByRole('link', { name: 'Yoga', exact: true }).click();
    await expect(page).toHaveURL(/sport=Yoga/);
    await page.getByRole('article').first().getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Similar classes' })).toBeVisible();
  });
});

test.describe('for search engines', () => {
  test(
    'robots, sitemap, canonical address, Open Graph and structured data are there',
    once,
    async ({ page, request }) => {
      expect(await (await request.get('/robots.txt')).text()).toContain('Sitemap: ');
      const sitemap = await (await request.get('/sitemap.xml')).text();
      const [, address = ''] = /<loc>[^<]*(\/classes\/[^<]+)<\/loc>/.exec(sitemap) ?? [];
      await page.goto(address);
      await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
        'href',
        new RegExp(`${address}$`),
      );
      await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
        'content',
        /Rally Sports Academy \| ./,
      );
      const data = JSON.parse(
        (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
      ) as {
        '@type': string;
      };
      expect(data['@type']).toBe('Course');
    },
  );
});
