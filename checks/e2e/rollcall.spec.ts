// The instructor takes a roll call on the phone, without a network, and it arrives afterwards.
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectToFit,
  phone,
  phoneProof,
  signIn,
  test,
} from './fixtures.ts';
import type { Sealed } from '../../web/rollcall/sealed.ts';
import { confirmed, enter, password } from './people.ts';
import { aLesson, type Lesson, storedMarks } from './rollcalls.ts';

test.beforeEach(({ expected }) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/);
});

/**
 * Everything that this phone keeps, as text: IndexedDB, caches and storage. `opened`: also what is
 * sealed, opened with the keys that lie there.
 */
const keptOn = (page: Page, { opened = false } = {}) =>
  page.evaluate(async (opens) => {
    const texts: string[] = [];
    const latin = new TextDecoder('latin1');
    const asText = (_key: string, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? latin.decode(value) : value;
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((done, failed) => {
        const request = indexedDB.open(name);
        request.addEventListener('success', () => done(request.result));
        request.addEventListener('error', () => failed(request.error ?? new Error(name)));
      });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<Partial<Sealed>[]>((done) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.addEventListener('success', () => done(request.result));
        });
        texts.push(`${name} ${store} ${JSON.stringify(rows, asText)}`);
        for (const { key, iv, bytes } of opens ? rows : [])
          if (key && iv && bytes)
            texts.push(
              new TextDecoder().decode(
                await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes),
              ),
            );
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        texts.push(`${request.url} ${(await answer?.text()) ?? ''}`);
      }
    }
    return [...texts, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join('\n');
  }, opened);

/** Of the first child. */
const allergicTo = async (words: string, { parent, children }: Lesson) =>
  (await confirmed(parent)).ask('PATCH', `/participants/care/${children[0]?.id}`, {
    allergies: words,
    health: '',
    medicine: '',
    note: '',
    contacts: [{ name: 'Eva Novak', relation: 'mother', phone: '+351 912 345 678' }],
    pickup: [],
    mayGoAlone: false,
  });

test(
  'a roll call in airplane mode arrives, and no name is left',
  phone,
  async ({ page, context, isMobile }) => {
    const lesson = await aLesson(12);
    const { instructor, parent, klass, meetingId, children } = lesson;
    await allergicTo('Peanuts', lesson);
    await enter(page, instructor);
    await page.goto('/dashboard/rollcall');
    await expect(page.getByText('Works without a network. Kept on this phone until')).toBeVisible();
    await expectAccessible(page);

    await context.setOffline(true);
    // From the shell that the service worker keeps, without the server.
    await page.goto(`/dashboard/rollcall/${klass.id}?meeting=${meetingId}`);
    await expect(page.getByText('0 of 12 here')).toBeVisible();
    await expect(page.getByText('No network')).toBeVisible();
    if (isMobile) await page.getByRole('button', { name: 'More', exact: true }).click();
    const menu = page.getByRole('navigation', { name: 'Dashboard' });
    await expect(menu.getByRole('link', { name: 'Roll Call' })).toBeVisible();
    await expect(menu.locator('[aria-busy=true]')).toHaveCount(0);
    if (isMobile) await page.keyboard.press('Escape');
    await expectToFit(page);
    await expectAccessible(page);
    for (const { name } of children.slice(0, 9))
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByText('9 of 12 here')).toBeVisible();
    const last = children[8]?.name ?? '';
    await page.getByRole('button', { name: new RegExp(`^${last}`) }).click();
    await expect(page.getByText('8 of 12 here')).toBeVisible();

    await page.getByRole('button', { name: 'Peanuts' }).click();
    await expect(page.getByRole('link', { name: /Eva Novak/ })).toHaveAttribute(
      'href',
      'tel:+351912345678',
    );
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: `More for ${children[9]?.name}` }).click();
    await page.getByLabel('Note').fill('Bus was late');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Late' }).click();
    await expect(page.getByText('9 of 12 here')).toBeVisible();
    // A note outlives the sheet and the page: with the status that is there, or with the next one.
    const noteFor = async (name: string, note: string) => {
      await page.getByRole('button', { name: `More for ${name}` }).click();
      await page.getByLabel('Note').fill(note);
      await page.getByRole('button', { name: 'Close' }).click();
    };
    const [first, tenth] = [children[0]?.name ?? '', children[10]?.name ?? ''];
    const rowOf = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) });
    await noteFor(first, 'Picked up by uncle');
    await expect(rowOf(first)).toContainText(/Present .*Picked up by uncle/);
    await noteFor(tenth, 'Ask for the form');
    await expect(rowOf(tenth)).toContainText('saved with the next status: Ask for the form');
    await expectAccessible(page);
    await page.reload();
    await rowOf(tenth).click();
    await expect(rowOf(tenth)).toContainText(/Present .*not sentAsk for the form/);
    await expect(page.getByText('10 of 12 here')).toBeVisible();
    await expect(page.getByText('No network: 13 marks wait on this phone')).toBeVisible();
    expect(await storedMarks(meetingId)).toEqual([]);

    await context.setOffline(false);
    await expect(page.getByText('wait on this phone')).toHaveCount(0);
    const marks = await storedMarks(meetingId);
    expect(marks).toHaveLength(13);
    expect(new Set(marks.map(({ id }) => id)).size).toBe(13);
    expect(marks.slice(-3)).toMatchObject([
      { participant_id: children[9]?.id, status: 'late', note: 'Bus was late' },
      { participant_id: children[0]?.id, status: 'present', note: 'Picked up by uncle' },
      { participant_id: children[10]?.id, status: 'present', note: 'Ask for the form' },
    ]);

    const kept = await keptOn(page);
    for (const { name } of children) expect(kept).toContain(name);
    if (isMobile) await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-auth', 'out');
    await expect
      .poll(async () => {
        const left = await keptOn(page);
        return ['Novak', 'Peanuts', klass.name, parent.email].filter((word) => left.includes(word));
      })
      .toEqual([]);
  },
);

test('an allergy lies sealed on the phone of the coach', phoneProof, async ({ page }) => {
  const lesson = await aLesson(1);
  await allergicTo('Peanuts', lesson);
  await enter(page, lesson.instructor);
  await page.goto('/dashboard/rollcall');
  await expect(page.getByText('Works without a network. Kept on this phone until')).toBeVisible();

  const secrets = /Peanuts|Eva Novak|912 345 678/;
  const kept = await keptOn(page);
  expect(kept).toContain(lesson.children[0]?.name);
  expect(kept).not.toMatch(secrets);
  // Control: the words are there, sealed.
  expect(await keptOn(page, { opened: true })).toMatch(secrets);
});

test('a roll call opened by its address works offline', phoneProof, async ({ page, context }) => {
  const { instructor, klass, meetingId, children } = await aLesson(20);
  await enter(page, instructor);
  // From a class, a calendar or a mail: the list was never opened on this phone.
  await page.goto(`/dashboard/rollcall/${klass.id}?meeting=${meetingId}`);
  await expect(page.getByText('On this phone: works without a network')).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('0 of 20 here')).toBeVisible();
  for (const { name } of children)
    await page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
  await page.getByRole('button', { name: 'Walk-in' }).click();
  await page.getByLabel('Name').fill('Tom Field');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.reload();
  await expect(page.getByText('No network: 21 marks wait on this phone')).toBeVisible();
  await expect(page.getByText('21 of 21 here')).toBeVisible();
  await page.getByRole('link', { name: 'Roll Call', exact: true }).first().click();
  await expect(page.getByRole('link', { name: klass.name })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('wait on this phone')).toHaveCount(0);
  const stored = await storedMarks(meetingId);
  expect(stored).toHaveLength(21);
  const whom = new Set(stored.map(({ participant_id: id }) => id));
  expect(whom).toEqual(new Set([...children.map(({ id }) => id), null]));
});

test(
  'marks outlive a sign-out; a day later no name is left',
  phoneProof,
  async ({ page, isMobile, expected }) => {
    expected.push(/status of (401|503)/);
    const { instructor, klass, meetingId, children } = await aLesson(3);
    const address = `/dashboard/rollcall/${klass.id}?meeting=${meetingId}`;
    const tap = async (nth: number) => {
      const row = page.getByRole('button', { name: new RegExp(`^${children[nth]?.name} `) });
      await row.click();
      await expect(row).toContainText('Present');
    };
    const answerMarks = async (status: number) => {
      await page.unroute('**/api/marks');
      await page.route('**/api/marks', (route) =>
        route.fulfill({ status, json: { code: 'UNAVAILABLE' } }),
      );
    };
    await enter(page, instructor);
    await page.goto(address);
    // A walk-in that the server refuses is shown, also after a reload, and goes with the names.
    await page.route('**/api/marks', (route) => {
      const { marks: sent } = route.request().postDataJSON() as { marks: { _id: string }[] };
      const json = sent.map(({ _id }) => ({ _id, result: 'refused', reason: 'too late' }));
      return route.fulfill({ json });
    });
    await page.getByRole('button', { name: 'Walk-in' }).click();
    await page.getByLabel('Name').fill('Tom Quillfeather');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('A mark was not accepted')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Tom Quillfeather, present')).toBeVisible();
    await page.unroute('**/api/marks');
    await page.getByRole('button', { name: `More for ${children[2]?.name}` }).click();
    await page.getByLabel('Note').fill('Picked up by Quincy');
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => keptOn(page)).toMatch(/(?=.*Quillfeather).*Quincy/s);

    await answerMarks(503);
    await tap(0);
    await expect(page.getByText('The server does not answer: 1 mark waits')).toBeVisible();
    if (isMobile) await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    const question = page.getByRole('dialog', { name: '1 mark of a roll call is not sent yet' });
    await question.getByRole('button', { name: 'Sign out anyway' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-auth', 'out');
    await expect.poll(() => keptOn(page)).not.toMatch(/Novak|Quillfeather|Quincy/);
    expect(await keptOn(page)).toContain(children[0]?.id);

    // The session ends while the mark is sent.
    await answerMarks(401);
    await signIn(page, instructor.email, password);
    await page.goto(address);
    await expect(page).toHaveURL('/login');
    expect(await keptOn(page)).toContain(children[0]?.id);
    expect(await storedMarks(meetingId)).toEqual([]);

    await page.unroute('**/api/marks');
    await signIn(page, instructor.email, password);
    await page.goto(address);
    await expect.poll(() => storedMarks(meetingId)).toHaveLength(1);
    await expect(page.getByText('1 of 3 here')).toBeVisible();
    expect(await keptOn(page)).toContain('Novak');

    // The meeting ends within the hour. A day after that, any page deletes the names.
    await page.clock.install({ time: Date.now() + 26 * 3_600_000 });
    await page.goto('/');
    await expect.poll(() => keptOn(page)).not.toContain('Novak');
  },
);
