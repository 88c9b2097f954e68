-- The words of a class name a single meeting with its day: 'Tue, Thu · 16:00–17:30; Thu 26 Nov · 07:00–08:30 · …'.
-- Without the day one moved meeting reads like a weekly one. Names of places may contain commas, so ' / ' separates
-- them.
drop function plan_words(jsonb, date, date);
-- As in 0018. `singles` comes after the weekly times.
create function plan_words(plan jsonb, first_day date, last_day date, singles text default '') returns text language sql stable as $$
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
    || singles || ' · ' || case
      when first_day = last_day then to_char(first_day, 'FMDD Mon YYYY')
      when extract(year from first_day) = extract(year from last_day)
        then to_char(first_day, 'FMDD Mon') || ' – ' || to_char(last_day, 'FMDD Mon YYYY')
      else to_char(first_day, 'FMDD Mon YYYY') || ' – ' || to_char(last_day, 'FMDD Mon YYYY') end
  from line
$$;

-- The words of meetings [[day, "16:00", minutes], …]; null without meetings. contract/slots.ts has the same in
-- TypeScript for the editor (describeDates); a test compares the two.
-- Weekdays of a weekly plan differ by one meeting at most. So a meeting that has its weekday and time alone is single
-- if another weekday and time has three meetings. If it has two, the time must be of this meeting alone.
create function dates_words(meetings jsonb) returns text language sql stable as $$
  with met as (
    select (m ->> 0)::date as day, extract(isodow from (m ->> 0)::date)::int as weekday, m ->> 1 as starts, (m -> 2)::int as minutes
    from jsonb_array_elements(meetings) m
  ), counted as (
    select *, count(*) over (partition by weekday, starts, minutes) as alike, count(*) over (partition by starts, minutes) as at_time
    from met
  ), judged as (
    select *, alike = 1 and max(alike) over () >= case at_time when 1 then 2 else 3 end as single from counted
  ), numbered as (
    select *, row_number() over (partition by single order by day, starts, minutes) as nth from judged
  )
  select plan_words(jsonb_agg(distinct jsonb_build_array(weekday, starts, minutes)) filter (where not single), min(day), max(day),
    coalesce(string_agg(
        '; ' || to_char(day, 'Dy FMDD Mon') || ' · ' || starts || '–' || to_char(starts::time + make_interval(mins => minutes), 'HH24:MI'),
        '' order by nth) filter (where single and nth <= 2), '')
      || case when count(*) filter (where single) > 2 then ' and ' || count(*) filter (where single) - 2 || ' more' else '' end)
  from numbered
$$;

-- As in 0018, but for `schedule` and `place`.
create or replace function tell_class() returns trigger language plpgsql as $$
begin
  update class set
    first_day = told.first_day, last_day = told.last_day, slots = told.slots, plan = told.plan,
    dates = class.dates + 1, version = class.version + 1,
    ends_at = told.ends_at, over = coalesce(told.ends_at <= now(), false),
    place = coalesce(told.place, class.place), place_ids = coalesce(told.place_ids, '{}'),
    -- All cancelled: the words stay. No meeting is left: they go.
    schedule = case when told.ends_at is null then '' else coalesce(dates_words(told.meetings), class.schedule) end
  from (
    select m.class_id, min(m.day) filter (where going) as first_day, max(m.day) filter (where going) as last_day,
      coalesce(max(upper(m.during)) filter (where going), 'epoch') as ends_at, -- all cancelled: over, not "without dates"
      coalesce(bit_or(1 << (extract(isodow from m.day)::int - 1) * 3 + (m.starts >= '12:00')::int + (m.starts >= '17:00')::int)
        filter (where going), 0) as slots,
      jsonb_agg(distinct jsonb_build_array(extract(isodow from m.day)::int, to_char(m.starts, 'HH24:MI'), m.minutes))
        filter (where going) as plan,
      jsonb_agg(jsonb_build_array(m.day, to_char(m.starts, 'HH24:MI'), m.minutes)) filter (where going) as meetings,
      string_agg(distinct place.name, ' / ') filter (where going) as place,
      array_agg(distinct place.id) filter (where going and place.id is not null) as place_ids
    from (select *, state <> 'cancelled' as going from meeting where class_id in (select class_id from changed)) m
    left join place on place.id = m.place_id group by m.class_id
    union all
    select c.class_id, null, null, null, 0, null, null, null, null from (select distinct class_id from changed) c
    where not exists (select from meeting where class_id = c.class_id)
  ) told where class.id = told.class_id;
  return null;
end $$;

-- The classes that exist get the new words. Nothing about them has changed: `version`, `dates` and `updated_at` stay.
-- Approved words that are the present ones change with them.
update class set schedule = told.schedule, place = told.place,
  approved = approved
    || case when approved ->> 'schedule' = class.schedule then jsonb_build_object('schedule', told.schedule) else '{}' end
    || case when approved ->> 'place' = class.place then jsonb_build_object('place', told.place) else '{}' end
from (
  select class.id, dates_words(jsonb_agg(jsonb_build_array(meeting.day, to_char(meeting.starts, 'HH24:MI'), meeting.minutes))) as schedule,
    coalesce(string_agg(distinct place.name, ' / '), class.place) as place
  from class join meeting on meeting.class_id = class.id and meeting.state <> 'cancelled'
  left join place on place.id = meeting.place_id group by class.id
) told where told.id = class.id and (told.schedule, told.place) <> (class.schedule, class.place);
