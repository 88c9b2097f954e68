// The admin's discounts: list, add, end.
import type { Services } from '../platform/services.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import {
  addDiscount,
  type Discount,
  endDiscount,
  listDiscounts,
} from '../../contract/checkout/discounts.ts';
import { dollars, slice } from '../../contract/platform/rules.ts';
import { type Db, type RowOf, execute, query, queryOne } from '../platform/db/connection.ts';
import { fail, refuseField, refusing, unknownSport } from '../platform/http/fail.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { today } from '../platform/db/zone.ts';

export function discountRoutes({ on, db, write }: Services): void {
  on(listDiscounts, async (input) => {
    const rows = await list(db, slice(input));
    const counted = await queryOne<{ total: number }>(db)`
      select count(*)::int as total from discount`;
    return { items: rows.map(present), total: counted?.total ?? 0 };
  });

  on(addDiscount, (input, { who }) =>
    write(who, async (db) => {
      const { kind, classId } = input;
      // Two admins at once: the later rule ends the earlier one.
      await execute(db)`select pg_advisory_xact_lock(hashtextextended('discounts', 0))`;
      if (classId && !(await queryOne(db)`select from class where id = ${classId} for key share`))
        fail('NOT_FOUND', { field: 'classId' });
      if (kind === 'classes' || kind === 'siblings')
        await execute(
          db,
        )`update discount set ended_at = now() where kind = ${kind} and ended_at is null`;
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

type Row = RowOf<
  'discount',
  | 'id'
  | 'kind'
  | 'name'
  | 'percent'
  | 'cents'
  | 'code'
  | 'classId'
  | 'sport'
  | 'usesMost'
  | 'uses'
  | 'perAccount'
  | 'createdAt'
> & {
  lastDay: string | null;
  className: string | null;
  steps: { rank: number; percent: number }[] | null;
  lines: number;
  givenCents: number;
  state: Discount['state'];
};

/** The page is cut first: only its rows are added up. */
const list = (db: Db, { limit, offset }: ReturnType<typeof slice>) => query<Row>(db)`
  with discount as (
    select *, case when ended_at is not null then 'ended' when until <= now() then 'over' else 'on' end as state
    from discount order by ended_at is not null, coalesce(until <= now(), false), created_at desc, id
    limit ${limit} offset ${offset})
  select discount.id, kind, discount.name, percent, discount.cents, code, class_id, discount.sport, uses_most, uses, per_account,
    discount.created_at, discount.state, class.name as class_name,
    ((until at time zone coalesce((select time_zone from academy), 'UTC')) - interval '1 microsecond')::date::text as last_day,
    (select json_agg(json_build_object('rank', rank, 'percent', step.percent) order by rank)
      from discount_step step where discount_id = discount.id) as steps,
    coalesce(given.lines, 0)::int as lines, coalesce(given.cents, 0)::float8 as given_cents
  from discount left join class on class.id = discount.class_id
  left join lateral (
    select count(distinct line.id) as lines, sum((reason ->> 'cents')::int) as cents
    from payment_line line cross join jsonb_array_elements(line.why) why (reason)
    where line.why <> '[]' and line.why @> jsonb_build_array(jsonb_build_object('rule', discount.id))
      and line.outcome = 'enrolled' and reason ->> 'rule' = discount.id::text) given on true
  order by discount.state = 'ended', discount.state = 'over', discount.created_at desc, discount.id`;

function present(row: Row): Discount {
  const isCoupon = row.kind === 'coupon';
  return {
    _id: row.id,
    kind: row.kind as Discount['kind'],
    name: row.name,
    ...(row.percent !== null && { percent: row.percent }),
    ...(row.cents !== null && { amount: dollars(row.cents) }),
    ...(row.steps && { steps: row.steps }),
    ...(row.code !== null && { code: row.code }),
    ...(row.lastDay !== null && { until: row.lastDay }),
    ...(row.classId !== null && { classId: row.classId, className: row.className ?? '' }),
    ...(row.sport !== null && { sport: row.sport }),
    ...(row.usesMost !== null && { usesMost: row.usesMost }),
    ...(isCoupon && { perAccount: row.perAccount }),
    uses: isCoupon ? row.uses : row.lines,
    given: dollars(row.givenCents),
    createdAt: row.createdAt.toISOString(),
    state: row.state,
  };
}

async function insert(db: Db, input: Parsed<typeof addDiscount>, by: string): Promise<string> {
  const made = await queryOne<RowOf<'discount', 'id'>>(db)`
    insert into discount (kind, name, percent, cents, code, until, class_id, sport, uses_most, per_account, created_by)
    select ${input.kind}, ${input.name}, ${input.percent ?? null}::smallint, ${input.amount ?? null}::int, ${input.code ?? null},
      (${input.until ?? null}::date + 1)::timestamp at time zone coalesce((select time_zone from academy), 'UTC'),
      ${input.classId ?? null}::uuid, ${input.sport ?? null}, ${input.usesMost ?? null}::int, ${input.perAccount ?? 1}, ${by}
    where ${input.until ?? null}::date is null or ${input.until ?? null}::date >= ${today}
    returning id`;
  if (!made) refuseField('until', 'must be today or later');
  for (const { rank, percent } of input.steps ?? [])
    await execute(db)`insert into discount_step values (${made.id}, ${rank}, ${percent})`;
  return made.id;
}
