// The admin's discounts: list, add, end.
import type { Services } from '../platform/services.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import {
  addDiscount,
  type Discount,
  endDiscount,
  listDiscounts,
} from '../../contract/checkout/discounts.ts';
import { slice } from '../../contract/platform/rules.ts';
import { type Db, type RowOf, execute, query, queryOne } from '../platform/db/connection.ts';
import { fail, refuseField, refusing, unknownSport } from '../platform/http/fail.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { today } from '../platform/db/zone.ts';

export function discountRoutes({ on, db, write }: Services): void {
  on(listDiscounts, async (input) => {
    const counted = await queryOne<{ total: number }>(db)`
      select count(*)::int as total from discount`;
    return { items: await list(db, slice(input)), total: counted?.total ?? 0 };
  });

  on(addDiscount, (input, { who }) =>
    write(who, async (db) => {
      const { kind, classId } = input;
      // Two admins at once: the later rule ends the earlier one.
      await execute(db)`select pg_advisory_xact_lock(hashtextextended('discounts', 0))`;
      if (classId && !(await queryOne(db)`select from class where id = ${classId} for key share`))
        fail('NOT_FOUND', { field: 'classId' });
      if (kind === 'classes' || kind === 'siblings')
        await execute(db)`
            update discount set ended_at = now() where kind = ${kind} and ended_at is null`;
      const id = await insert(db, input, who.id);
      const audit = { action: 'discount added', subject: id, detail: input.name } as const;
      return { answer: { insertedId: id }, audit };
    }).catch(
      refusing({
        ...unknownSport,
        // A code is used once, also after its discount has ended.
        discount_code_key: () => fail('CODE_TAKEN', { field: 'code' }),
      }),
    ),
  );

  on(endDiscount, ({ id }, { who }) =>
    write(who, async (db) => {
      const found = await queryOne<RowOf<'discount', 'name' | 'endedAt'>>(db)`
        select name, ended_at from discount where id = ${id} for no key update`;
      if (!found) fail('NOT_FOUND');
      if (found.endedAt) return unchanged;
      await execute(db)`update discount set ended_at = now() where id = ${id}`;
      return changed({ action: 'discount ended', subject: id, detail: found.name });
    }),
  );
}

/** The page is cut first: only its rows are added up. */
const list = (db: Db, { limit, offset }: ReturnType<typeof slice>) => query<Discount>(db)`
  with discount as (
    select *, case when ended_at is not null then 'ended' when until <= now() then 'over' else 'on' end as state
    from discount order by ended_at is not null, coalesce(until <= now(), false), created_at desc, id
    limit ${limit} offset ${offset})
  select discount.id as discount_id, kind, discount.name, percent, discount.cents, code, class_id, discount.sport, uses_most,
    discount.state, class.name as class_name,
    case when kind = 'coupon' then uses else given.lines::int end as uses, given.cents::float8 as given_cents,
    ((until at time zone coalesce((select time_zone from academy), 'UTC')) - interval '1 microsecond')::date::text as until,
    array(select json_build_object('rank', rank, 'percent', step.percent)
      from discount_step step where discount_id = discount.id order by rank) as steps
  from discount left join class on class.id = discount.class_id
  cross join lateral (
    select count(distinct line.id) as lines, coalesce(sum((reason ->> 'cents')::int), 0) as cents
    from payment_line line cross join jsonb_array_elements(line.why) why (reason)
    where line.why <> '[]' and line.why @> jsonb_build_array(jsonb_build_object('rule', discount.id))
      and line.outcome = 'enrolled' and reason ->> 'rule' = discount.id::text) given
  order by discount.state = 'ended', discount.state = 'over', discount.created_at desc, discount.id`;

async function insert(db: Db, input: Parsed<typeof addDiscount>, by: string): Promise<string> {
  const made = await queryOne<RowOf<'discount', 'id'>>(db)`
    insert into discount (kind, name, percent, cents, code, until, class_id, sport, uses_most, per_account, created_by)
    select ${input.kind}, ${input.name}, ${input.percent ?? null}::smallint, ${input.cents ?? null}::int, ${input.code ?? null},
      (${input.until ?? null}::date + 1)::timestamp at time zone coalesce((select time_zone from academy), 'UTC'),
      ${input.classId ?? null}::uuid, ${input.sport ?? null}, ${input.usesMost ?? null}::int, ${input.perAccount ?? 1}, ${by}
    where ${input.until ?? null}::date is null or ${input.until ?? null}::date >= ${today}
    returning id`;
  if (!made) refuseField('until', 'must be today or later');
  for (const { rank, percent } of input.steps ?? [])
    await execute(db)`insert into discount_step values (${made.id}, ${rank}, ${percent})`;
  return made.id;
}
