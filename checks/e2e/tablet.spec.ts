// Every table of the dashboard from a large phone to a desktop: it fits, and no button is cut or
// lies over another.
import type { Page, Route } from '@playwright/test';
import { expect, expectToFit, longProofOnce, once, proofOnce, test } from './fixtures.ts';
import { aClass, enter, type Person, someone, theAdmin } from './people.ts';

test.use({ viewport: { width: 768, height: 1024 } });

const anAdmin = ['manageusers', 'manageclasses', 'payments', 'audit', 'attention'];
const aStudent = ['mycart', 'paymenthistory', 'myenrolledclasses'];

const long = {
  name: 'A class whose name goes on and on and on, as the names of classes sometimes do',
  itemName: 'A class whose name goes on and on and on, as the names of classes sometimes do',
  customer: 'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Alexandrina',
  instructor: 'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Alexandrina',
  email: 'maximiliana-alexandrina.wolfeschlegelsteinhausenbergerdorff@example.com',
  detail: 'pi_3QxWolfeschlegelsteinhausenbergerdorffMaximilianaAlexandrina',
};
const since = '2026-11-02T10:00:00.000Z';
const item = {
  _id: '1',
  itemId: '2',
  ...long,
  img: '/media/class/red-ball-tennis.webp',
  price: 10_000,
  date: since,
};
const payment = { ...item, transactionId: 'pi_1', status: 'refunded' };
const inCart = { ...item, seenPrice: 129, seat: 3, state: 'closed', paying: true };
/** Of the item that can be paid. */
const quote = { lines: [], total: 10_000, saved: 0, card: 10_000, nudges: [] };
/** Lists that may be empty in the demo academy. */
const made: Record<string, object[]> = {
  '/api/attention': [
    { _id: 'pi_1', kind: 'quarantine', since, what: long.name, detail: long.detail },
    { _id: 'a refund', kind: 'refund', since, what: long.name, detail: long.detail },
  ],
  '/api/audit': [
    {
      _id: '1',
      at: since,
      actor: long.customer,
      action: 'class changed',
      subject: long.detail,
      detail: long.name,
    },
  ],
  '/api/bookeds': [inCart, { ...inCart, _id: '3', state: 'price-changed' }],
  '/api/payments': [payment, { ...payment, _id: '3', status: 'succeeded' }],
  '/api/enrolments': [
    { ...item, paymentId: '3', schedule: 'Mon, Wed, Fri · 9:00–10:30', place: long.name },
  ],
};

const longer = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, long[field as keyof typeof long] ?? value]),
  );

/** The demo academy's rows as they are, but with texts as long as people make them. */
async function lengthen(route: Route) {
  const { pathname } = new URL(route.request().url());
  if (pathname === '/api/checkout') return route.fulfill({ json: quote });
  const rows = made[pathname];
  if (rows) return route.fulfill({ json: rows, headers: { 'x-total-count': String(rows.length) } });
  if (!/\/(allusers|classes|classes\/instructor|allpayments)$/.test(pathname))
    return route.fallback();
  const response = await route.fetch();
  const body = (await response.json()) as object[] | { outQueryResult: object[] };
  const json = Array.isArray(body)
    ? body.map(longer)
    : { ...body, outQueryResult: body.outQueryResult.map(longer) };
  return route.fulfill({ response, json });
}

/** Buttons of the tables that are cut by an edge or covered by another. */
const cut = (page: Page) =>
  page.locator('main table').evaluate((table) => {
    const place = table.parentElement ?? table;
    if (place.scrollWidth > place.clientWidth)
      return [`the table is ${place.scrollWidth - place.clientWidth} px too wide`];
    const edge = place.getBoundingClientRect();
    const boxes = [...table.querySelectorAll('button, a')]
      .map((element) => ({
        box: element.getBoundingClientRect(),
        name: element.getAttribute('aria-label') ?? element.textContent,
      }))
      .filter(({ box }) => box.width > 0);
    return boxes.flatMap(({ box, name }, index) => {
      const over = boxes
        .slice(index + 1)
        .some(
          ({ box: other }) =>
            box.left < other.right &&
            other.left < box.right &&
            box.top < other.bottom &&
            other.top < box.bottom,
        );
      return over || box.left < edge.left || box.right > edge.right ? [name] : [];
    });
  });

async function whoSees(path: string): Promise<Person> {
  if (anAdmin.includes(path)) return theAdmin();
  if (aStudent.includes(path)) return someone();
  const { instructor } = await aClass();
  return instructor;
}

for (const path of [...anAdmin, 'myclasses', ...aStudent])
  test(
    `the table of ${path} fits from 320 px up, with every button whole`,
    path === 'mycart' ? once : path === 'manageclasses' ? proofOnce : longProofOnce,
    async ({ page }) => {
      await page.route('**/api/**', lengthen);
      await enter(page, await whoSees(path));
      await page.goto(`/dashboard/${path}`);
      await expect(page.locator('main [aria-busy=false] th[scope=row]').first()).toBeVisible();
      for (const width of [320, 390, 600, 768, 1023, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: 1024 });
        await expectToFit(page);
        expect(await cut(page), `${path} at ${width} px`).toEqual([]);
      }
    },
  );

test('the longest menu leaves Logout on the screen of a small laptop', once, async ({ page }) => {
  await enter(page, await theAdmin());
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/dashboard/account');
  await expect(page.getByRole('link', { name: 'Audit Log' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 });
});

test('the Pay button of the cart is the widest of its card on a phone', once, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, await someone());
  const { name } = long;
  await page.route('**/api/**', lengthen);
  await page.route('**/api/bookeds*', (route) =>
    route.fulfill({ json: [{ ...inCart, state: 'ok', schedule: 'Mon · 09:00–10:00' }] }),
  );
  await page.goto('/dashboard/mycart');
  const remove = await page.getByRole('button', { name: `Delete: ${name}` }).elementHandle();
  // At one moment: the fonts may arrive between two.
  const { width, height, below } = await page
    .getByRole('link', { name: `Pay: ${name}` })
    .evaluate((pay, other) => {
      const { width, height, y } = pay.getBoundingClientRect();
      return { width, height, below: y - (other?.getBoundingClientRect().y ?? 0) };
    }, remove);
  expect(width).toBeGreaterThan(200);
  expect(height).toBeGreaterThanOrEqual(44);
  expect(below).toBe(0);
});
