// Discounts for tests, as rows.
import type { InsertObject } from 'kysely';
import type { DB } from '../db/schema.ts';
import { type TestApp, unique } from './app.ts';

/** A code that no other coupon has. */
export const aCode = () => unique('CODE').slice(0, 16).toUpperCase();

/** A coupon of ten percent. */
export const aCoupon = (app: TestApp, given: Partial<InsertObject<DB, 'discount'>> = {}) =>
  app.db
    .insertInto('discount')
    .values({ kind: 'coupon', name: 'Coupon', percent: 10, code: aCode(), ...given })
    .returningAll()
    .executeTakeFirstOrThrow();

/** From `rank` on, `percent` off. It ends the rule of this kind before it. */
export async function aRankRule(
  app: TestApp,
  kind: 'classes' | 'siblings',
  { rank = 2, percent = 10, name = kind === 'siblings' ? 'Siblings' : 'Several classes' } = {},
) {
  await app.pool.query(
    'update discount set ended_at = now() where kind = $1 and ended_at is null',
    [kind],
  );
  const rule = await app.db
    .insertInto('discount')
    .values({ kind, name })
    .returningAll()
    .executeTakeFirstOrThrow();
  await app.db.insertInto('discountStep').values({ discountId: rule.id, rank, percent }).execute();
  return rule;
}
