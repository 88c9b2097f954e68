-- Around a change of the clocks the wall clock of a meeting does not name one instant, and a calendar file names the
-- instants instead. Stored like `during`: computed for each reader, it took half of the time of a feed.
alter table meeting add column clocks_change boolean not null generated always as (
  ((day + starts) at time zone zone at time zone 'UTC' + make_interval(mins => minutes + 180)) at time zone 'UTC' at time zone zone
  - ((day + starts) at time zone zone at time zone 'UTC' - interval '3 hours') at time zone 'UTC' at time zone zone
  <> make_interval(mins => minutes + 360)) stored;
