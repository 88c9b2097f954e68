-- One zone an academy: a meeting is day, time and minutes on the academy's clock, and its instants follow from them.
-- When the zone changes, features/classes/zone.ts says what becomes of the meetings to come. Past ones keep their instants.
create function meeting_during(day date, starts time, minutes integer) returns tstzrange language sql stable as $$
  select tstzrange(at, at + make_interval(mins => minutes))
  from (select (day + starts) at time zone coalesce((select time_zone from academy), 'UTC') as at) a
$$;

create function place_in_time() returns trigger language plpgsql as $$
declare
  zone text := (select coalesce(time_zone, 'UTC') from academy);
begin
  new.during := meeting_during(new.day, new.starts, new.minutes);
  -- Around a change of the clocks the wall clock does not name one instant, and a calendar file names the instants.
  new.clocks_change := (upper(new.during) + interval '3 hours') at time zone zone
    - (lower(new.during) - interval '3 hours') at time zone zone <> make_interval(mins => new.minutes + 360);
  return new;
end $$;

alter table meeting
  alter column during drop expression, alter column during set default 'empty',
  alter column clocks_change drop expression, alter column clocks_change set default false,
  drop column zone,
  -- Checked when the statement ends: meetings that change places, or all move by some hours, meet on the way.
  drop constraint meeting_place_free,
  drop constraint meeting_instructor_free,
  add constraint meeting_place_free exclude using gist (place_id with =, during with &&) where (state = 'on') deferrable,
  add constraint meeting_instructor_free exclude using gist (instructor_id with =, during with &&) where (state = 'on')
    deferrable;
drop index meeting_once;
alter table meeting add constraint meeting_once
  exclude using gist (class_id with =, day with =, starts with =) where (state in ('proposed', 'on')) deferrable;
create trigger place_in_time before insert or update of day, starts, minutes on meeting
  for each row execute function place_in_time();
