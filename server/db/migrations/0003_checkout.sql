-- The cart, and the life of a seat and of its money: hold → payment → enrolment or refund, the provider's events,
-- and what nobody could explain. class.held and class.sold (0002) are the counters of the live holds and active enrolments here.

create table cart_item (
  id               uuid primary key default gen_random_uuid(),
  student_id       uuid not null references "user" (id) on delete cascade,
  class_id         uuid not null references class (id) on delete cascade,
  seen_price_cents integer not null, -- the price of that day; what is charged is the price of the hold
  created_at       timestamptz not null default now(),
  unique (student_id, class_id)
);
create index cart_item_class on cart_item (class_id);

-- A seat kept for one student while they pay. Freed only after the provider has answered "canceled".
create table hold (
  id              uuid primary key default gen_random_uuid(),
  student_id      uuid not null references "user" (id),
  class_id        uuid not null references class (id),
  item_id         uuid, -- the cart item it came from, which is gone once it is paid
  amount_cents    integer not null check (amount_cents between 50 and 1000000),
  currency        text not null default 'usd',
  state           text not null default 'held' check (state in ('held', 'releasing', 'released', 'consumed')),
  -- At most three live holds for each student: a fourth finds no free slot, in whatever order requests arrive.
  slot            smallint not null check (slot between 1 and 3),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null default now() + interval '15 minutes',
  extensions      smallint not null default 0 check (extensions between 0 and 2),
  -- Part of the idempotency key of the intent; raised when the provider has saved a failure under the old key.
  attempt         integer not null default 1,
  intent_id       text unique,
  declines        integer not null default 0,
  checked_at      timestamptz, -- when the reconciler last asked the provider about the intent
  reason          text, -- why it is being released
  releasing_since timestamptz,
  tries           integer not null default 0, -- of cancelling the intent
  next_try        timestamptz
);
create unique index hold_one_per_class on hold (student_id, class_id) where state in ('held', 'releasing');
create unique index hold_slot on hold (student_id, slot) where state in ('held', 'releasing');
create index hold_class on hold (class_id) where state in ('held', 'releasing');
create index hold_expiry on hold (expires_at) where state = 'held';
create index hold_releasing on hold (next_try) where state = 'releasing';
create index hold_open_intent on hold (checked_at) where state in ('held', 'releasing') and intent_id is not null;
create index hold_student on hold (student_id, created_at);

create table payment (
  id           uuid primary key default gen_random_uuid(),
  hold_id      uuid not null unique references hold (id),
  intent_id    text not null unique,
  student_id   uuid not null references "user" (id),
  class_id     uuid not null references class (id),
  -- As they were on that day: a receipt does not change.
  email        text not null,
  customer     text not null,
  item_name    text not null,
  amount_cents integer not null check (amount_cents >= 0),
  currency     text not null,
  status       text not null check (status in ('pending', 'succeeded', 'refund_due', 'refunded', 'refund_failed', 'disputed')),
  dispute      text check (dispute in ('open', 'won', 'lost')),
  date         timestamptz not null default now(),
  refunded_at  timestamptz,
  checked_at   timestamptz not null default now(),
  -- Split at the same marks as the searches: the parser would take a whole address for one word.
  words        tsvector generated always as
    (to_tsvector('simple', translate(item_name || ' ' || customer || ' ' || email || ' ' || intent_id, '@._-+/', '      '))) stored
);
create index payment_student on payment (student_id, date, id);
create index payment_class on payment (class_id);
create index payment_date on payment (date, id);
create index payment_status on payment (status, date, id);
create index payment_unconfirmed on payment (checked_at) where status = 'pending';
create index payment_words on payment using gin (words);

create table enrolment (
  id         uuid primary key default gen_random_uuid(),
  payment_id uuid not null unique references payment (id),
  student_id uuid not null references "user" (id),
  class_id   uuid not null references class (id),
  state      text not null default 'active' check (state in ('active', 'cancelled')),
  created_at timestamptz not null default now(),
  ended_at   timestamptz
);
create unique index enrolment_one_per_class on enrolment (student_id, class_id) where state = 'active';
create index enrolment_student on enrolment (student_id, created_at desc, id) where state = 'active';
create index enrolment_class on enrolment (class_id) where state = 'active';
create index enrolment_created on enrolment (created_at);

-- Always of the whole amount, so one for each payment. `round` rises when the provider ended one in failure and a human asks again.
create table refund (
  id               uuid primary key default gen_random_uuid(),
  payment_id       uuid not null unique references payment (id),
  amount_cents     integer not null check (amount_cents > 0),
  reason           text not null,
  asked_by         uuid, -- null: the system itself
  state            text not null default 'due' check (state in ('due', 'sent', 'succeeded', 'failed')),
  stripe_refund_id text unique,
  round            integer not null default 1,
  attempts         integer not null default 0,
  next_try         timestamptz not null default now(),
  last_error       text,
  created_at       timestamptz not null default now(),
  ended_at         timestamptz
);
create index refund_open on refund (next_try) where state in ('due', 'sent');
create index refund_failed on refund (created_at) where state = 'failed';

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

-- Up to when all intents at the provider have been compared with ours. A restored backup brings an older mark: what came since is found again.
create table watermark (
  name text primary key,
  at   timestamptz not null
);
insert into watermark (name, at) values ('intents', now()), ('events', now());

insert into tally (kind, key) select 'payment', s from unnest(array ['pending', 'succeeded', 'refund_due', 'refunded', 'refund_failed', 'disputed']) s;
create trigger tally_added after insert on payment referencing new table as added for each statement execute function tally_added('payment', 'status');
create trigger tally_removed after delete on payment referencing old table as removed for each statement execute function tally_removed('payment', 'status');
create trigger tally_moved after update of status on payment for each row when (old.status is distinct from new.status) execute function tally_moved('payment', 'status');
