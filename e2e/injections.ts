// Text that looks like markup, script, SQL, a formula or a path, planted in every field that takes
// text; and the checks of a page that shows it. Not for: the journeys (injection.spec.ts,
// injection.dashboards.spec.ts).
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { elsewhere, expect } from './fixtures.ts';
import {
  aClass,
  type MadeClass,
  type Person,
  select,
  someone,
  theAdmin,
  unique,
} from './people.ts';
import { inDatabase } from './till.ts';

const script = '</script><script data-injected>injected=1</script>';
export const image = '<img src=x data-injected onerror=injected=1>';

export interface World {
  teacher: Person;
  student: Person;
  bought: MadeClass;
  wanted: MadeClass;
  paymentId: string;
}

/** Each file has a mark and words of its own. */
export function injections() {
  const mark = unique('m').replace(' ', '').toLowerCase();
  const words = {
    teacher: `=cmd|' /C calc'!A1 ${image} ${mark}`,
    student: `@SUM(1) </title>${script} ${mark}`,
    name: `+1 ${script} ' OR 1=1;-- ${mark}`,
    ages: `"><i data-injected>`,
    schedule: `-1'); DROP TABLE class; --<b data-injected> ${mark}`,
    place: `../../../etc/passwd%00<u data-injected> ${mark}`,
    description: `{{7*7}} \${7*7} <!-- ]]> ${image} ${script} javascript:injected=1 <a data-injected href="javascript:injected=1">${mark}</a>`,
    feedback: `${image}${script} ${mark} feedback`,
    reason: `${image}${script} ${mark} reason`,
    picture: `${elsewhere}${mark}.png?"onerror="injected=1"data-injected="'><b data-injected>`,
  };
  return { mark, words, plant: (request: APIRequestContext) => plant(request, words) };
}

type Words = ReturnType<typeof injections>['words'];

async function plant(request: APIRequestContext, words: Words): Promise<World> {
  const picture = { image: words.picture };
  const [teacher, student] = await Promise.all([
    someone('instructor', { name: words.teacher, ...picture }),
    someone('student', { name: words.student, ...picture }),
  ]);
  const [bought, wanted] = [
    await aClass({ instructor: teacher }),
    await aClass({ instructor: teacher }),
  ];
  const admin = await theAdmin();
  const { ages, schedule, place, description } = words;
  const waiting = await aClass({ instructor: teacher, decided: null });
  // Admin Home lists the twenty that wait longest.
  await inDatabase("update class set proposed_at = '2000-01-02' where id = $1", [waiting.id]);
  for (const [{ id }, name] of [
    [bought, words.name],
    [wanted, `${words.name} wanted`],
    [waiting, `${words.name} waiting`],
  ] as const) {
    await teacher.ask('PATCH', `/classes/${id}`, {
      name,
      img: words.picture,
      ages,
      schedule,
      place,
      description,
    });
    await admin.ask('PATCH', `/classes/feedback/${id}`, { feedback: words.feedback });
    if (id !== waiting.id) await admin.ask('PATCH', `/classes/approve/${id}`);
  }
  for (const chosen of [bought, wanted]) await select(student, chosen);
  const { clientSecret } = await student.ask('POST', '/create-payment-intent', {
    price: 49,
    itemId: bought.id,
  });
  const secret = String(clientSecret);
  const [intent = ''] = secret.split('_secret');
  const { cards } = (await (await request.get('/api/settings')).json()) as {
    cards: { publishableKey: string };
  };
  const form = { client_secret: secret, payment_method: 'pm_card_visa', key: cards.publishableKey };
  expect(
    (await request.post(`/sandbox/v1/payment_intents/${intent}/confirm`, { form })).status(),
  ).toBe(200);
  const { insertResult } = await student.ask('POST', '/payments', { transactionId: intent });
  return {
    teacher,
    student,
    bought,
    wanted,
    paymentId: (insertResult as { insertedId: string }).insertedId,
  };
}

/** Fails when the browser opens a dialog; pictures from elsewhere are answered locally. */
export async function watch(page: Page) {
  page.on('dialog', (dialog) => {
    throw new Error(`A dialog opened: ${dialog.message()}`);
  });
  await page.route(`${elsewhere}**`, (route) => route.fulfill({ path: 'web/public/icon.svg' }));
}

/** The page is rendered and shows these words as they were written, and none of them ran. */
export async function expectHarmless(page: Page, ...shown: string[]) {
  for (const text of shown) await expect(visible(page, text)).toBeVisible();
  await expect(page.locator('h1')).toBeVisible();
  expect(await traces(page)).toEqual([]);
}

export const visible = (at: Page | Locator, text: string) =>
  at.getByText(text).filter({ visible: true }).first();

export const traces = (page: Page) =>
  page.evaluate(() => [
    ...[...document.querySelectorAll('[data-injected]')].map((element) => element.outerHTML),
    ...('injected' in window ? ['a script ran'] : []),
  ]);
