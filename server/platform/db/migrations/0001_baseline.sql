-- The schema: a block for each table with its checks, indexes and triggers, in the order of the rooms. Functions are
-- beside what uses them. Times are timestamptz, money is in cents, ids are uuid.

-- Both are trusted: the owner of the database may create them.
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- ===== For all rooms =====

-- Searches find 'Müller' by "muller" and 'Muller' by "müller". Marks above and below letters go; the letters that are no
-- letter with a mark are named.
create function without_accents(written text) returns text language sql immutable parallel safe as $$
  select replace(translate(regexp_replace(normalize(written, nfd), '[\u0300-\u036f]', '', 'g'),
    'øØłŁđĐðÐħıæÆœŒþÞ', 'oOlLdDdDhiaAoOtT'), 'ß', 'ss') $$;

-- The words of a row. Split at every mark, as the searches are: the parser would take an address for one word and skip
-- whatever looks like a tag. By a list of marks, because what counts as a letter depends on the locale of the database.
create function split_words(written text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple',
    translate(without_accents(written), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))) $$;

-- The words of a search (db/lists.ts).
create function words_wanted(typed text) returns tsquery language sql immutable parallel safe as $$
  select to_tsquery('simple', without_accents(typed)) $$;

-- Said at commit, once for each transaction, however the change was made: each process drops what it remembers.
create function note_change() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end $$;

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Who did what, when. Rows are added and never touched again.
create table audit (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  actor_id uuid, -- null: the system itself
  action   text not null,
  subject  text not null, -- id of the user, class or payment concerned
  detail   text not null default '',
  words    tsvector generated always as (split_words(action || ' ' || detail)) stored
);
create index audit_subject on audit (subject, id desc);
create index audit_actor on audit (actor_id, id); -- for the export of everything we hold about somebody
create index audit_fits on audit (at) where action = 'participant no longer fits'; -- what needs an admin
create index audit_words on audit using gin (words);
create trigger append_only before update or delete or truncate on audit for each statement execute function append_only();

-- ===== The academy =====

-- One row. The start fills what is null from the environment; null means that nothing was said.
create table academy (
  one             boolean primary key default true check (one),
  version         integer not null default 1,  -- rises with every change by an admin
  changed         jsonb not null default '{}', -- field → the version that changed it last
  time_zone       text,                        -- IANA name
  currency        text check (currency ~ '^[a-z]{3}$'),
  locale          text check (locale <> ''),   -- BCP 47
  name            text check (length(name) between 1 and 80),
  short_name      text check (length(short_name) between 1 and 16),
  tagline         text check (length(tagline) between 1 and 160),
  logo            text check (logo <> ''),
  icon            text check (icon <> ''),
  primary_colour  text check (primary_colour ~ '^#[0-9a-f]{6}$'),
  accent_colour   text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  email           text check (email ~ '^[^\s@]+@[^\s@]+$'),
  phone           text check (phone <> ''),
  street          text check (street <> ''),
  city            text check (city <> ''),
  country         text check (country <> ''),
  map_link        text check (map_link ~ '^https://'),
  headline        text check (length(headline) between 1 and 80),
  welcome         text check (length(welcome) between 1 and 500),
  banners         jsonb check (jsonb_typeof(banners) = 'array' and jsonb_array_length(banners) = 4),
  sponsors        jsonb check (jsonb_typeof(sponsors) = 'array' and jsonb_array_length(sponsors) <= 24),
  faq             jsonb check (jsonb_typeof(faq) = 'array' and jsonb_array_length(faq) <= 30),
  about           text check (length(about) between 1 and 20000), -- Markdown, as are the other pages
  jobs            text check (length(jobs) between 1 and 20000),
  terms           text check (length(terms) between 1 and 20000),
  privacy         text check (length(privacy) between 1 and 20000),
  steps_hidden_at timestamptz, -- an admin dismissed the first steps
  mail_tested_at  timestamptz,
  backed_up_at    timestamptz
);
insert into academy default values;
create trigger note_change after update on academy for each statement execute function note_change('classes');
create function academy_day(timestamptz) returns date language sql stable as
  $$ select ($1 at time zone coalesce((select time_zone from academy), 'UTC'))::date $$;
create function academy_currency() returns text language sql as $$ select coalesce((select currency from academy), 'usd') $$;
-- The currency stays once something was sold, or can be paid. The lock waits for baskets that are being made, and they
-- wait for it: they see the new currency, or the change sees them.
create function currency_stays() returns trigger language plpgsql as $$
begin
  lock table basket in share row exclusive mode;
  if exists (select from payment) or exists (select from basket where state in ('open', 'closing')) then
    raise exception 'The currency cannot be changed after the first sale' using errcode = '23514', constraint = 'academy_currency_stays';
  end if;
  return new;
end $$;
create trigger currency_stays before update of currency on academy for each row
  when (coalesce(old.currency, 'usd') is distinct from coalesce(new.currency, 'usd')) execute function currency_stays();

-- A sport of a class or a discount cannot be removed; a new name reaches both.
create table sport (
  name text primary key check (length(name) between 1 and 40),
  icon text not null check (icon <> ''),
  rank smallint not null check (rank >= 0) -- its place in the list
);
create unique index sport_name on sport (lower(name));
create trigger note_change after insert or update or delete on sport for each statement execute function note_change('classes');
insert into sport (name, icon, rank) values
  ('Archery', 'target', 0), ('Basketball', 'basketball', 1), ('Cycling', 'bike', 2), ('Fitness', 'dumbbell', 3),
  ('Running', 'footprints', 4), ('Soccer', 'soccer', 5), ('Swimming', 'waves', 6), ('Table Tennis', 'paddle', 7),
  ('Tennis', 'ball', 8), ('Volleyball', 'volleyball', 9), ('Yoga', 'flower', 10), ('Other', 'trophy', 11);

-- ===== People =====

create table "user" (
  id                 uuid primary key default gen_random_uuid(),
  name               text not null check (length(name) between 1 and 200),
  -- Two spellings of one address are one account.
  email              text not null unique check (email = lower(email) and length(email) <= 254),
  proven_at          timestamptz, -- the address is its owner's: a mail, Google or an admin has shown it
  image              text check (length(image) <= 2048),
  role               text not null default 'student' check (role in ('student', 'instructor', 'admin')),
  teaches            boolean not null default false, -- an admin who is a coach, too
  registered_at      timestamptz, -- set by POST /users, which follows every first sign-in
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  -- Not null: no session, token, mailed link or calendar feed of the account works. Its enrolments stay.
  blocked_at         timestamptz,
  erased_at          timestamptz, -- the row stays for the books, without an address of its own
  phone              text check (phone <> '' and length(phone) <= 40),
  about              text check (about <> '' and length(about) <= 200),
  mail_off           text[] not null default '{}' check (mail_off <@ array ['reminders', 'digests']),
  bounced_at         timestamptz, -- the mail server refused the address for good; null again when a mail arrives
  -- Those of the name have a weight: classes are found by it, and not by the address.
  words              tsvector generated always as (setweight(split_words(name), 'A') || split_words(email)) stored,
  constraint user_teaches check (role = 'admin' or not teaches),
  constraint erased_has_no_address check ((erased_at is not null) = (email like '%@deleted.invalid')),
  -- A deleted account stays without access: a link that was mailed before cannot prove it.
  constraint erased_is_not_proven check (erased_at is null or proven_at is null)
);
create index user_role_name_idx on "user" (role, name, id);
create index user_role_back on "user" (role desc, name, id);
create index user_name_idx on "user" (name, id);
create index user_created_at_idx on "user" (created_at desc, id);
create index user_coaches on "user" (name, id) where role = 'instructor' or teaches;
create index user_words on "user" using gin (words);
-- A blocked coach leaves the public list of coaches at once.
create trigger note_change after insert or update of name, image, role, teaches, email, about, blocked_at or delete on "user"
  for each statement execute function note_change('people');
-- Lists of classes show name and address of the instructor.
create trigger note_teacher after update of name, email on "user" for each row
  when ((old.name, old.email) is distinct from (new.name, new.email) and (old.role <> 'student' or new.role <> 'student'))
  execute function note_change('classes');

-- Who comes, as distinct from who pays. Every account is its own participant, under the same id; children have ids of
-- their own.
create table participant (
  id         uuid primary key default gen_random_uuid(),
  self_of    uuid unique references "user" (id) on delete cascade,
  name       text not null check (length(name) between 1 and 200),
  born       date check (born > '1900-01-01'),
  made_by    uuid references "user" (id) on delete set null, -- may remove the child and other guardians
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  warned_at  timestamptz, -- guardians were told that it will be forgotten
  erased_at  timestamptz, -- the row stays for the books, nobody can be recognised in it
  check (self_of = id),
  check (self_of is not null or born is not null or erased_at is not null)
);
-- A child that two accounts have typed: same birth date and first name.
create index participant_twins on participant (born) where self_of is null;
create function participant_changed() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;
create trigger participant_changed before update of name, born on participant for each row execute function participant_changed();
-- An erased participant is in no line by name, also one whose name is forgotten later (people/retention.ts).
create function erase_line_names() returns trigger language plpgsql as $$
begin
  update payment_line set participant = new.name where participant_id = new.id and participant <> new.name;
  return null;
end $$;
create trigger erase_line_names after update of name on participant for each row
  when (new.erased_at is not null and old.name <> new.name) execute function erase_line_names();
create function make_self() returns trigger language plpgsql as $$
begin
  insert into participant (id, self_of, name, made_by) values (new.id, new.id, new.name, new.id);
  insert into guardian (user_id, participant_id) values (new.id, new.id);
  return null;
end $$;
create trigger make_self after insert on "user" for each row execute function make_self();
create function keep_self_name() returns trigger language plpgsql as $$
begin
  update participant set name = new.name where id = new.id;
  return null;
end $$;
create trigger keep_self_name after update of name on "user"
  for each row when (old.name is distinct from new.name) execute function keep_self_name();

-- Who looks after whom. Oneself included, so that "mine" is one question.
create table guardian (
  user_id        uuid not null references "user" (id) on delete cascade,
  participant_id uuid not null references participant (id) on delete cascade,
  since          timestamptz not null default now(),
  primary key (user_id, participant_id)
);
create index guardian_participant on guardian (participant_id);

-- Who is mailed about a participant. A blocked account gets no mail about a child.
create view told_guardian as
  select guardian.* from guardian join "user" u on u.id = guardian.user_id
  where u.blocked_at is null or guardian.user_id = guardian.participant_id;

-- To look after a child, too. Several children of one letter share its secret.
create table invitation (
  secret_hash    bytea not null,
  participant_id uuid not null references participant (id) on delete cascade,
  email          text not null check (email = lower(email)),
  invited_by     uuid not null references "user" (id) on delete cascade,
  expires_at     timestamptz not null default now() + interval '7 days',
  primary key (participant_id, email)
);
create index invitation_secret on invitation (secret_hash);
create index invitation_by on invitation (invited_by);

-- Allergies, health, emergency contacts, who may pick up: one sealed document, never searched.
create table care (
  participant_id uuid primary key references participant (id) on delete cascade,
  sealed         bytea not null,
  key            smallint not null,
  confirmed_at   timestamptz not null default now(),
  confirmed_by   uuid references "user" (id) on delete set null,
  warned_at      timestamptz
);
create index care_key on care (key, participant_id); -- documents of an older key are sealed again, a hundred a night

-- Only the hash of the secret is stored. Accepting deletes the row, so a link works once; a new invitation replaces the
-- open one of its address. `invited_by` is null when the operator printed the link (npm run admin).
create table staff_invitation (
  id          uuid primary key default gen_random_uuid(),
  email       text not null unique check (email = lower(email) and length(email) <= 254),
  role        text not null check (role in ('instructor', 'admin')),
  secret_hash bytea not null unique,
  invited_by  uuid references "user" (id) on delete cascade,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '7 days'
);
create index staff_invitation_invited_by on staff_invitation (invited_by);

-- ===== Sign-in =====

-- The ways in of an account. `totp_on_at`: a code has proven that the app has the secret.
create table login (
  user_id           uuid primary key references "user" (id) on delete cascade,
  password_hash     text check (password_hash like '$argon2id$%'),
  google_sub        text unique,
  totp_secret       bytea, -- sealed
  totp_on_at        timestamptz,
  backup_hashes     bytea[] not null default '{}',
  totp_failures     integer not null default 0,
  totp_locked_until timestamptz,
  last_network      text, -- of the newest session that was begun
  check (totp_on_at is null or totp_secret is not null)
);

create table session (
  id          uuid primary key default gen_random_uuid(),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  user_id     uuid not null references "user" (id) on delete cascade,
  made_at     timestamptz not null default now(),
  seen_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  kept        boolean not null default true, -- it outlives the browser
  network     text,
  browser     text
);
create index session_of_user on session (user_id, seen_at desc);
create index session_expires_at on session (expires_at);

-- What a mail or a first step gave out. A confirmation may have six digits, too.
create table link (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  user_id     uuid not null references "user" (id) on delete cascade,
  kind        text not null check (kind in ('confirm', 'reset', 'address', 'second-step')),
  email       text check (email = lower(email)), -- the new address
  expires_at  timestamptz not null,
  code_hash   bytea,
  code_until  timestamptz,
  code_tries  integer not null default 0,
  check ((kind = 'address') = (email is not null)),
  check (code_hash is null or kind = 'confirm')
);
create index link_of_user on link (user_id);
create index link_expires_at on link (expires_at);

-- How often somebody guessed wrong, signed up, or caused a mail, until when. account and place are keyed hashes, '*'
-- means all.
create table sign_in_attempt (
  account text not null,
  place   text not null,
  count   integer not null,
  ends_at timestamptz not null,
  primary key (account, place)
);
create index sign_in_attempt_ends_at on sign_in_attempt (ends_at);

-- ===== Classes =====

create table place (
  id       uuid primary key default gen_random_uuid(),
  name     text not null check (length(name) between 1 and 100),
  address  text not null default '',
  capacity integer not null check (capacity between 1 and 10000),
  closed   boolean not null default false -- no longer offered in the editor; its meetings stay
);
create unique index place_name on place (lower(name));
create trigger note_change after insert or update or delete on place for each statement execute function note_change('classes');

-- Holidays. The editor leaves these days out and says so.
create table closure (
  id        uuid primary key default gen_random_uuid(),
  name      text not null check (name <> ''),
  first_day date not null,
  last_day  date not null check (last_day between first_day and first_day + 366)
);
create trigger note_change after insert or update or delete on closure for each statement execute function note_change('classes');

-- What a class is found by, besides its own words: weekdays and times of day, ages, other names of its sport.
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

create table class (
  id            uuid primary key default gen_random_uuid(),
  instructor_id uuid not null references "user" (id),
  name          text not null check (name <> ''),
  img           text not null,
  sport         text not null default 'Other' constraint class_sport_known references sport (name) on update cascade,
  description   text not null default '',
  ages          text not null default '',
  schedule      text not null default '',
  place         text not null default '',
  bring         text not null default '',
  level         text not null default 'all' check (level in ('all', 'beginner', 'intermediate', 'advanced')),
  min_age       smallint check (min_age between 0 and 120),
  max_age       smallint check (max_age between 0 and 120),
  price_cents   integer not null check (price_cents between 50 and 1000000),
  -- Only the claim and checkout/seats/counters.ts write these two: the live holds and the active enrolments.
  held          integer not null default 0,
  sold          integer not null default 0,
  capacity      integer not null check (capacity between 1 and 10000),
  free          integer not null generated always as (capacity - held - sold) stored,
  status        text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  version       integer not null default 1, -- rises with every change of a reviewed fact: an approval names the one it saw
  changed       text[] not null default '{}', -- fields changed since the admin's last decision or feedback
  feedback      text not null default '',
  -- What the coach of an approved class wants changed; the class stays on sale as it was approved.
  proposal      jsonb, -- {field: {from, to}} of the fields that would change
  -- Since when it waits for the office, or since the last change of its proposal. Null: nothing waits.
  proposed_at   timestamptz(3) default now(),
  form_key      uuid, -- Idempotency-Key of the request that added it
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  -- Computed by tell_class from the meetings, so that lists and claims need no join. Nulls without dates.
  first_day     date,
  last_day      date,
  closes_at     timestamptz, -- when the sale ends: the last meeting begins, or over_at
  ends_at       timestamptz,
  over_at       timestamptz, -- the office said so; only of a class without dates, which then end here
  over          boolean not null default false, -- the last meeting has ended
  slots         integer not null default 0, -- 21 bits: weekday × (before 12:00, before 17:00, later)
  plan          jsonb, -- [[weekday, "16:00", minutes], …]
  dates         integer not null default 0, -- rises with every change of a meeting
  place_ids     uuid[] not null default '{}',
  -- The list a class is in: its status until its last meeting has ended.
  shelf         text not null generated always as (case when over then 'over' else status end) stored,
  words         tsvector generated always as (split_words(
    name || ' ' || sport || ' ' || place || ' ' || slot_words(slots) || ' ' || age_words(min_age, max_age)
    || ' ' || synonyms(name || ' ' || sport))) stored,
  -- The last line of defence of every seat: no code, however wrong, sells one that is not there.
  constraint class_seats check (held >= 0 and sold >= 0 and held + sold <= capacity),
  constraint class_ages check (max_age >= min_age),
  constraint class_waits check (proposed_at is not null or (status <> 'pending' and proposal is null)),
  constraint class_proposal check (proposal is null
    or (status = 'approved' and jsonb_typeof(proposal) = 'object' and proposal <> '{}')),
  constraint class_over_at check (over_at is null or (ends_at = over_at and closes_at = over_at))
) with (fillfactor = 80); -- room for the counters to change in place

create unique index class_form on class (instructor_id, form_key) where form_key is not null;
-- Every order a list of classes can be asked for, among all and among those of one shelf, is the order of an index, read
-- one way or the other. Free seats have none on purpose: `held` is in no index, so that a claim changes its row in place.
create index class_all_new on class (created_at, id);
create index class_all_name on class (lower(name), id);
create index class_all_popular on class (sold desc, id);
create index class_all_price on class (price_cents, id);
create index class_all_unsold on class ((capacity - sold), id);
create index class_shelf on class (shelf, created_at, id);
create index class_shelf_name on class (shelf, lower(name), id);
create index class_shelf_popular on class (shelf, sold desc, id);
create index class_shelf_price on class (shelf, price_cents, id);
create index class_shelf_unsold on class (shelf, (capacity - sold), id);
create index class_sport on class (sport, sold desc, id) where shelf = 'approved';
create index class_places on class using gin (place_ids) where shelf = 'approved';
-- The popular ones are the first to be sold out; who looks for a free seat need not read past them all.
create index class_popular_free on class (sold desc, id) where shelf = 'approved' and sold < capacity;
create index class_fill on class ((1000 * sold / capacity), id) where shelf = 'approved';
create index class_instructor on class (instructor_id, created_at, id);
create index class_taught on class (instructor_id) where shelf = 'approved';
create index class_waiting on class (proposed_at, id) where proposed_at is not null and not over;
create index class_ending on class (ends_at) where not over;
-- A search that finds nothing is tried again with names that look alike.
create index class_alike on class using gin (lower(name) gin_trgm_ops) where shelf = 'approved';
-- "May this class be sold?" Lists filter by shelf literally, so that their partial indexes are used; everything else
-- asks this. It compares with the clock, so nothing is sold between the end and the chore that sets `over`.
create function on_sale(class) returns boolean language sql stable as
  $$ select $1.shelf = 'approved' and ($1.closes_at is null or $1.closes_at > now()) $$;
-- When the class is over for somebody who enrolled then: one without dates lasts a year.
create function ends_for(class, enrolled timestamptz) returns timestamptz language sql stable as
  $$ select coalesce($1.ends_at, enrolled + interval '12 months') $$;
-- Every change of a class makes remembered lists old, but those of its seats. A migration that adds a column to class
-- calls this.
create function note_columns() returns void language plpgsql as $$
begin
  execute format('create or replace trigger note_change after insert or update of %s or delete on class
    for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('held', 'sold')));
end $$;
select note_columns();
-- A change of the seats says at commit which class has how many seats left: `<id> <free> <dates>`. Open pages get it as
-- it is (live.ts). The row of a class is locked until the commit, so its last note is true. A class that is
-- not approved before or after the change is not named: an empty note only drops the kept answers.
create function note_seats() returns trigger language plpgsql as $$
begin
  perform pg_notify('seats', case when 'approved' in (old.shelf, new.shelf)
    then concat_ws(' ', new.id, case when new.shelf = 'approved' then new.free else 0 end, new.dates)
    else '' end);
  return null;
end $$;
create trigger note_seats after update on class for each row
  when ((old.free, old.sold, old.shelf, old.dates) is distinct from (new.free, new.sold, new.shelf, new.dates))
  execute function note_seats();

-- Day, time and minutes on the academy's clock, from which the instants follow. When the zone changes, classes/zone.ts
-- says what becomes of the meetings to come. Past ones keep their instants.
create table meeting (
  id            uuid primary key default gen_random_uuid(),
  class_id      uuid not null references class (id) on delete cascade,
  instructor_id uuid not null references "user" (id), -- the class's instructor, or the substitute of this day
  place_id      uuid references place (id),           -- null: not decided
  day           date not null,
  starts        time(0) not null,
  minutes       integer not null check (minutes between 5 and 1440),
  during        tstzrange not null default 'empty',     -- place_in_time
  -- 'called': a roll call of today in a class without dates. It is no date of the class, in no calendar, in nobody's
  -- way. It lasts as long as health facts are open for it, 12 hours, and the next one begins after it.
  state         text not null default 'proposed' check (state in ('proposed', 'on', 'cancelled', 'called')),
  told          text not null default '',   -- what families were told about the last change
  sequence      integer not null default 0, -- rises with every change that families are told about
  -- Who taught before the class was handed over stays written down, but is no substitute: the people of that meeting
  -- are no longer theirs to see or to mark.
  handed_over   boolean not null default false,
  changed_at    timestamptz not null default now(),
  -- Checked when the statement ends: meetings that change places, or all move by some hours, meet on the way.
  constraint meeting_once exclude using gist (class_id with =, day with =, starts with =) where (state in ('proposed', 'on')) deferrable,
  constraint meeting_place_free exclude using gist (place_id with =, during with &&) where (state = 'on') deferrable,
  constraint meeting_instructor_free exclude using gist (instructor_id with =, during with &&) where (state = 'on') deferrable,
  constraint meeting_called_once exclude using gist (class_id with =, during with &&) where (state = 'called')
);
create index meeting_class on meeting (class_id, day, starts);
create index meeting_day on meeting (day, starts, id);
create index meeting_instructor on meeting (instructor_id, day);
create function meeting_during(day date, starts time, minutes integer) returns tstzrange language sql stable as $$
  select tstzrange(at, at + make_interval(mins => minutes))
  from (select (day + starts) at time zone coalesce((select time_zone from academy), 'UTC') as at) a
$$;
create function place_in_time() returns trigger language plpgsql as $$
begin
  new.during := meeting_during(new.day, new.starts, new.minutes);
  return new;
end $$;
create trigger place_in_time before insert or update of day, starts, minutes on meeting for each row execute function place_in_time();

-- 'Mon, Wed · 16:00–17:30 · 5 Jan – 18 Mar 2027', 'Mon–Fri · …', 'Daily · …'. `singles` comes after the weekly times.
-- contract/days.ts has the same in TypeScript for the editor; a test compares the two.
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
-- A single meeting is named with its day: without it one moved meeting reads like a weekly one. Weekdays of a weekly plan
-- differ by one meeting at most. So a meeting that has its weekday and time alone is single if another weekday and time
-- has three meetings. If it has two, the time must be of this meeting alone.
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

-- Writes to the class what its meetings say. A change of a meeting is a change of what an admin reviews, so `version`
-- rises too. Dates bring a class back that the office had called over. A roll call of today ('called') changes nothing.
create function tell_class() returns trigger language plpgsql as $$
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
    from (select *, state <> 'cancelled' as going from meeting where state <> 'called'
      and class_id in (select class_id from (select * from changed where state <> 'called') changed)) m
    left join place on place.id = m.place_id group by m.class_id
    union all
    select c.class_id, null, null, null, null, 0, null, null, null, null
    from (select distinct class_id from (select * from changed where state <> 'called') changed) c
    where not exists (select from meeting where state <> 'called' and class_id = c.class_id)
  ) told where class.id = told.class_id;
  return null;
end $$;
create trigger tell_class_added after insert on meeting referencing new table as changed for each statement execute function tell_class();
create trigger tell_class_changed after update on meeting referencing new table as changed
  for each statement execute function tell_class();
create trigger tell_class_removed after delete on meeting referencing old table as changed
  for each statement execute function tell_class();

-- An address that a calendar program reads. Only the hash of its secret is stored.
create table feed (
  id             uuid primary key default gen_random_uuid(),
  user_id        uuid not null references "user" (id) on delete cascade,
  participant_id uuid references participant (id) on delete cascade, -- null: all of mine, and what I teach
  secret_hash    bytea not null unique,
  created_at     timestamptz not null default now(),
  read_on        date -- the last day on which it was read
);
create unique index feed_one on feed (user_id, participant_id) nulls not distinct;

-- ===== Checkout: cart → hold in a basket → payment and its lines → enrolment, refund =====

create table cart_item (
  id               uuid primary key default gen_random_uuid(),
  student_id       uuid not null references "user" (id) on delete cascade,
  participant_id   uuid not null references participant (id) on delete cascade,
  class_id         uuid not null references class (id) on delete cascade,
  seen_price_cents integer not null, -- the price of that day; what is charged is the price of the hold
  created_at       timestamptz not null default now(),
  constraint cart_item_once unique (student_id, class_id, participant_id)
);
create index cart_item_class on cart_item (class_id);
create index cart_item_participant on cart_item (participant_id, class_id);

-- What one payment pays for: the seats in it, and one intent at the card provider.
create table basket (
  id            uuid primary key default gen_random_uuid(),
  student_id    uuid not null references "user" (id),
  -- What the card is asked for. The provider takes no less than 50 cents.
  total_cents   integer not null check (total_cents = 0 or total_cents >= 50),
  currency      text not null default academy_currency(), -- of the academy at that moment
  -- open → closing → closed (the provider cancelled the intent, or its secret was never returned), open | closing → paid
  state         text not null default 'open' check (state in ('open', 'closing', 'closed', 'paid')),
  rules         jsonb not null default '{}', -- the price rules of that moment
  created_at    timestamptz not null default now(),
  -- Part of the idempotency key of the intent; raised when the provider has saved a failure under the old key.
  attempt       integer not null default 1,
  intent_id     text unique,
  checked_at    timestamptz, -- when the reconciler last asked the provider about the intent
  reason        text, -- why it is being closed
  closing_since timestamptz,
  tries         integer not null default 0, -- of cancelling the intent
  next_try      timestamptz
);
create index basket_student on basket (student_id, created_at);
create index basket_closing on basket (next_try) where state = 'closing';
create index basket_open_intent on basket (checked_at) where state in ('open', 'closing') and intent_id is not null;

-- A seat kept for one participant while the student pays. Freed only after the provider has answered "canceled".
create table hold (
  id              uuid primary key default gen_random_uuid(),
  basket_id       uuid references basket (id),
  student_id      uuid not null references "user" (id),
  participant_id  uuid not null references participant (id),
  class_id        uuid not null references class (id),
  item_id         uuid, -- the cart item it came from, which is gone once it is paid
  list_cents      integer not null check (list_cents between 50 and 1000000),
  discount_cents  integer not null default 0,
  why             jsonb not null default '[]', -- of the discount: [{ rule, kind, cents }]
  state           text not null default 'held' check (state in ('held', 'releasing', 'released', 'consumed')),
  -- At most twelve live holds for each student: one more finds no free slot, in whatever order requests arrive.
  slot            smallint not null check (slot between 1 and 12),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null default now() + interval '15 minutes',
  extensions      smallint not null default 0 check (extensions between 0 and 2),
  ended_because   text,
  releasing_since timestamptz,
  tries           integer not null default 0, -- of releasing it
  next_try        timestamptz,
  constraint hold_discount check (discount_cents between 0 and list_cents),
  -- A seat in a basket cannot be freed, nor sold outside of one (N2).
  constraint hold_freed_loose check (state <> 'released' or basket_id is null),
  constraint hold_sold_in_basket check (state <> 'consumed' or basket_id is not null)
);
create unique index hold_one_per_class on hold (participant_id, class_id) where state in ('held', 'releasing');
create unique index hold_slot on hold (student_id, slot) where state in ('held', 'releasing');
create index hold_basket on hold (basket_id) where basket_id is not null;
create index hold_class on hold (class_id) where state in ('held', 'releasing');
create index hold_expiry on hold (expires_at) where state = 'held';
create index hold_releasing on hold (next_try) where state = 'releasing';
create index hold_student on hold (student_id, created_at);
-- R-2026-000112, which people can read and say. The year is that of the payment in UTC, so that a number never changes.
create function receipt_number(number bigint, date timestamptz) returns text language sql immutable
  return 'R-' || extract(year from date at time zone 'UTC') || '-' || lpad(number::text, greatest(6, length(number::text)), '0');

create table payment (
  id             uuid primary key default gen_random_uuid(),
  basket_id      uuid not null unique references basket (id),
  intent_id      text unique, -- a payment of nothing has none
  student_id     uuid not null references "user" (id),
  -- A payment that is rolled back leaves a gap.
  number         bigint not null unique generated by default as identity,
  receipt_number text not null generated always as (receipt_number(number, date)) stored,
  -- As they were on that day: a receipt does not change.
  email          text not null,
  customer       text not null,
  item_name      text not null,
  amount_cents   integer not null check (amount_cents >= 0),
  back_cents     integer not null default 0, -- what was sent back to the card, or is owed to it
  seats          smallint not null default 1 check (seats between 0 and 12), -- its active enrolments
  currency       text not null,
  status         text not null check
    (status in ('pending', 'succeeded', 'refund_due', 'refunded', 'part_refunded', 'refund_failed', 'disputed')),
  dispute        text check (dispute in ('open', 'won', 'lost')),
  date           timestamptz not null default now(),
  day            date not null default academy_day(now()), -- at the academy; it stays that day when the zone changes
  refunded_at    timestamptz,
  checked_at     timestamptz not null default now(),
  words          tsvector generated always as (split_words(item_name || ' ' || customer || ' ' || email || ' '
    || coalesce(intent_id, '') || ' ' || receipt_number(number, date))) stored,
  constraint payment_back check (back_cents between 0 and amount_cents),
  constraint payment_paid check ((intent_id is null) = (amount_cents = 0))
);
create index payment_student on payment (student_id, date, id);
create index payment_date on payment (date, id);
create index payment_day on payment (day) include (seats, amount_cents, back_cents); -- the takings
create index payment_status on payment (status, date, id);
create index payment_unconfirmed on payment (checked_at) where status = 'pending';
create index payment_words on payment using gin (words);

-- A seat of a payment.
create table payment_line (
  id             uuid primary key default gen_random_uuid(),
  payment_id     uuid not null references payment (id),
  hold_id        uuid not null unique references hold (id),
  student_id     uuid not null references "user" (id),
  participant_id uuid not null references participant (id),
  class_id       uuid not null references class (id),
  -- As they were on that day: a receipt does not change. The name is emptied when the participant is erased.
  item_name      text not null,
  participant    text not null,
  list_cents     integer not null check (list_cents >= 0),
  discount_cents integer not null default 0 check (discount_cents between 0 and list_cents),
  amount_cents   integer not null generated always as (list_cents - discount_cents) stored,
  why            jsonb not null default '[]',
  worth_cents    integer not null check (worth_cents >= 0), -- its part of what was paid; all lines of a payment add up to it
  back_cents     integer not null default 0 check (back_cents between 0 and worth_cents), -- of it, what went back or is owed
  outcome        text not null check (outcome in ('enrolled', 'refused')),
  place          smallint not null default 1 check (place between 1 and 12), -- its order on the receipt
  unique (payment_id, place),
  unique (payment_id, participant_id, class_id)
);
create index payment_line_class on payment_line (class_id, id);
create index payment_line_participant on payment_line (participant_id);
-- What a discount has taken off so far. Most lines have none.
create index payment_line_why on payment_line using gin (why jsonb_path_ops) where why <> '[]';

create table enrolment (
  id             uuid primary key default gen_random_uuid(),
  payment_id     uuid not null references payment (id),
  line_id        uuid not null unique references payment_line (id),
  student_id     uuid not null references "user" (id),
  participant_id uuid not null references participant (id),
  class_id       uuid not null references class (id),
  state          text not null default 'active' check (state in ('active', 'cancelled')),
  created_at     timestamptz not null default now(),
  ended_at       timestamptz,
  objected_at    timestamptz, -- the family cannot come at the new dates
  objection      text not null default '' check (length(objection) <= 500)
);
create unique index enrolment_one_per_class on enrolment (participant_id, class_id) where state = 'active';
create index enrolment_student on enrolment (student_id, created_at desc, id) where state = 'active';
create index enrolment_participant on enrolment (participant_id, created_at desc, id) where state = 'active';
-- A roster of last month has people whose seat ended since, so the index has all.
create index enrolment_class on enrolment (class_id, participant_id);
create index enrolment_payment on enrolment (payment_id);
create index enrolment_created on enrolment (created_at);
create index enrolment_objected on enrolment (objected_at) where objected_at is not null;

create table refund (
  id               uuid primary key default gen_random_uuid(),
  payment_id       uuid not null references payment (id),
  line_id          uuid not null references payment_line (id),
  amount_cents     integer not null check (amount_cents > 0),
  reason           text not null,
  asked_by         uuid, -- null: the system itself
  state            text not null default 'due' check (state in ('due', 'sent', 'succeeded', 'failed')),
  stripe_refund_id text,
  round            integer not null default 1, -- rises when the provider ended one in failure and a human asks again
  attempts         integer not null default 0,
  next_try         timestamptz not null default now(),
  last_error       text,
  created_at       timestamptz not null default now(),
  ended_at         timestamptz,
  -- When the family was mailed that it is at the card: all of one act in one mail, so the first waits for the last.
  told_at          timestamptz
);
create index refund_open on refund (next_try) where state in ('due', 'sent');
create index refund_failed on refund (created_at) where state = 'failed';
create index refund_payment on refund (payment_id);
create index refund_line on refund (line_id);
-- A refund that was made in the provider's dashboard may be of several lines, and may also pay what is owed. It has one
-- row of its own in each line.
create unique index refund_foreign on refund (stripe_refund_id, line_id) where reason = 'refunded at the card provider';

-- All money. One row is one transfer between two accounts, so it cannot be out of balance (N9). `card`: what the provider
-- has for us. `sales`: a line of a payment. `owed`: to be sent back to a card.
create table ledger (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  key        text not null unique, -- what it is for: a repeated posting is refused
  debit      text not null check (debit in ('card', 'sales', 'owed')),
  credit     text not null check (credit in ('card', 'sales', 'owed')),
  cents      integer not null check (cents > 0),
  student_id uuid not null references "user" (id),
  payment_id uuid references payment (id),
  basket_id  uuid references basket (id),
  refund_id  uuid references refund (id),
  from_line  uuid references payment_line (id),
  to_line    uuid references payment_line (id),
  actor_id   uuid,
  note       text not null default '',
  check (debit <> credit or debit = 'sales'),
  check ((debit = 'sales') = (from_line is not null)),
  check ((credit = 'sales') = (to_line is not null))
);
create index ledger_student on ledger (student_id, id);
create index ledger_at on ledger (at, id);
create index ledger_payment on ledger (payment_id);
create index ledger_from on ledger (from_line) where from_line is not null;
create index ledger_to on ledger (to_line) where to_line is not null;
create trigger append_only before update or delete or truncate on ledger for each statement execute function append_only();

-- Early bird, several classes, siblings, coupon. What they take off is computed by contract/pricing.ts.
create table discount (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null check (kind in ('early', 'classes', 'siblings', 'coupon')),
  name        text not null check (name <> ''),
  percent     smallint check (percent between 1 and 100),
  cents       integer check (cents between 1 and 1000000),
  code        text unique check (code ~ '^[A-Z0-9-]{4,24}$'),
  until       timestamptz, -- exclusive: midnight after its last day
  class_id    uuid references class (id),
  sport       text constraint discount_sport_known references sport (name) on update cascade,
  uses_most   integer check (uses_most > 0),
  uses        integer not null default 0, -- of a coupon: paid, or in a basket that can be paid
  per_account smallint not null default 1 check (per_account between 1 and 100),
  created_by  uuid references "user" (id),
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  constraint coupon_uses check (uses >= 0 and (uses_most is null or uses <= uses_most)),
  check ((kind = 'coupon') = (code is not null)),
  check (kind = 'coupon' or uses_most is null and uses = 0),
  check (case kind when 'early' then percent is not null and cents is null and until is not null
                   when 'coupon' then (percent is null) <> (cents is null)
                   else percent is null and cents is null and until is null end),
  -- A coupon for one class only would break the promise that one more class never lowers the total.
  check (case kind when 'early' then class_id is null or sport is null else class_id is null and sport is null end)
);
create unique index discount_one on discount (kind) where kind in ('classes', 'siblings') and ended_at is null;
create index discount_alive on discount (kind) where ended_at is null;
create index discount_class on discount (class_id) where class_id is not null;

-- Percent from a rank on; the last one counts for all ranks after it.
create table discount_step (
  discount_id uuid not null references discount (id),
  rank        smallint not null check (rank between 2 and 12),
  percent     smallint not null check (percent between 0 and 100),
  primary key (discount_id, rank)
);

-- A use is reserved when its basket is made, and given back when the basket is closed without a payment.
create table coupon_use (
  basket_id   uuid primary key references basket (id),
  discount_id uuid not null references discount (id),
  student_id  uuid not null references "user" (id),
  nth         smallint not null check (nth between 1 and 100),
  used_at     timestamptz not null default now(),
  ended_at    timestamptz
);
create unique index coupon_use_slot on coupon_use (discount_id, student_id, nth) where ended_at is null;
create index coupon_use_student on coupon_use (student_id);

-- What the provider told us. An event is only a hint to look; the row is here so that no hint is lost.
create table stripe_event (
  event_id    text primary key,
  type        text not null,
  object_id   text not null, -- the payment intent it is about
  state       text not null default 'new' check (state in ('new', 'done', 'failed')),
  attempts    integer not null default 0,
  next_try    timestamptz not null default now(), -- also the lease of whoever works on it
  last_error  text,
  received_at timestamptz not null default now(),
  done_at     timestamptz
);
create index stripe_event_open on stripe_event (next_try) where state <> 'done';
create index stripe_event_done on stripe_event (done_at) where state = 'done';

-- Money that came with our name on it and that we can give to nobody. For a human.
create table quarantine (
  intent_id    text primary key,
  amount_cents integer not null,
  currency     text not null,
  reason       text not null,
  since        timestamptz not null default now(),
  resolved_at  timestamptz
);

-- Up to when all intents and events at the provider have been compared with ours. A restored backup brings an older mark:
-- what came since is found again.
create table watermark (
  name text primary key,
  at   timestamptz not null
);
insert into watermark (name, at) values ('intents', now()), ('events', now());

-- ===== Roll call =====

-- Who came. Marks are only ever added: the newest counts, all are kept.
create table mark (
  id             uuid primary key, -- made on the phone: sent twice, it is stored once
  meeting_id     uuid not null references meeting (id) on delete cascade,
  participant_id uuid references participant (id) on delete cascade,
  guest          text check (length(guest) between 1 and 100), -- a walk-in, who has no participant here
  status         text not null check (status in ('present', 'late', 'absent', 'excused', 'left')),
  note           text not null default '' check (length(note) <= 100), -- "picked up by Eva"
  at             timestamptz not null, -- by the phone's clock, never later than its arrival
  made_by        uuid references "user" (id) on delete set null,
  received_at    timestamptz not null default now(),
  check (num_nonnulls(participant_id, guest) = 1),
  check (at <= received_at)
);
create index mark_meeting on mark (meeting_id, participant_id, at desc, id desc);
create index mark_participant on mark (participant_id, at desc) where participant_id is not null;
create index mark_made_by on mark (made_by);
create index mark_at on mark (at); -- the oldest are deleted after 24 months
-- Two changes are allowed: a note is blanked when a child is erased, and the author is forgotten.
create function mark_is_only_added() returns trigger language plpgsql as $$
begin
  raise exception 'marks are only added' using errcode = 'insufficient_privilege';
end $$;
create trigger mark_is_only_added before update on mark for each row
  when ((old.id, old.meeting_id, old.participant_id, old.guest, old.status, old.at, old.received_at)
      is distinct from (new.id, new.meeting_id, new.participant_id, new.guest, new.status, new.at, new.received_at)
    or (new.note <> old.note and new.note <> '')
    or (new.made_by is distinct from old.made_by and new.made_by is not null)) execute function mark_is_only_added();

-- ===== Office =====

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

-- What admins are told about, each thing once, found by the chore `notices` in the rows of other tables; and denials
-- whose mail waits for the reason.
create table notice (
  kind    text not null check (kind in ('class', 'alarm', 'denied')),
  subject text not null,                -- the id of the class, or what an alarm is about
  version integer not null default 0,   -- of the class: a later one is told anew
  words   text not null check (length(words) <= 300), -- no name of an instructor, who may delete the account
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

-- Pictures that people upload, made anew in several widths. They are here because all state is here: every process
-- serves them, and a backup has them.
create table media (
  id      uuid primary key default gen_random_uuid(),
  sha256  bytea not null unique check (length(sha256) = 32), -- of its largest WebP file
  kind    text not null check (kind in ('class', 'person', 'academy')),
  width   integer not null check (width between 16 and 4096), -- of its largest file
  height  integer not null check (height between 16 and 4096),
  made_by uuid references "user" (id) on delete set null, -- null: made at sign-up
  made_at timestamptz not null default now(),
  kept_at timestamptz not null default now() -- last uploaded, put to use or taken out of use
);
create index media_made_by on media (made_by);
create index media_kept_at on media (kept_at);
-- The pictures of ours that a text names: an address, or a row as JSON.
create function media_named(words text) returns setof bytea language sql immutable as $$
  select decode(found[1], 'hex') from regexp_matches(words, '/media/([0-9a-f]{64})/', 'g') found $$;

-- Every picture that something shows. The row of the academy counts with all its columns.
create view media_in_use as
  select media_named(img) as sha256 from class where img like '/media/%'
  union all
  select media_named(proposal #>> '{img,to}') from class where proposal #>> '{img,to}' like '/media/%'
  union all
  select media_named(image) from "user" where image like '/media/%'
  union all
  select media_named(to_jsonb(academy)::text) from academy;

-- A picture that is put to use, or taken out of use, is kept for another week. The update makes the chore that deletes
-- unused pictures look again: it may have begun before the use was committed.
create function keep_media() returns trigger language plpgsql as $$
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
create trigger keep_media after insert or update of img, proposal on class for each row execute function keep_media();
create trigger keep_media after insert or update of image on "user" for each row execute function keep_media();
create trigger keep_media after update on academy for each row execute function keep_media();

create table media_file (
  media_id uuid references media (id) on delete cascade,
  width    integer,
  type     text check (type in ('image/avif', 'image/webp')),
  bytes    bytea storage external not null check (length(bytes) <= 400000), -- compressed already
  primary key (media_id, width, type)
);

-- ===== Mails =====

-- What would have been mailed, while no mail server is configured. Never used in production.
create table mailbox (
  id        bigint generated always as identity primary key,
  recipient text not null,
  subject   text not null,
  body      text not null,
  sent_at   timestamptz not null default now()
);
create index mailbox_recipient_idx on mailbox (recipient, id desc);
