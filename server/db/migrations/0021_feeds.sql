-- Calendar feeds: an address that a calendar program reads. Only the hash of its secret is stored.
create table feed (
  id             uuid primary key default gen_random_uuid(),
  user_id        uuid not null references "user" (id) on delete cascade,
  participant_id uuid references participant (id) on delete cascade, -- null: all of mine, and what I teach
  secret_hash    bytea not null unique,
  created_at     timestamptz not null default now(),
  read_on        date -- the last day on which it was read
);
create unique index feed_one on feed (user_id, participant_id) nulls not distinct;

-- The calendar of an instructor, and of the admin, who sees proposed meetings too.
create index meeting_instructor on meeting (instructor_id, day);
drop index meeting_day;
create index meeting_day on meeting (day, starts, id);
