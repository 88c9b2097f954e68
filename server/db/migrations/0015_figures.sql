-- The sums that the admin's home page shows, kept by triggers: adding up all payments and classes for each view would take
-- longer with each of them. Eight rows share each sum, so that sales at the same moment seldom wait for one another. The
-- row follows from the id: classes that are changed in the order of their ids change these rows in order, too.
create function shard(uuid) returns smallint language sql immutable strict as
  $$ select (get_byte(uuid_send($1), 0) >> 5)::smallint $$;

-- Payments that were not refunded, by day (UTC).
create table takings (
  day   date not null,
  shard smallint not null,
  n     integer not null default 0,
  cents bigint not null default 0,
  primary key (day, shard)
) with (fillfactor = 50); -- room for the counters to change in place

create function is_kept(payment) returns boolean language sql immutable as
  $$ select $1.status in ('pending', 'succeeded', 'disputed') $$;
create function sum_takings() returns trigger language plpgsql as $$
begin
  insert into takings as t (day, shard, n, cents)
    select (change.date at time zone 'UTC')::date, shard(change.id), sum(change.sign), sum(change.sign * change.cents)
    from (select old.id, old.date, old.amount_cents as cents, -1 as sign where tg_op <> 'INSERT' and is_kept(old)
      union all select new.id, new.date, new.amount_cents, 1 where tg_op <> 'DELETE' and is_kept(new)) change
    group by 1, 2 order by 1, 2
  on conflict (day, shard) do update set n = t.n + excluded.n, cents = t.cents + excluded.cents;
  return null;
end $$;
-- Named so that it fires before tally_moved, as docs/locking.md wants.
create trigger sum_takings after insert or delete or update of status, date, amount_cents on payment
  for each row execute function sum_takings();
insert into takings
  select (date at time zone 'UTC')::date, shard(id), count(*), sum(amount_cents) from payment where is_kept(payment) group by 1, 2;

-- Sold seats of all classes, and seats of approved classes that are not sold. Seats that are being paid for are counted
-- from the live holds, so that a claim changes no row here.
create table seat_sum (
  shard  smallint primary key,
  sold   bigint not null default 0,
  unsold bigint not null default 0
) with (fillfactor = 50);

create function sum_seats() returns trigger language plpgsql as $$
declare
  more record;
begin
  select coalesce(sum(sign * sold), 0) as sold, coalesce(sum(sign * (capacity - sold)) filter (where status = 'approved'), 0) as unsold
    into more
    from (select -1 as sign, old.sold, old.capacity, old.status where tg_op <> 'INSERT'
      union all select 1, new.sold, new.capacity, new.status where tg_op <> 'DELETE') change;
  update seat_sum set sold = seat_sum.sold + more.sold, unsold = seat_sum.unsold + more.unsold
    where seat_sum.shard = shard(coalesce(new.id, old.id));
  return null;
end $$;
-- Named so that it fires after count_students, which locks the instructor, and before tally_moved.
create trigger sum_seats after update of sold, capacity, status on class for each row
  when (old.sold <> new.sold or old.capacity <> new.capacity or old.status <> new.status) execute function sum_seats();
create trigger sum_seats_added after insert or delete on class for each row execute function sum_seats();
insert into seat_sum
  select n, coalesce(sum(sold), 0), coalesce(sum(capacity - sold) filter (where status = 'approved'), 0)
  from generate_series(0, 7) n left join class on shard(class.id) = n group by n;

-- The fullest and the emptiest classes on sale, in thousandths of their seats.
create index class_fill on class ((1000 * sold / capacity), id) where status = 'approved';
