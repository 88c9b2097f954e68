-- When and where classes meet. That no place and no instructor is in two classes at once is a constraint, not a check
-- in code.
create extension if not exists btree_gist; -- trusted: the owner of the database may create it

-- The settings of the academy: one row. The start fills what is empty from the environment.
create table academy (
  one       boolean primary key default true check (one),
  time_zone text -- IANA name
);
insert into academy default values;

create table place (
  id       uuid primary key default gen_random_uuid(),
  name     text not null check (length(name) between 1 and 100),
  address  text not null default '',
  capacity integer not null check (capacity between 1 and 10000),
  closed   boolean not null default false -- no longer offered in the editor; its meetings stay
);
create unique index place_name on place (lower(name));

-- Holidays. The editor leaves these days out and says so.
create table closure (
  id        uuid primary key default gen_random_uuid(),
  name      text not null check (name <> ''),
  first_day date not null,
  last_day  date not null check (last_day between first_day and first_day + 366)
);

create table meeting (
  id            uuid primary key default gen_random_uuid(),
  class_id      uuid not null references class (id) on delete cascade,
  instructor_id uuid not null references "user" (id), -- the class's instructor, or the substitute of this day
  place_id      uuid references place (id),           -- null: not decided
  day           date not null,
  starts        time(0) not null,
  minutes       integer not null check (minutes between 5 and 1440),
  zone          text not null, -- of the academy when the row was written: a new setting moves no old meeting
  during        tstzrange not null generated always as (tstzrange(
    (day + starts) at time zone zone,
    -- The end is computed in UTC: a meeting lasts its real minutes also when the clocks change, and adding to a
    -- timestamptz is not immutable.
    ((day + starts) at time zone zone at time zone 'UTC' + make_interval(mins => minutes)) at time zone 'UTC')) stored,
  state         text not null default 'proposed' check (state in ('proposed', 'on', 'cancelled')),
  told          text not null default '', -- what families were told about the last change
  sequence      integer not null default 0, -- rises with every change that families are told about
  changed_at    timestamptz not null default now(),
  constraint meeting_place_free exclude using gist (place_id with =, during with &&) where (state = 'on'),
  constraint meeting_instructor_free exclude using gist (instructor_id with =, during with &&) where (state = 'on')
);
create unique index meeting_once on meeting (class_id, day, starts) where state <> 'cancelled';
create index meeting_class on meeting (class_id, day, starts);
create index meeting_day on meeting (day, starts, id) where state <> 'proposed';

drop trigger note_update on class;
alter table class
  add column min_age   smallint check (min_age between 0 and 120),
  add column max_age   smallint check (max_age between 0 and 120),
  add constraint class_ages check (max_age >= min_age),
  add column level     text not null default 'all' check (level in ('all', 'beginner', 'intermediate', 'advanced')),
  add column bring     text not null default '',
  -- Computed by tell_class below from the meetings, so that lists and claims need no join. A class without dates has
  -- nulls.
  add column first_day date,
  add column last_day  date,
  add column ends_at   timestamptz,
  add column slots     integer not null default 0, -- 21 bits: weekday × (before 12:00, before 17:00, later)
  add column plan      jsonb,                      -- [[weekday, "16:00", minutes], …]
  add column dates     integer not null default 0, -- rises with every change of a meeting
  add column over      boolean not null default false, -- the last meeting has ended
  add column place_ids uuid[] not null default '{}';
-- The list a class is in: its status until its last meeting has ended.
alter table class add column shelf text not null generated always as (case when over then 'over' else status end) stored;

-- 'Mon, Wed · 16:00–17:30 · 5 Jan – 18 Mar 2027', 'Mon–Fri · …', 'Daily · …'. contract/days.ts has the same in TypeScript for the editor; a test
-- compares the two.
create function plan_words(plan jsonb, first_day date, last_day date) returns text language sql stable as $$
  with slot as (
    select (p -> 0)::int as weekday, to_char((p ->> 1)::time, 'HH24:MI') as starts, (p -> 2)::int as minutes
    from jsonb_array_elements(plan) p
  ), named as (
    select *, (array ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])[weekday] as name,
      weekday - row_number() over (partition by starts, minutes order by weekday) as run
    from slot
  ), run as ( -- three days or more in a row are written as 'Mon–Wed'
    select starts, minutes, min(weekday) as earliest, case
      when count(*) = 7 then 'Daily'
      when count(*) >= 3 then min(name) filter (where before is null) || '–' || min(name) filter (where after is null)
      else string_agg(name, ', ' order by weekday) end as days
    from (select *, lag(weekday) over one as before, lead(weekday) over one as after
      from named window one as (partition by starts, minutes, run order by weekday)) n
    group by starts, minutes, run
  ), line as (
    select starts, minutes, min(earliest) as earliest, string_agg(days, ', ' order by earliest) as days
    from run group by starts, minutes
  )
  select string_agg(days || ' · ' || starts || '–' || to_char(starts::time + make_interval(mins => minutes), 'HH24:MI'),
      '; ' order by earliest, starts, minutes)
    || ' · ' || case
      when first_day = last_day then to_char(first_day, 'FMDD Mon YYYY')
      when extract(year from first_day) = extract(year from last_day)
        then to_char(first_day, 'FMDD Mon') || ' – ' || to_char(last_day, 'FMDD Mon YYYY')
      else to_char(first_day, 'FMDD Mon YYYY') || ' – ' || to_char(last_day, 'FMDD Mon YYYY') end
  from line
$$;

-- A change of a meeting is a change of what an admin reviews, so `version` rises too.
create function tell_class() returns trigger language plpgsql as $$
begin
  update class set
    first_day = told.first_day, last_day = told.last_day, slots = told.slots, plan = told.plan,
    dates = class.dates + 1, version = class.version + 1,
    ends_at = told.ends_at, over = coalesce(told.ends_at <= now(), false),
    place = coalesce(told.place, class.place), place_ids = coalesce(told.place_ids, '{}'),
    -- All cancelled: the words stay. No meeting is left: they go.
    schedule = case when told.ends_at is null then '' else coalesce(plan_words(told.plan, told.first_day, told.last_day), class.schedule) end
  from (
    select m.class_id, min(m.day) filter (where going) as first_day, max(m.day) filter (where going) as last_day,
      coalesce(max(upper(m.during)) filter (where going), 'epoch') as ends_at, -- all cancelled: over, not "without dates"
      coalesce(bit_or(1 << (extract(isodow from m.day)::int - 1) * 3 + (m.starts >= '12:00')::int + (m.starts >= '17:00')::int)
        filter (where going), 0) as slots,
      jsonb_agg(distinct jsonb_build_array(extract(isodow from m.day)::int, to_char(m.starts, 'HH24:MI'), m.minutes))
        filter (where going) as plan,
      string_agg(distinct place.name, ', ') filter (where going) as place,
      array_agg(distinct place.id) filter (where going and place.id is not null) as place_ids
    from (select *, state <> 'cancelled' as going from meeting where class_id in (select class_id from changed)) m
    left join place on place.id = m.place_id group by m.class_id
    union all
    select c.class_id, null, null, null, 0, null, null, null from (select distinct class_id from changed) c
    where not exists (select from meeting where class_id = c.class_id)
  ) told where class.id = told.class_id;
  return null;
end $$;
create trigger tell_class_added after insert on meeting referencing new table as changed
  for each statement execute function tell_class();
create trigger tell_class_changed after update on meeting referencing new table as changed
  for each statement execute function tell_class();
create trigger tell_class_removed after delete on meeting referencing old table as changed
  for each statement execute function tell_class();

-- Lists are read by shelf: last season's classes, the best sold of all, must not be in the way of this season's.
drop index class_status_popular, class_status_price, class_status_name, class_status_unsold, class_status,
  class_popular_free, class_sport, class_taught, class_fill, class_waiting;
create index class_shelf_popular on class (shelf, sold desc, id);
create index class_shelf_price on class (shelf, price_cents, id);
create index class_shelf_name on class (shelf, lower(name), id);
create index class_shelf_unsold on class (shelf, (capacity - sold), id);
create index class_shelf on class (shelf, created_at, id);
create index class_sport on class (sport, sold desc, id) where shelf = 'approved';
create index class_taught on class (instructor_id) where shelf = 'approved';
create index class_popular_free on class (sold desc, id) where shelf = 'approved' and sold < capacity;
create index class_fill on class ((1000 * sold / capacity), id) where shelf = 'approved';
create index class_waiting on class (handed_in_at, id) where shelf = 'pending';
create index class_ending on class (ends_at) where not over;
create index class_places on class using gin (place_ids) where shelf = 'approved';

insert into tally (kind, key) values ('class', 'over');
drop trigger tally_added on class;
drop trigger tally_removed on class;
drop trigger tally_moved on class;
create trigger tally_added after insert on class referencing new table as added
  for each statement execute function tally_added('class', 'shelf');
create trigger tally_removed after delete on class referencing old table as removed
  for each statement execute function tally_removed('class', 'shelf');
create trigger tally_moved after update of status, over on class for each row
  when (old.shelf is distinct from new.shelf) execute function tally_moved('class', 'shelf');

-- Seats that are not sold are those of classes on the shelf.
create or replace function sum_seats() returns trigger language plpgsql as $$
declare
  more record;
begin
  select coalesce(sum(sign * sold), 0) as sold, coalesce(sum(sign * (capacity - sold)) filter (where shelf = 'approved'), 0) as unsold
    into more
    from (select -1 as sign, old.sold, old.capacity, old.shelf where tg_op <> 'INSERT'
      union all select 1, new.sold, new.capacity, new.shelf where tg_op <> 'DELETE') change;
  update seat_sum set sold = seat_sum.sold + more.sold, unsold = seat_sum.unsold + more.unsold
    where seat_sum.shard = shard(coalesce(new.id, old.id));
  return null;
end $$;
drop trigger sum_seats on class;
create trigger sum_seats after update of sold, capacity, status, over on class for each row
  when (old.sold <> new.sold or old.capacity <> new.capacity or old.shelf <> new.shelf) execute function sum_seats();

-- The claim itself compares the end with the clock, so nothing is sold between the end and the chore that sets `over`.
create or replace function on_sale(class) returns boolean language sql stable as
  $$ select $1.shelf = 'approved' and ($1.ends_at is null or $1.ends_at > now()) $$;

-- '6–8 years' and '8 to 12' become ranges, '8 years and older' a lower bound; anything else stays words.
update class set min_age = found[1]::smallint, max_age = found[2]::smallint
from (select id, regexp_match(ages, '^\s*(\d{1,2})(?:\s*(?:[–-]|to)\s*(\d{1,2})|(?=\s+years and older))') as found from class) a
where a.id = class.id and found is not null and coalesce(found[2]::int, 120) >= found[1]::int;

-- What a class is found by: also its weekdays and times of day, the ages it is for, and other names of its sport.
create function slot_words(slots integer) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(words, ' '), '') from (values
    (7, 'monday mon'), (7 << 3, 'tuesday tue'), (7 << 6, 'wednesday wed'), (7 << 9, 'thursday thu'),
    (7 << 12, 'friday fri'), (7 << 15, 'saturday sat weekend'), (7 << 18, 'sunday sun weekend'),
    (299593, 'morning'), (299593 << 1, 'afternoon'), (299593 << 2, 'evening')) word (mask, words)
  where slots & mask <> 0
$$;
create function age_words(lowest smallint, highest smallint) returns text language sql immutable parallel safe as $$
  select case when lowest is null and highest is null then '' else
    'age ages year years old ' || (select string_agg(n::text, ' ') from generate_series(coalesce(lowest, 0), coalesce(highest, 99)) n) end
$$;
create function synonyms(written text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(other, ' '), '') from (values
    ('soccer', 'football'), ('football', 'soccer'), ('table tennis', 'ping pong pingpong'), ('ping.?pong', 'table tennis'),
    ('cycling', 'bike biking bicycle'), ('bik(e|ing)', 'cycling'), ('fitness', 'gym workout'), ('running', 'jogging athletics'),
    ('swimming', 'pool'), ('yoga', 'stretching'), ('basketball', 'hoops'), ('archery', 'bow')) word (pattern, other)
  where written ~* pattern
$$;
alter table class drop column words;
alter table class add column words tsvector generated always as (split_words(
  name || ' ' || instructor || ' ' || sport || ' ' || place || ' ' || slot_words(slots) || ' ' || age_words(min_age, max_age)
  || ' ' || synonyms(name || ' ' || sport))) stored;
create index class_words on class using gin (words);
-- A search that finds nothing is tried again with names that look alike. Without the extension it is not tried.
do $$ begin
  create extension if not exists pg_trgm;
  create index class_alike on class using gin (lower(name) gin_trgm_ops) where shelf = 'approved';
exception when others then
  raise notice 'pg_trgm is not available (%): a search does not forgive a typo', sqlerrm;
end $$;

-- Every column but the two counters and those that are generated (0016).
do $$ begin
  execute format('create trigger note_update after update of %s on class for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('held', 'sold')));
end $$;
-- Places, holidays and the time zone are on pages that every process keeps.
create trigger note_change after insert or update or delete on place for each statement execute function note_change('classes');
create trigger note_change after insert or update or delete on closure for each statement execute function note_change('classes');
create trigger note_change after update on academy for each statement execute function note_change('classes');
