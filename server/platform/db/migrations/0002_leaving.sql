-- After the sale: terms of leaving, credit, lists of those who wait, and classes that are cancelled.

-- ===== Seats: free, held, sold. `queued`: somebody is in line, so the seats that are left are theirs =====

drop trigger note_seats on class;
alter table class
  drop column free, -- its expression changes
  add column queued boolean not null default false,
  -- The worker of the list reads `seats_left`, buyers read `free`: with the row that a claim locks anyway.
  add column seats_left integer not null generated always as (capacity - held - sold) stored,
  add column free integer not null generated always as (case when queued then 0 else capacity - held - sold end) stored,
  add constraint class_line unique (id, queued),
  -- A class that has begun costs what is left of it. Kept by tell_class and the chore `day-turns`.
  add column meetings smallint not null default 0,
  add column meetings_left smallint not null default 0,
  add column part_price boolean not null default true,
  add column now_cents integer not null generated always as (case
    when not part_price or meetings = 0 or meetings_left = 0 then price_cents
    else greatest(50, (2 * price_cents::bigint * meetings_left + meetings) / (2 * meetings))::int end) stored,
  add column cancelled_at timestamptz,
  add column cancel_note text check (length(cancel_note) between 1 and 500),
  add constraint class_meetings check (meetings_left between 0 and meetings),
  drop constraint class_status_check,
  add constraint class_status_check check (status in ('pending', 'approved', 'denied', 'cancelled')),
  add constraint class_cancelled check (
    (status = 'cancelled') = (cancelled_at is not null) and (cancelled_at is null) = (cancel_note is null)),
  alter column shelf set expression as (case when over and status <> 'cancelled' then 'over' else status end);
-- The money of these families is still to be given back (checkout/cancel.ts).
create index class_cancelled on class (id) where status = 'cancelled' and sold > 0;
-- What a seat costs now is what lists filter and sort by.
drop index class_all_price, class_shelf_price;
create index class_all_price on class (now_cents, id);
create index class_shelf_price on class (shelf, now_cents, id);
create index class_begun on class (first_day) where not over and meetings_left > 0; -- the chore day-turns
-- Not by a trigger on `class`: one before its updates would lock the row of every claim once more.
create function count_meetings() returns trigger language plpgsql as $$
begin
  update class set meetings = now_is.of, meetings_left = now_is.still
  from (select c.class_id, count(m.id) as of, count(m.id) filter (where lower(m.during) > now()) as still
    from (select distinct class_id from changed) c
    left join meeting m on m.class_id = c.class_id and m.state in ('proposed', 'on') group by c.class_id) now_is
  where class.id = now_is.class_id and (class.meetings, class.meetings_left) is distinct from (now_is.of, now_is.still);
  return null;
end $$;
create trigger tell_left_added after insert on meeting referencing new table as changed for each statement execute function count_meetings();
create trigger tell_left_changed after update on meeting referencing new table as changed
  for each statement execute function count_meetings();
create trigger tell_left_removed after delete on meeting referencing old table as changed
  for each statement execute function count_meetings();
create trigger note_seats after update on class for each row
  when ((old.free, old.sold, old.shelf, old.dates) is distinct from (new.free, new.sold, new.shelf, new.dates))
  execute function note_seats();
-- In a class with a list `free` stays 0, so note_seats is silent when a seat is freed or added. The worker listens. It
-- is told of the status, too: a list starts again, or ends.
create function note_line() returns trigger language plpgsql as $$
begin
  perform pg_notify('line', new.id::text);
  return null;
end $$;
create trigger note_line after update on class for each row
  when (new.queued and (new.seats_left > old.seats_left or new.shelf <> old.shelf)) execute function note_line();
create or replace function note_columns() returns void language plpgsql as $$
begin
  execute format('create or replace trigger note_change after insert or update of %s or delete on class
    for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attname not in ('held', 'sold', 'queued')));
end $$;

-- ===== Terms of leaving: what a family gets back =====

-- { withdraw: 14, steps: [{ days: 14, card: 100, credit: 100 }, { days: 3, card: 50, credit: 70 }],
--   begun: { card: 80, credit: 100 }, resold: 100 }: days before the first meeting and percents, both falling.
create function good_terms(t jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(t->'steps') = 'array' and jsonb_array_length(t->'steps') between 1 and 6
    and (t->>'withdraw')::int between 0 and 30 and (t->>'resold')::int between 0 and 100
    and (t->'begun'->>'card')::int between 0 and 100
    and (t->'begun'->>'credit')::int between (t->'begun'->>'card')::int and 100
    and not exists (select from jsonb_array_elements(t->'steps') with ordinality s(step, n)
      left join lateral (select t->'steps'->(s.n - 2)::int as before where s.n > 1) b on true
      where not ((step->>'days')::int between 0 and 365 and (step->>'card')::int between 0 and 100
        and (step->>'credit')::int between (step->>'card')::int and 100)
        or s.n > 1 and not ((step->>'days')::int < (before->>'days')::int
          and (step->>'card')::int <= (before->>'card')::int and (step->>'credit')::int <= (before->>'credit')::int))
$$;
-- A row never changes: an edit adds another, and a line keeps those it was sold under. The CHECK is here and not on
-- `class`, where it made every claim 1.4 times as dear.
create table leaving (
  id      uuid primary key default gen_random_uuid(),
  terms   jsonb not null check (good_terms(terms) is true),
  made_at timestamptz not null default now()
);
create trigger append_only before update or delete or truncate on leaving for each statement execute function append_only();
insert into leaving (id, terms) values ('00000000-0000-4000-8000-000000000001',
  '{"withdraw":0,"steps":[{"days":1,"card":100,"credit":100}],"begun":{"card":0,"credit":0},"resold":0}');
alter table academy
  add column leaving_id   uuid not null default '00000000-0000-4000-8000-000000000001' references leaving (id),
  add column offer_hours  smallint not null default 24 check (offer_hours between 1 and 168),
  add column gather_hours smallint not null default 12 check (gather_hours between 0 and 72),
  add column choice_hours smallint not null default 72 check (choice_hours between 0 and 336);
alter table class add column leaving_id uuid references leaving (id); -- null: as the academy
select note_columns();

-- ===== Waiting: one ask of one family, in the lists of one to six classes =====

create table wait (
  id         uuid primary key default gen_random_uuid(),
  student_id uuid not null references "user" (id),
  seats      smallint not null check (seats between 1 and 8), -- all of them in one class, or none
  instead    uuid references enrolment (id), -- of a change of class: the seat that ends when this is paid
  joined_at  timestamptz not null default now(),
  ended_at   timestamptz,
  ended      text check (ended in ('enrolled', 'left', 'over')), -- over: no class of it is left
  check ((ended is null) = (ended_at is null))
);
create index wait_student on wait (student_id, joined_at desc);
create index wait_instead on wait (instead) where instead is not null;
create sequence place_in_line;
create table wish (
  wait_id    uuid not null references wait (id),
  class_id   uuid not null references class (id),
  position   bigint not null default nextval('place_in_line'),
  ahead      smallint not null default 0, -- seats wanted before it on the day it joined, for the odds
  state      text not null default 'waiting' check (state in ('waiting', 'gathering', 'offered', 'passed', 'paused', 'ended')),
  kept_until timestamptz, -- of a group: how long seats are gathered for it
  ended      text check (ended in ('enrolled', 'left', 'declined', 'expired', 'elsewhere', 'closed')),
  offered_at timestamptz,
  ended_at   timestamptz,
  put_first  text check (length(put_first) between 1 and 500), -- by the office, and why
  put_first_at timestamptz,
  primary key (wait_id, class_id),
  unique (class_id, position),
  check ((state = 'ended') = (ended is not null)),
  check ((ended is null) = (ended_at is null)),
  check ((put_first is null) = (put_first_at is null)),
  check (state <> 'gathering' or kept_until is not null),
  live       boolean not null generated always as (state <> 'ended') stored,
  unique (wait_id, class_id, live),
  -- In line: the seats of the class are not on sale. The class says so, or this row cannot be.
  in_line    boolean generated always as (case when state in ('waiting', 'gathering') then true end) stored,
  constraint wish_in_line foreign key (class_id, in_line) references class (id, queued)
);
create unique index wish_one_offer on wish (wait_id) where state in ('gathering', 'offered');
create index wish_line on wish (class_id, position) where state <> 'ended';
create table waiter (
  wait_id        uuid not null,
  class_id       uuid not null,
  live           boolean not null default true,
  participant_id uuid not null references participant (id),
  primary key (wait_id, class_id, participant_id),
  foreign key (wait_id, class_id, live) references wish (wait_id, class_id, live) on update cascade
);
create unique index waiter_once on waiter (participant_id, class_id) where live;
create index waiter_participant on waiter (participant_id);

-- An offer is a hold with a later end. The twelve slots limit what a family takes for itself, not what it is given.
alter table hold
  add column reason text not null default 'cart' check (reason in ('cart', 'offer')),
  add column wait_id uuid,
  alter column slot drop not null,
  add constraint hold_slot_cart check ((slot is not null) = (reason = 'cart')),
  add constraint hold_wait check ((wait_id is not null) = (reason = 'offer')),
  add constraint hold_wish foreign key (wait_id, class_id) references wish (wait_id, class_id);
create index hold_wait on hold (wait_id) where wait_id is not null;

-- ===== Money: credit, lines that end, refunds with a choice =====

create table credit (
  student_id uuid primary key references "user" (id),
  cents      integer not null check (cents >= 0)
);
-- `credit`: what families have to spend. `reserved`: of it, in baskets. `grants`: what the office gave.
alter table ledger
  drop constraint ledger_debit_check, drop constraint ledger_credit_check,
  add constraint ledger_debit_check check (debit in ('card', 'credit', 'reserved', 'owed', 'sales', 'grants')),
  add constraint ledger_credit_check check (credit in ('card', 'credit', 'reserved', 'owed', 'sales', 'grants')),
  -- The family's balance after this row: written by the statement that changed it (checkout/ledger.ts).
  add column credit_after integer check (credit_after >= 0),
  add constraint ledger_credit_after check ((credit_after is not null) = (debit = 'credit' or credit = 'credit'));
create index ledger_credit on ledger (student_id, id) where credit_after is not null;
alter table basket
  add column credit_cents integer not null default 0 check (credit_cents >= 0),
  add column swap_of uuid references enrolment (id), -- of a change of class: the seat that helps to pay
  add column swap_cents integer not null default 0 check (swap_cents >= 0),
  add column swap_back_cents integer not null default 0 check (swap_back_cents >= 0), -- of its worth, what becomes credit
  drop constraint basket_total_cents_check,
  -- The provider takes no less than 50 cents.
  add column card_cents integer not null generated always as (total_cents - credit_cents - swap_cents) stored,
  add constraint basket_card check (total_cents - credit_cents - swap_cents = 0 or total_cents - credit_cents - swap_cents >= 50),
  add constraint basket_swap check (swap_cents + swap_back_cents = 0 or swap_of is not null);
-- `amount_cents` is what the card brought; `back_cents` what of it went back.
alter table payment
  add column credit_cents integer not null default 0 check (credit_cents >= 0),
  add column swap_cents integer not null default 0 check (swap_cents >= 0);
alter table payment_line
  add column meetings smallint not null default 0 check (meetings >= 0), -- that it paid for; 0: the class had no dates
  add column leaving_id uuid not null default '00000000-0000-4000-8000-000000000001' references leaving (id), -- as bought
  add column raise_cents integer not null default 0 check (raise_cents >= 0), -- of the price, because others left
  add column moved_cents integer not null default 0, -- money that came from, or went to, other lines of the payment
  drop constraint payment_line_check1,
  add constraint payment_line_worth check (worth_cents + moved_cents >= 0),
  -- Whatever has left a line, wherever to: the card, credit, or the seat it was changed for.
  add constraint payment_line_back check (back_cents between 0 and worth_cents + moved_cents);
alter table enrolment rename column objected_at to asked_at; -- new dates do not suit, or the terms give too little
alter table enrolment rename column objection to ask;
alter table enrolment
  add column ask_about text not null default 'dates' check (ask_about in ('dates', 'money')),
  add column answered_at timestamptz,
  add column answer text check (length(answer) between 1 and 500),
  add column end_kind text check (end_kind in ('family', 'withdrawn', 'moved', 'academy', 'office', 'provider'));
update enrolment set end_kind = 'office' where state <> 'active';
alter table enrolment add constraint enrolment_end check ((state = 'active') = (end_kind is null));
alter index enrolment_objected rename to enrolment_asked;
alter table refund
  alter column line_id drop not null,  -- credit that is paid out is of no line
  add column choice_until timestamptz, -- until then the family may take it as credit
  drop constraint refund_state_check,
  add constraint refund_state_check check (state in ('due', 'sent', 'succeeded', 'failed', 'credit')),
  add constraint refund_choice check (state <> 'credit' or (choice_until is not null and stripe_refund_id is null));
create table resale (
  line_id  uuid primary key references payment_line (id),
  class_id uuid not null references class (id),
  cents    integer not null check (cents > 0),
  since    timestamptz not null default now(),
  state    text not null default 'waiting' check (state in ('waiting', 'due', 'paid', 'void'))
);
create index resale_open on resale (class_id, since) where state in ('waiting', 'due');
-- A cancelled date whose part of the price families get as credit.
alter table meeting add column give_back boolean not null default false check (not give_back or state = 'cancelled');
-- A family sees in its calendar that a class was cancelled.
create index enrolment_cancelled on enrolment (participant_id) where end_kind = 'academy';
