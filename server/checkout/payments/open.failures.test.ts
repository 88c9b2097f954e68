import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Cards, ProviderError } from '../../platform/cards.ts';
import { aFamily, anOpenBasket, type Family, payAll } from '../../testing/baskets.ts';
import {
  aHeldSeat,
  aShop,
  aShopper,
  balanced,
  dying,
  expire,
  ofIntent,
  openIntent,
  refusesCards,
  rowsOf,
  seats,
  secretOf,
  some,
  until,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const ofClass = (id: string) => `class_id = '${id}'`;
type Metadata = Record<string, string>;
/** The intents for a class, or those whose metadata pass a test. */
const intentsAt = async (wanted: string | ((metadata: Metadata) => boolean)) =>
  (await provider.list('payment_intents?limit=100')).filter(({ metadata = {} }) =>
    typeof wanted === 'string' ? metadata['l1']?.includes(wanted) : wanted(metadata),
  );

/** Another process, which opens intents in this way. */
const opening = (how: (cards: Cards) => Cards['openIntent']) =>
  shop.another({}, { between: (cards) => ({ ...cards, openIntent: how(cards) }) });

describe('from the seat to the secret', () => {
  it('crash point 2: no answer keeps the hold; the retry finds all', async () => {
    for (const effect of ['lose_answer', 'rate_limit'] as const) {
      const { who, klass } = await aShopper(app);
      await provider.fails('POST /v1/payment_intents', { effect });
      const first = await openIntent(app, who, klass);
      expect(first.body.code).toBe('PROVIDER_DOWN');
      expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
      await provider.heal();
      const retry = await openIntent(app, who, klass);
      expect(retry.status).toBe(200);
      expect(await rowsOf(app, 'hold', ofClass(klass.id))).toHaveLength(1);
      expect(await intentsAt(klass.id)).toHaveLength(1);
    }
  });

  it('crash points 3, B2, B3, B6: a lost intent is found or ended', async () => {
    const dead = await shop.another({}, { between: dying('openIntent', 'after') });
    const lostFor = async (family: Family) => {
      void payAll(dead, family);
      const found = await some(() =>
        intentsAt((metadata) => metadata['student'] === family.who.id),
      );
      return found[0]?.id ?? '';
    };
    const [retries, leaves] = [await aFamily(app), await aFamily(app)];
    const [lost, stray] = [await lostFor(retries), await lostFor(leaves)];
    expect((await anOpenBasket(app, retries)).intent).toBe(lost);
    // While the seats are held, the student may still retry.
    await app.money.lookBack();
    expect(await provider.intent(stray)).toMatchObject({ status: 'requires_payment_method' });
    const holds = await rowsOf(app, 'hold', `student_id = '${leaves.who.id}'`);
    expect(holds.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
    for (const { id } of holds) await expire(app, id);
    await app.money.sweep();
    await app.money.lookBack();
    expect(await provider.intent(stray)).toMatchObject({ status: 'canceled' });
    for (const { id } of leaves.classes) expect(await seats(app, id)).toMatchObject({ held: 0 });
    for (const { id } of retries.classes) expect(await seats(app, id)).toMatchObject({ held: 1 });
    expect(await rowsOf(app, 'basket', `student_id = '${leaves.who.id}'`)).toMatchObject([
      { state: 'closed', intent_id: null },
    ]);
    await dead.close();
  });

  it('crash point 5: an intent that comes too late is cancelled', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await opening((cards) => (wish) => gate.then(() => cards.openIntent(wish)));
    const { who, klass } = await aShopper(app);
    const asked = openIntent(slow, who, klass);
    const [hold] = await some(() =>
      rowsOf(app, 'hold', `${ofClass(klass.id)} and basket_id is not null`),
    );
    await expire(app, hold?.id ?? '');
    await app.money.sweep();
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    answer();
    const { body } = await asked;
    const intents = await intentsAt(klass.id);
    const late = intents.find(({ metadata }) => metadata?.['basket'] === hold?.['basket_id']);
    expect(late).toMatchObject({ status: 'canceled' });
    // The student gets a new hold with its own intent.
    expect(body.holdId).not.toBe(hold?.id);
    expect(secretOf(body.clientSecret).intent).not.toBe(late?.id);
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    await slow.close();
  });

  it('crash point 6: a declined card keeps the seat, five do not', async () => {
    const held = await aHeldSeat(shop);
    expect(
      (await provider.confirm(held.clientSecret, 'visa_chargeDeclined')).body.error?.code,
    ).toBe('card_declined');
    expect((await openIntent(app, held.who, held.klass)).body.clientSecret).toBe(held.clientSecret);
    expect((await provider.confirm(held.clientSecret)).body.status).toBe('succeeded');

    const tester = await aHeldSeat(shop);
    for (let card = 0; card < 5; card++)
      await provider.confirm(tester.clientSecret, 'visa_chargeDeclined');
    await until(async () => (await seats(app, tester.klass.id)).held === 0);
    expect(await seats(app, tester.klass.id)).toMatchObject({ held: 0 });
    await refusesCards(shop, tester.clientSecret);
  });

  it('a failure stored under our key: the next try uses another', async () => {
    const { who, klass } = await aShopper(app);
    await provider.fails('POST /v1/payment_intents', { effect: 'error_saved', times: 1 });
    const { status, body } = await openIntent(app, who, klass);
    expect(status).toBe(200);
    const { intent } = secretOf(body.clientSecret);
    expect(await rowsOf(app, 'basket', ofIntent(intent))).toMatchObject([
      { attempt: 2, student_id: who.id },
    ]);
    // The intent behind the failure exists, and it can never be paid.
    await app.money.lookBack();
    const others = (await intentsAt(klass.id)).filter(
      ({ id }) => id !== secretOf(body.clientSecret).intent,
    );
    expect(others).toMatchObject([{ status: 'canceled' }]);
  });

  it('two processes at once return one secret', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await opening((cards) => async (wish) => {
      const intent = await cards.openIntent(wish);
      await gate;
      return intent;
    });
    let failures = 1;
    const unlucky = await opening((cards) => async (wish) => {
      if (failures-- > 0) throw new ProviderError('broken', 'saved', null);
      return cards.openIntent(wish);
    });
    const { who, klass } = await aShopper(app);
    const first = openIntent(slow, who, klass);
    const [lost] = await some(() => intentsAt(klass.id));
    const second = await openIntent(unlucky, who, klass);
    answer();
    expect((await first).body.clientSecret).toBe(second.body.clientSecret);
    expect(secretOf(second.body.clientSecret).intent).not.toBe(lost?.id);
    expect(await provider.intent(lost?.id ?? '')).toMatchObject({ status: 'canceled' });
    await slow.close();
    await unlucky.close();
  });

  it('an intent cancelled at the provider is replaced', async () => {
    const held = await aHeldSeat(shop);
    await provider.ask('POST', `/v1/payment_intents/${held.intent}/cancel`);
    const { body } = await openIntent(app, held.who, held.klass);
    expect(body.clientSecret).toBeDefined();
    expect(body.clientSecret).not.toBe(held.clientSecret);
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
  });
});
