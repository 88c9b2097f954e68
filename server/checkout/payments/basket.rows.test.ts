import { expect, it } from 'vitest';
import { testApp, unique } from '../../testing/app.ts';
import { aHoldRow, secondsFromNow } from '../../testing/rows.ts';
import {
  attach,
  isPayable,
  keepIntent,
  lockBasket,
  loosen,
  noteDeclines,
  putOffClosing,
  raiseAttempt,
  readBasket,
  rebuildBasket,
  startClosing,
  takeClosing,
  takeOpenIntents,
} from './basket.ts';

const app = await testApp();
const { db } = app;

interface Given {
  state?: 'held' | 'releasing' | 'released' | 'consumed';
  attempt?: number;
  intentId?: string;
  /** Seconds from now, by the database's clock. */
  checked?: number;
  nextTry?: number;
}

/** A basket with one hold. */
async function aBasket({ checked, nextTry, ...given }: Given = {}) {
  const { id } = await aHoldRow(app, {
    ...given,
    nextTry: nextTry === undefined ? null : secondsFromNow(nextTry),
    checkedAt: checked === undefined ? null : secondsFromNow(checked),
  });
  const basket = await readBasket(db, { id });
  if (!basket) throw new Error('a basket that was just written cannot be read');
  return basket;
}

/** Columns that the rest of the app does not read. */
async function stored(id: string) {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select state, reason, attempt, intent_id, declines, tries, checked_at > now() - interval '5 seconds' as checked,
       closing_since > now() - interval '5 seconds' as begun, round(extract(epoch from next_try - now()))::int as ahead
     from basket where id = $1`,
    [id],
  );
  return rows[0] ?? {};
}

it.each([
  ['open', true],
  ['closing', true],
  ['closed', false],
  ['paid', false],
] as const)('a basket that is %s can be paid: %s', (state, payable) =>
  expect(isPayable({ state })).toBe(payable),
);

it('a basket is read by its id and by its intent; an unknown one is null', async () => {
  const intentId = unique('pi');
  const basket = await aBasket({ intentId });
  expect(basket).toMatchObject({ intentId, totalCents: 1_999, currency: 'usd', state: 'open' });
  expect(await readBasket(db, { intentId })).toEqual(basket);
  expect(await readBasket(db, { id: crypto.randomUUID() })).toBeNull();
  expect(await readBasket(db, { intentId: unique('pi') })).toBeNull();
});

it('an intent is stored in a basket that is unchanged since the intent was requested', async () => {
  const basket = await aBasket();
  const intentId = unique('pi');
  expect(await keepIntent(db, basket, intentId)).toBe(true);
  expect(await keepIntent(db, basket, intentId)).toBe(true);
  expect(await stored(basket.id)).toMatchObject({ intent_id: intentId, checked: true });
});

it.each<[string, Given]>([
  ['is being closed', { state: 'releasing' }],
  ['is at another attempt', { attempt: 2 }],
  ['has another intent', { intentId: unique('pi') }],
])('an intent is not stored in a basket that %s', async (_what, given) => {
  const basket = await aBasket(given);
  expect(await keepIntent(db, { id: basket.id, attempt: 1 }, unique('pi'))).toBe(false);
  expect(await readBasket(db, basket)).toEqual(basket);
});

it('an intent is not stored in a basket with a seat that is being given up', async () => {
  const basket = await aBasket();
  await db.updateTable('hold').set({ state: 'releasing' }).where('id', '=', basket.id).execute();
  expect(await keepIntent(db, basket, unique('pi'))).toBe(false);
});

it('the attempt is raised once, and never when an intent is known or the basket is being closed', async () => {
  const basket = await aBasket();
  await raiseAttempt(db, basket);
  await raiseAttempt(db, basket);
  expect(await stored(basket.id)).toMatchObject({ attempt: 2 });
  for (const other of [
    await aBasket({ intentId: unique('pi') }),
    await aBasket({ state: 'releasing' }),
  ]) {
    await raiseAttempt(db, other);
    expect(await stored(other.id)).toMatchObject({ attempt: 1 });
  }
});

it('closing loosens the holds, which stay held, and they can be attached again', async () => {
  const basket = await aBasket();
  await startClosing(db, basket.id, 'regrouped');
  await startClosing(db, basket.id, 'again');
  expect(await stored(basket.id)).toMatchObject({
    state: 'closing',
    reason: 'regrouped',
    ahead: 0,
  });
  const hold = { id: basket.id };
  const again = () => app.transaction((db) => attach(db, basket.studentId, [hold]));
  expect(await again()).toBeNull();
  await app.transaction(async (db) => {
    expect(await lockBasket(db, basket)).toMatchObject({ state: 'closing' });
    await loosen(db, basket);
  });
  const next = await again();
  expect(next).toMatchObject({ state: 'open', totalCents: 1_999, intentId: null });
  expect(next?.id).not.toBe(basket.id);
  expect(await again()).toBeNull();
});

it('baskets that are closing are leased, the longest due first, and put off 5 s to 5 min', async () => {
  await takeClosing(db, 1_000);
  const second = await aBasket({ state: 'releasing', nextTry: -10 });
  const first = await aBasket({ state: 'releasing', nextTry: -20 });
  await aBasket({ state: 'releasing', nextTry: 20 });
  expect(await takeClosing(db, 1)).toEqual([first.id]);
  expect(await takeClosing(db, 100)).toEqual([second.id]);
  for (const [tries, ahead] of [
    [1, 5],
    [2, 10],
  ] as const) {
    await putOffClosing(db, first.id);
    expect(await stored(first.id)).toMatchObject({ tries, ahead });
  }
});

it('open intents are leased after a pause, the longest unchecked first, and not again at once', async () => {
  const [second, first, recent] = [unique('pi'), unique('pi'), unique('pi')];
  await aBasket({ intentId: second, checked: -70 });
  await aBasket({ intentId: first, checked: -80, state: 'releasing' });
  await aBasket({ intentId: recent, checked: -50 });
  await aBasket({ intentId: unique('pi'), checked: -90, state: 'released' });
  await aBasket({ intentId: unique('pi'), checked: -90, state: 'consumed' });
  await aBasket({ checked: -90 });
  expect(await takeOpenIntents(db, 60, 1)).toEqual([first]);
  expect(await takeOpenIntents(db, 60, 100)).toEqual([second]);
  expect(await takeOpenIntents(db, 60, 100)).toEqual([]);
});

it('a basket keeps the highest number of declines', async () => {
  const basket = await aBasket();
  await noteDeclines(db, basket.id, 3);
  await noteDeclines(db, basket.id, 2);
  expect(await stored(basket.id)).toMatchObject({ declines: 3 });
});

it('a lost basket is rebuilt once for its intent', async () => {
  const { studentId } = await aBasket();
  const found = { studentId, totalCents: 2_500, currency: 'usd', intentId: unique('pi') };
  expect(await rebuildBasket(db, found)).toMatchObject({ ...found, state: 'closed' });
  expect(await rebuildBasket(db, found)).toBeNull();
});
