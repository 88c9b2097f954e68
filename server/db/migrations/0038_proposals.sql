-- What the coach of an approved class wants changed waits beside it; the class stays on sale as it was approved.
-- When a class is over is decided once, for those with dates and those without.
drop trigger note_update on class;
drop index class_waiting;
drop view media_in_use;
alter table class
  drop column approved,
  drop column handed_in_at,
  add column proposal    jsonb, -- {field: {from, to}} of the fields that would change
  -- Since when it waits for the office, or since the last change of its proposal. Null: nothing waits.
  add column proposed_at timestamptz(3) default now(),
  add column over_at     timestamptz, -- the office said so; only of a class without dates, which then end here
  add column closes_at   timestamptz, -- when the sale ends: the last meeting begins, or over_at
  add constraint class_waits check (proposed_at is not null or (status <> 'pending' and proposal is null)),
  add constraint class_proposal check (proposal is null
    or (status = 'approved' and jsonb_typeof(proposal) = 'object' and proposal <> '{}')),
  add constraint class_over_at check (over_at is null or (ends_at = over_at and closes_at = over_at));
create index class_waiting on class (proposed_at, id) where proposed_at is not null and not over;


-- As in 0029, with the pictures that are proposed.
create view media_in_use as
  select media_named(img) as sha256 from class where img like '/media/%'
  union all
  select media_named(proposal #>> '{img,to}') from class where proposal #>> '{img,to}' like '/media/%'
  union all
  select media_named(image) from "user" where image like '/media/%'
  union all
  select media_named(to_jsonb(academy)::text) from academy;
create or replace function keep_media() returns trigger language plpgsql as $$
declare
  words text;
  kept uuid[];
begin
  if tg_table_name = 'class' then
    words := concat_ws(' ', old.img, new.img, old.proposal #>> '{img,to}', new.proposal #>> '{img,to}');
  elsif tg_table_name = 'user' then words := concat(old.image, ' ', new.image);
  else words := concat(to_jsonb(old), ' ', to_jsonb(new));
  end if;
  if words like '%/media/%' then
    -- In one order: two writers may exchange their pictures.
    select array_agg(id) into kept from (
      select id from media where sha256 in (select media_named(words)) order by id for no key update) locked;
    update media set kept_at = now() where id = any (kept);
  end if;
  return null;
end $$;
drop trigger keep_media on class;
create trigger keep_media after insert or update of img, proposal on class
  for each row execute function keep_media();

-- When the class is over for somebody who enrolled then: one without dates lasts a year.
create function ends_for(class, enrolled timestamptz) returns timestamptz language sql stable as
  $$ select coalesce($1.ends_at, enrolled + interval '12 months') $$;

-- As in 0018, but until the last meeting begins.
create or replace function on_sale(class) returns boolean language sql stable as
  $$ select $1.shelf = 'approved' and ($1.closes_at is null or $1.closes_at > now()) $$;

-- As in 0034. Dates bring a class back that the office had called over.
create or replace function tell_class() returns trigger language plpgsql as $$
begin
  update class set
    first_day = told.first_day, last_day = told.last_day, slots = told.slots, plan = told.plan,
    dates = class.dates + 1, version = class.version + 1,
    over_at = case when told.ends_at is null then class.over_at end,
    ends_at = coalesce(told.ends_at, class.over_at), closes_at = coalesce(told.closes_at, class.over_at),
    over = coalesce(coalesce(told.closes_at, class.over_at) <= now(), false),
    place = coalesce(told.place, class.place), place_ids = coalesce(told.place_ids, '{}'),
    -- All cancelled: the words stay. No meeting is left: they go.
    schedule = case when told.ends_at is null then '' else coalesce(dates_words(told.meetings), class.schedule) end
  from (
    select m.class_id, min(m.day) filter (where going) as first_day, max(m.day) filter (where going) as last_day,
      coalesce(max(upper(m.during)) filter (where going), 'epoch') as ends_at, -- all cancelled: over, not "without dates"
      coalesce(max(lower(m.during)) filter (where going), 'epoch') as closes_at,
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
    select c.class_id, null, null, null, null, 0, null, null, null, null from (select distinct class_id from changed) c
    where not exists (select from meeting where class_id = c.class_id)
  ) told where class.id = told.class_id;
  return null;
end $$;
-- As in 0026.
do $$ begin
  execute format('create trigger note_update after update of %s on class for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attname not in ('held', 'sold', 'offered', 'waiting')));
end $$;
