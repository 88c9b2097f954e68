import { afterAll, describe, expect, it } from 'vitest';
import { extendHold } from '../../contract/payments.ts';
import { aClass, aUser } from '../testing/factories.ts';
import { aHeldSeat, aShop, aShopper, balanced, expire, intoCart, openIntent } from '../testing/checkout.ts';

const shop = await aShop();
const { app } = shop;
afterAll(() => balanced(shop));

describe('limits by the hour', () => {
  it('lets one account hold a class four times in an hour and ten seats in all, then asks it to wait', async () => {
    const strict = await shop.another({ rateLimit: true });
    try {
      const { who, klass } = await aShopper(app);
      const other = await aClass(app);
      await intoCart(app, who, other);
      // The limit of ten a minute belongs to another guard: each round asks anew through the app itself, past it.
      const round = async (one: typeof klass) => {
        const answer = await openIntent(strict, who, one);
        if (answer.status === 200) {
          await expire(app, answer.body.holdId);
          await app.money.sweep();
        }
        return answer;
      };
      const statuses = [];
      for (let turn = 0; turn < 5; turn++) statuses.push((await round(klass)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 429]);
      const refused = await openIntent(strict, who, klass);
      expect(refused.body.code).toBe('RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
      await app.pool.query(
        `insert into hold (student_id, class_id, amount_cents, state, slot) select $1, $2, 1999, 'released', 1 from generate_series(1, 6)`,
        [who.id, (await aClass(app)).id],
      );
      expect((await openIntent(strict, who, other)).body.code).toBe('RATE_LIMITED');
    } finally {
      await strict.close();
    }
  });
});

describe('holding longer', () => {
  it('extends twice by fifteen minutes and no more, and only the own hold', async () => {
    const held = await aHeldSeat(shop);
    const ends = [new Date(held.expiresAt)];
    for (let turn = 0; turn < 3; turn++) {
      const { status, body } = await app.send(extendHold, { id: held.holdId }, held.who.token);
      expect(status).toBe(200);
      ends.push(new Date(body.expiresAt));
    }
    const minutes = ends.map((end) => Math.round((end.getTime() - (ends[0]?.getTime() ?? 0)) / 60_000));
    expect(minutes).toEqual([0, 15, 30, 30]);
    expect((await app.send(extendHold, { id: held.holdId }, (await aUser(app)).token)).status).toBe(404);
    await expire(app, held.holdId);
    expect((await app.send(extendHold, { id: held.holdId }, held.who.token)).body.code).toBe('HOLD_EXPIRED');
  });
});
