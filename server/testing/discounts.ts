// Discounts for tests, as rows.
import type { InsertObject } from 'kysely';
import type { DB } from '../platform/db/schema.ts';
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
