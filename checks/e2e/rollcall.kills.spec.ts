// A roll call without a network survives the death of the browser: every mark that turned green is on
// the server in the end, once, though answers are lost. PROOF_TIMES says how often (docs/invariants.md).
import type { BrowserContext, Page } from '@playwright/test';
import { expect, longProofOnce, proofOnce, test } from './fixtures.ts';
import { aProfile, type Profile } from './killable.ts';
import { aLesson, type Lesson, storedMarks } from './rollcalls.ts';

const times = Number(process.env['PROOF_TIMES'] || 1);
const site = () => process.env['RALLY_URL'] ?? '';
const addressOf = ({ klass, meetingId }: Lesson) =>
  `${site()}/dashboard/rollcall/${klass.id}?meeting=${meetingId}`;

let profile: Profile;
test.beforeEach(async () => {
  profile = await aProfile();
});
test.afterEach(() => profile.remove());

const people = 20;
/** A browser starts anew each time, on a machine that may be busy. */
const patience = { timeout: 60_000 };

/** Signed in, with the roster on the phone. The browser is closed in order once, as on most days. */
async function prepare(lesson: Lesson) {
  const { context, close } = await profile.start();
  await context.addCookies(lesson.instructor.cookies);
  const page = await context.newPage();
  await page.goto(`${site()}/dashboard/rollcall`);
  await expect(page.getByText('Works without a network. Kept on this phone until')).toBeVisible(
    patience,
  );
  await close();
}

async function openOffline(context: BrowserContext, lesson: Lesson): Promise<Page> {
  const page = await context.newPage();
  await context.setOffline(true);
  await page.goto(addressOf(lesson));
  await expect(page.getByText(`of ${people} here`)).toBeVisible(patience);
  return page;
}

/** Everyone twice: present, then absent. Each tap waits for its colour. */
async function tapForty(page: Page, { children }: Lesson) {
  for (const status of ['Present', 'Absent'])
    for (const { name } of children) {
      const row = page.getByRole('button', { name: new RegExp(`^${name} `) });
      await row.click();
      await expect(row).toContainText(status);
    }
}

/** Half of the calls arrive and are not answered, or are answered and do not arrive. */
async function loseAnswers(page: Page, dice: () => number) {
  let lost = 0;
  await page.route('**/api/marks', async (route) => {
    const fate = dice();
    if (fate < 0.5 || lost === 0) {
      lost += 1;
      if (fate < 0.4) await route.fetch();
      return route.abort();
    }
    return route.continue();
  });
  return () => lost;
}

async function sendAll(page: Page, context: BrowserContext) {
  await context.setOffline(false);
  await expect(async () => {
    const again = page.getByRole('button', { name: 'Send now' });
    if (await again.isVisible()) await again.click();
    await expect(page.getByText('not sent')).toHaveCount(0, { timeout: 1_000 });
    await expect(again).toHaveCount(0, { timeout: 1_000 });
    // Half of the answers are lost, and the pauses between the tries grow.
  }).toPass({ timeout: 270_000 });
}

test('40 marks made without a network outlive the browser', proofOnce, async () => {
  test.setTimeout(times * 300_000);
  for (let run = 0; run < times; run += 1) {
    const lesson = await aLesson(people);
    await prepare(lesson);
    const first = await profile.start();
    await tapForty(await openOffline(first.context, lesson), lesson);
    await first.kill();

    const second = await profile.start();
    const page = await openOffline(second.context, lesson);
    await expect(page.getByText('No network: 40 marks wait on this phone')).toBeVisible();
    for (const { name } of lesson.children)
      await expect(page.getByRole('button', { name: new RegExp(`^${name} `) })).toContainText(
        'Absent',
      );
    const lost = await loseAnswers(page, Math.random);
    await sendAll(page, second.context);
    expect(lost()).toBeGreaterThan(0);
    const marks = await storedMarks(lesson.meetingId);
    expect(marks.map((mark) => `${mark.participant_id} ${mark.status}`)).toEqual(
      ['present', 'absent'].flatMap((status) => lesson.children.map(({ id }) => `${id} ${status}`)),
    );
    await second.close();
    // Another phone, of another instructor.
    await profile.remove();
    profile = await aProfile();
  }
});

/** What is added to the store of marks is read from it again, and is not stored. */
const queueInMemory = `{
  const memory = [];
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function (value) {
    if (this.name !== 'marks') return add.call(this, value);
    memory.push(value);
    return this.count();
  };
  const { getAll } = IDBIndex.prototype;
  IDBIndex.prototype.getAll = function (...asked) {
    const request = getAll.apply(this, asked);
    if (this.objectStore.name === 'marks')
      Object.defineProperty(request, 'result', { get: () => [...memory] });
    return request;
  };
}`;

test('a queue in memory loses them: the test can fail', longProofOnce, async () => {
  const lesson = await aLesson(people);
  await prepare(lesson);
  const first = await profile.start();
  await first.context.addInitScript({ content: queueInMemory });
  await tapForty(await openOffline(first.context, lesson), lesson);
  await first.kill();
  const second = await profile.start();
  const page = await openOffline(second.context, lesson);
  await sendAll(page, second.context);
  await expect(page.getByText(`0 of ${people} here`)).toBeVisible();
  expect(await storedMarks(lesson.meetingId)).toEqual([]);
  await second.close();
});
