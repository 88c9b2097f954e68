// The price rules in force, and coupons: found by code, reserved by a basket, given back when it is
// closed.
import { limits } from '../../contract/platform/limits.ts';
import {
  type Nudge,
  type Imagined,
  nudgeOf,
  type PriceLine,
  type PriceRules,
} from '../../contract/checkout/pricing.ts';
import type { Config } from '../platform/config.ts';
import { type Db, type RowOf, execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, onSale } from '../platform/db/states.ts';
import { fail } from '../platform/http/fail.ts';
import { fitsAge } from '../people/participants.ts';

const isAlive = sql`discount.ended_at is null and (discount.until is null or discount.until > now())`;

const stepsOf = sql`(select json_agg(json_build_object('rank', rank, 'percent', percent) order by rank)
  from discount_step where discount_id = discount.id)`;

type Ranked = NonNullable<PriceRules['classes']>;

interface InForce {
  discounts: (RowOf<'discount', 'id' | 'kind' | 'name' | 'percent' | 'classId' | 'sport'> & {
    steps: Ranked['steps'] | null;
  })[];
  /** Enrolments in classes that are not over, of everybody in the account's care. */
  earlier: NonNullable<PriceRules['earlier']>;
}

/** The rules for this account's baskets, without a coupon. */
export async function rulesFor(db: Db, studentId: string): Promise<PriceRules> {
  // Enrolments are counted only when a rule asks for ranks.
  const found = await queryOne<InForce>(db)`
  with discounts as materialized (
    select id, kind, name, percent, class_id, sport, created_at, ${stepsOf} as steps from discount
    where kind in ('early', 'classes', 'siblings') and ${isAlive}
  ), earlier as (
    select enrolment.participant_id, count(*)::int as classes, min(enrolment.created_at) as since
    from guardian join enrolment on enrolment.participant_id = guardian.participant_id
      join class on class.id = enrolment.class_id
    where exists (select from discounts where kind <> 'early')
      and guardian.user_id = ${studentId} and ${activeEnrolment()}
      and ends_for(class, enrolment.created_at) > now()
    group by enrolment.participant_id
  )
  select
    array(select json_build_object('id', id, 'kind', kind, 'name', name, 'percent', percent,
      'classId', class_id, 'sport', sport, 'steps', steps) from discounts order by created_at, id) as discounts,
    array(select json_build_object('participantId', participant_id, 'oneself', participant_id = ${studentId},
      'classes', classes) from earlier order by since, participant_id) as earlier`;
  const { discounts, earlier } = found ?? { discounts: [], earlier: [] };
  const ranked = (kind: string): Ranked | null => {
    const rule = discounts.find((row) => row.kind === kind);
    return rule ? { id: rule.id, name: rule.name, steps: rule.steps ?? [] } : null;
  };
  const classes = ranked('classes');
  const siblings = ranked('siblings');
  return {
    early: discounts.flatMap(({ kind, percent, steps: _steps, ...rule }) =>
      kind === 'early' ? [{ ...rule, percent: percent ?? 0 }] : [],
    ),
    ...(classes && { classes }),
    ...(siblings && { siblings }),
    ...((classes ?? siblings) && { earlier }),
  };
}

/**
 * A coupon by its code, as the contract normalises it. Unknown and ended codes get the same answer.
 * Ten wrong ones in a minute stop the account, so that codes cannot be guessed.
 */
export function createFindCoupon(config: Pick<Config, 'rateLimit'>) {
  const wrong = new Map<string, { count: number; until: number }>();
  const minute = 60_000;

  function wrongCodesOf(studentId: string) {
    const now = Date.now();
    if (wrong.size > 10_000)
      for (const [id, { until }] of wrong) if (until <= now) wrong.delete(id);
    const known = wrong.get(studentId);
    if (known && known.until > now) return known;
    const fresh = { count: 0, until: now + minute };
    wrong.set(studentId, fresh);
    return fresh;
  }

  return async (db: Db, studentId: string, code: string) => {
    const guesses = wrongCodesOf(studentId);
    if (config.rateLimit && guesses.count >= limits.discount.wrongCodesPerMinute)
      fail('RATE_LIMITED', {}, Math.ceil((guesses.until - Date.now()) / 1_000));
    // Counted before the query: requests at the same moment count each other.
    guesses.count += 1;
    const found = await queryOne<RowOf<'discount', 'id' | 'name' | 'percent' | 'cents'>>(db)`
      select id, name, percent, cents from discount where kind = 'coupon' and code = ${code} and ${isAlive}`;
    if (found) guesses.count -= 1;
    return found ?? fail('COUPON_UNKNOWN', { field: 'coupon' });
  };
}

type CouponUse = Record<'basketId' | 'studentId' | 'couponId', string>;

/**
 * Takes one use of a coupon for a new basket, in the transaction that makes it, after its holds are
 * locked. The lock on the coupon keeps the choice of `nth` right.
 */
export async function reserveCoupon(db: Db, use: CouponUse): Promise<void> {
  const used = await execute(db)`
    update discount set uses = uses + 1
    where id = ${use.couponId} and ${isAlive} and (uses_most is null or uses < uses_most)`;
  if (used !== 1) fail('COUPON_USED_UP', { field: 'coupon' });
  const taken = await execute(db)`
    insert into coupon_use (basket_id, discount_id, student_id, nth)
    select ${use.basketId}, discount.id, ${use.studentId}, slot
    from discount, generate_series(1, discount.per_account) slot
    where discount.id = ${use.couponId} and not exists (
      select from coupon_use u where u.discount_id = discount.id and u.student_id = ${use.studentId}
        and u.nth = slot and u.ended_at is null)
    order by slot limit 1`;
  if (taken !== 1) fail('COUPON_USED_UP', { field: 'coupon' });
}

/**
 * Refuses a coupon that the account could not reserve: the quote says so at the field of the code. What
 * its own open baskets have reserved is theirs. Only reserveCoupon() is sure.
 */
export async function refuseUsedUp(
  db: Db,
  { studentId, couponId }: Omit<CouponUse, 'basketId'>,
): Promise<void> {
  const usedUp = await queryOne(db)`
    with mine as (
      select count(*) filter (where basket.state = 'paid') as paid, count(*) filter (where basket.state <> 'paid') as open
      from coupon_use join basket on basket.id = coupon_use.basket_id
      where coupon_use.discount_id = ${couponId} and coupon_use.student_id = ${studentId} and coupon_use.ended_at is null
    )
    select from discount, mine
    where discount.id = ${couponId} and (mine.paid >= per_account or uses - mine.open >= uses_most)`;
  if (usedUp) fail('COUPON_USED_UP', { field: 'coupon' });
}

/** The coupon that a basket has taken. */
export const lockCoupon = (db: Db, basketId: ReturnType<typeof sql>) =>
  execute(db)`
    select from discount where id = (
      select discount_id from coupon_use where basket_id = ${basketId} and ended_at is null)
    for no key update`;

/**
 * Gives the use of a closed basket back, in the transaction that closes it. The coupon is locked
 * before its use, as when one is taken.
 */
export async function returnCoupon(db: Db, basketId: string): Promise<void> {
  await lockCoupon(db, sql`${basketId}::uuid`);
  await execute(db)`
    with ended as (
      update coupon_use set ended_at = now() where basket_id = ${basketId} and ended_at is null
      returning discount_id)
    update discount set uses = uses - 1 from ended where discount.id = ended.discount_id`;
}

/**
 * At most one suggestion: for everybody in the account's care the cheapest other class of a sport
 * that is in the basket, if a rule would take something off.
 */
export async function nudgesFor(
  db: Db,
  studentId: string,
  lines: readonly PriceLine[],
  rules: PriceRules,
): Promise<Nudge[]> {
  if (lines.length === 0 || (!rules.classes && !rules.siblings)) return [];
  const sports = [...new Set(lines.map(({ sport }) => sport ?? ''))];
  const taken = lines.map(({ participantId, classId }) => `${participantId} ${classId}`);
  const rows = await query<Imagined>(db)`
    select participant.id as participant_id, participant.id = ${studentId} as oneself,
      case when participant.id <> ${studentId} then participant.name end as name,
      other.id as class_id, other.sport, other.now_cents as cents
    from guardian join participant on participant.id = guardian.participant_id
    cross join lateral (
      select class.id, class.sport, class.now_cents from class
      where class.shelf = 'approved' and ${onSale} and class.free >= 1 and class.sport = any (${sports})
        and ${fitsAge} and participant.id || ' ' || class.id <> all (${taken})
        and not exists (select from enrolment e where e.participant_id = participant.id
          and e.class_id = class.id and ${activeEnrolment('e')})
      order by class.now_cents, class.id limit 1) other
    where guardian.user_id = ${studentId}`;
  const nudge = nudgeOf(lines, rules, rows);
  return nudge === null ? [] : [nudge];
}
