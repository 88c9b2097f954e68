import { afterAll, describe, expect, it } from 'vitest';
import { aClass, type TestUser } from '../../testing/factories.ts';
import { aHoldRow } from '../../testing/rows.ts';
import { startRelease, takeReleasing } from './holds.ts';
import {
  aHeldSeat,
  aShop,
  aShopper,
  balanced,
  expire,
  intoCart,
  openIntent,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app } = shop;
afterAll(() => balanced(shop));

/** Holds that the student took within the hour and released. */
async function held({ id: studentId }: TestUser, times: number): Promise<void> {
  const { id: classId } = await aClass(app);
  for (let n = 0; n < times; n++) await aHoldRow(app, { studentId, classId, state: 'released' });
}

describe('limits', () => {
  it('lets the tenth seat of an hour be held, in one class too, and not the eleventh', async () => {
    const strict = await shop.another({ rateLimit: true });
    try {
      const { who, klass } = await aShopper(app);
      await held(who, 8);
      for (let turn = 9; turn <= 10; turn++) {
        const { status, body } = await openIntent(strict, who, klass);
        expect(status).toBe(200);
        await expire(app, body.holdId);
        await app.money.sweep();
      }
      const next = await aClass(app);
      await intoCart(app, who, next);
      const refused = await openIntent(strict, who, next);
      expect(refused.body.code).toBe('RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
    } finally {
      await strict.close();
    }
  });

  it('answers ten requests for one seat in a minute, and not the eleventh', async () => {
    const strict = await shop.another({ rateLimit: true });
    try {
      const { who, klass } = await aShopper(app);
      const holds = new Set<string>();
      for (let turn = 0; turn < 10; turn++) {
        const { status, body } = await openIntent(strict, who, klass);
        expect(status).toBe(200);
        holds.add(body.holdId);
      }
      // Always the same hold, so that no limit per hour refuses.
      expect(holds.size).toBe(1);
      const { status, body, headers } = await openIntent(strict, who, klass);
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      const other = await aShopper(app, klass);
      expect((await openIntent(strict, other.who, klass)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});

describe('releasing a hold', () => {
  it('is delayed when the provider does not answer, and never by a process that dies', async () => {
    const held = await aHeldSeat(shop);
    const ahead = async () => {
      const { rows } = await app.pool.query<{ ahead: number }>(
        'select extract(epoch from next_try - now())::float as ahead from hold where id = $1',
        [held.holdId],
      );
      return rows[0]?.ahead ?? 0;
    };
    const due = () =>
      app.pool.query('update hold set next_try = now() where id = $1', [held.holdId]);
    await startRelease(app.db, { id: held.holdId }, 'expired');
    for (let death = 0; death < 8; death++) {
      expect(await takeReleasing(app.db, 100)).toContain(held.holdId);
      expect(await ahead()).toBeLessThan(35);
      await due();
    }
    await shop.provider.fails('POST /v1/payment_intents/*/cancel', { effect: 'reset' });
    for (let silence = 0; silence < 4; silence++) {
      await due();
      await app.money.sweep();
    }
    expect(await ahead()).toBeGreaterThan(30);
    await shop.provider.heal();
  });
});
