-- Classes, the tally of what lists count, the audit log, and the notes that tell every process what changed.

create table class (
  id            uuid primary key default gen_random_uuid(),
  instructor_id uuid not null references "user" (id),
  instructor    text not null, -- the name; kept in step with "user" below so that search and lists need no join
  name          text not null check (name <> ''),
  img           text not null,
  sport         text not null default 'Other',
  description   text not null default '',
  ages          text not null default '',
  schedule      text not null default '',
  place         text not null default '',
  feedback      text not null default '',
  price_cents   integer not null check (price_cents between 50 and 1000000),
  capacity      integer not null check (capacity between 1 and 10000),
  held          integer not null default 0,
  sold          integer not null default 0,
  status        text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  words         tsvector generated always as (to_tsvector('simple', name || ' ' || instructor || ' ' || sport || ' ' || place)) stored,
  -- The last line of defence of every seat: no code, however wrong, sells one that is not there.
  constraint class_seats check (held >= 0 and sold >= 0 and held + sold <= capacity)
) with (fillfactor = 80); -- room for the counters to change in place

create index class_popular on class (sold desc, id) where status = 'approved';
create index class_new on class (created_at desc, id) where status = 'approved';
create index class_price on class (price_cents, id) where status = 'approved';
create index class_name on class (lower(name), id) where status = 'approved';
create index class_sport on class (sport, sold desc, id) where status = 'approved';
create index class_instructor on class (instructor_id, created_at desc, id);
create index class_all on class (created_at desc, id);
create index class_all_name on class (lower(name), id);
create index class_status on class (status, created_at, id);
create index class_words on class using gin (words);

create function keep_instructor_name() returns trigger language plpgsql as $$
begin
  update class set instructor = new.name where instructor_id = new.id;
  return null;
end $$;
create trigger keep_instructor_name after update of name on "user"
  for each row when (old.name is distinct from new.name) execute function keep_instructor_name();

-- Counting a million rows for each page would make lists slow; the tally is kept by the database itself.
create table tally (
  kind text not null,
  key  text not null,
  n    bigint not null default 0,
  primary key (kind, key)
);
insert into tally (kind, key, n) select 'user', r, (select count(*) from "user" where role = r) from unnest(array ['student', 'instructor', 'admin']) r;
insert into tally (kind, key) select 'class', s from unnest(array ['pending', 'approved', 'denied']) s;

-- Each takes the kind of thing and the column it is counted by.
create function tally_added() returns trigger language plpgsql as $$
begin
  execute format('update tally t set n = t.n + a.n from (select %I as key, count(*) as n from added group by 1) a where t.kind = %L and t.key = a.key', tg_argv[1], tg_argv[0]);
  return null;
end $$;
create function tally_removed() returns trigger language plpgsql as $$
begin
  execute format('update tally t set n = t.n - a.n from (select %I as key, count(*) as n from removed group by 1) a where t.kind = %L and t.key = a.key', tg_argv[1], tg_argv[0]);
  return null;
end $$;
create function tally_moved() returns trigger language plpgsql as $$
declare
  source text := to_jsonb(old) ->> tg_argv[1];
  target text := to_jsonb(new) ->> tg_argv[1];
begin
  update tally set n = n + case key when target then 1 else -1 end where kind = tg_argv[0] and key in (source, target);
  return null;
end $$;
create trigger tally_added after insert on class referencing new table as added for each statement execute function tally_added('class', 'status');
create trigger tally_removed after delete on class referencing old table as removed for each statement execute function tally_removed('class', 'status');
create trigger tally_moved after update of status on class for each row when (old.status is distinct from new.status) execute function tally_moved('class', 'status');
create trigger tally_added after insert on "user" referencing new table as added for each statement execute function tally_added('user', 'role');
create trigger tally_removed after delete on "user" referencing old table as removed for each statement execute function tally_removed('user', 'role');
create trigger tally_moved after update of role on "user" for each row when (old.role is distinct from new.role) execute function tally_moved('user', 'role');

-- Said at commit, once per transaction, however the change was made: each process drops what it remembers.
create function note_change() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;
create trigger note_change after insert or update or delete on class for each statement execute function note_change('classes');
create trigger note_change after insert or update of name, image, role or delete on "user" for each statement execute function note_change('people');

-- Who did what, when. Rows are added and never touched again; the database refuses anything else.
create table audit (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  actor_id uuid, -- null: the system itself
  action   text not null,
  subject  text not null, -- id of the user, class or payment concerned
  detail   text not null default ''
);
create index audit_subject on audit (subject, id desc);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_is_append_only before update or delete or truncate on audit for each statement execute function audit_is_append_only();

-- How many students an instructor teaches: "Popular Instructors" in the order of an index rather than of a sum over all classes.
alter table "user" add column students_taught integer not null default 0;
create index user_popular on "user" (students_taught desc, id) where role = 'instructor';
create function count_students() returns trigger language plpgsql as $$
begin
  update "user" set students_taught = students_taught + new.sold - old.sold where id = new.instructor_id;
  return null;
end $$;
create trigger count_students after update of sold on class
  for each row when (old.sold is distinct from new.sold) execute function count_students();
