-- Takings are summed by the day at the academy, like everything else that a person sees by day. Until now: by UTC.
create function academy_day(timestamptz) returns date language sql stable as $$
  select ($1 at time zone coalesce((select time_zone from academy), 'UTC'))::date
$$;

create or replace function sum_takings() returns trigger language plpgsql as $$
begin
  insert into takings as t (day, shard, n, cents)
    select academy_day(change.date), shard(change.id), sum(change.sign * change.seats), sum(change.sign * change.cents)
    from (select old.id, old.date, old.seats, old.amount_cents - old.back_cents as cents, -1 as sign where tg_op <> 'INSERT'
      union all select new.id, new.date, new.seats, new.amount_cents - new.back_cents, 1 where tg_op <> 'DELETE') change
    group by 1, 2 order by 1, 2
  on conflict (day, shard) do update set n = t.n + excluded.n, cents = t.cents + excluded.cents;
  return null;
end $$;

-- With another zone all days are summed anew. The lock waits for payments that are being written, and they wait for it: the
-- sums see them, or they see the new zone.
create function sum_takings_anew() returns trigger language plpgsql as $$
begin
  lock table takings in share row exclusive mode;
  delete from takings;
  insert into takings
    select academy_day(date), shard(id), sum(seats), sum(amount_cents - back_cents) from payment group by 1, 2;
  return null;
end $$;
-- At the commit, after every other lock of the settings: docs/locking.md has takings among the last.
create constraint trigger sum_takings_anew after update of time_zone on academy deferrable initially deferred for each row
  when (old.time_zone is distinct from new.time_zone) execute function sum_takings_anew();

delete from takings;
insert into takings
  select academy_day(date), shard(id), sum(seats), sum(amount_cents - back_cents) from payment group by 1, 2;
