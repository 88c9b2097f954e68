-- Mails: what an account does not want, addresses that refuse mail, digests to admins, reminders, announcements.
alter table "user"
  add column mail_off   text[] not null default '{}' check (mail_off <@ array ['reminders', 'digests']),
  add column bounced_at timestamptz; -- the mail server refused the address for good; null again when a mail arrives

-- What admins are told about, each thing once, found by the chore `notices` in the rows of other tables; and denials
-- whose mail waits for the reason.
create table notice (
  kind    text not null check (kind in ('class', 'alarm', 'denied')),
  subject text not null,                -- the id of the class, or what an alarm is about
  version integer not null default 0,   -- of the class: a later one is told anew
  words   text not null check (length(words) <= 300),
  at      timestamptz not null default now(),
  told_at timestamptz,                  -- null: waits for the next mail
  primary key (kind, subject)
);
create index notice_waiting on notice (kind) where told_at is null;

-- When each kind of digest was last mailed: once an hour at most.
create table digest (
  kind    text primary key check (kind in ('class', 'alarm')),
  sent_at timestamptz not null default 'epoch'
);
insert into digest (kind) values ('class'), ('alarm');

-- Who was reminded of the meetings of a day: one mail per account and day.
create table reminder (
  user_id uuid not null references "user" (id) on delete cascade,
  day     date not null,
  primary key (user_id, day)
);
create index reminder_day on reminder (day);

-- What was written to the families of a class. One row for each class; those of one act have the same `act`.
create table announcement (
  id        uuid primary key default gen_random_uuid(),
  act       uuid not null,
  class_id  uuid not null references class (id) on delete cascade,
  author_id uuid not null references "user" (id),
  day       date not null, -- at the academy
  -- At most five a day and class: the check and the unique key are the guard.
  place     smallint not null constraint announcement_five_a_day check (place between 1 and 5),
  subject   text not null check (length(subject) between 1 and 120),
  words     text not null check (length(words) between 1 and 2000),
  families  integer not null check (families >= 0),
  at        timestamptz not null default now(),
  constraint announcement_place unique (class_id, day, place)
);
create index announcement_class on announcement (class_id, at desc);
create index announcement_author on announcement (author_id);
