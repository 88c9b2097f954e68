-- A basket is what one payment pays for: the seats (holds) in it and one intent at the card provider. A payment has a
-- line for each seat. The ledger is the record of all money. The server of the version before must be stopped.

-- For the joins and the indexes of a million payments, until the migration ends.
set local work_mem = '256MB';
set local maintenance_work_mem = '512MB';

-- A ledger row is never changed (N9).
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- ===== Seats of a class: free, held, sold; offered and waiting stay 0 until there is a waiting list =====
drop trigger note_update on class;
drop trigger note_seats on class;
alter table class drop column free;
alter table class
  add column offered integer not null default 0,
  add column waiting integer not null default 0,
  drop constraint class_seats,
  add constraint class_seats check (held >= 0 and sold >= 0 and offered >= 0 and waiting >= 0 and held + sold + offered <= capacity),
  add column free integer not null generated always as
    (case when waiting > 0 then 0 else capacity - held - sold - offered end) stored;
create trigger note_seats after update on class for each row
  when ((old.free, old.sold, old.shelf, old.dates) is distinct from (new.free, new.sold, new.shelf, new.dates))
  execute function note_seats();
-- Every column but the counters and those that are generated (0016).
do $$ begin
  execute format('create trigger note_update after update of %s on class for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attname not in ('held', 'sold', 'offered', 'waiting')));
end $$;

-- ===== Baskets =====
-- The keys of the new tables are made after their rows: among a million payments that takes a quarter of the time.
create table basket (
  id            uuid not null default gen_random_uuid(),
  student_id    uuid not null,
  -- What the card is asked for. The provider takes no less than 50 cents.
  total_cents   integer not null check (total_cents = 0 or total_cents >= 50),
  currency      text not null default 'usd',
  -- open → closing → closed (the provider cancelled the intent, or its secret was never returned), open | closing → paid
  state         text not null default 'open' check (state in ('open', 'closing', 'closed', 'paid')),
  rules         jsonb not null default '{}', -- the price rules of that moment
  created_at    timestamptz not null default now(),
  -- Part of the idempotency key of the intent; raised when the provider has saved a failure under the old key.
  attempt       integer not null default 1,
  intent_id     text,
  declines      integer not null default 0,
  checked_at    timestamptz, -- when the reconciler last asked the provider about the intent
  reason        text, -- why it is being closed
  closing_since timestamptz,
  tries         integer not null default 0, -- of cancelling the intent
  next_try      timestamptz
);

alter table hold rename column amount_cents to list_cents;
alter table hold rename constraint hold_amount_cents_check to hold_list_cents_check;

-- A basket for each existing hold, with the id of the hold: the keys and the metadata of live intents stay valid.
insert into basket (id, student_id, total_cents, currency, state, created_at, attempt, intent_id, declines, checked_at, reason,
  closing_since, tries, next_try)
select id, student_id, list_cents, currency,
  case state when 'held' then 'open' when 'releasing' then 'closing' when 'released' then 'closed' else 'paid' end,
  created_at, attempt, intent_id, declines, checked_at, reason, releasing_since, tries,
  case when state = 'releasing' then coalesce(next_try, now()) end
from hold;
alter table basket add primary key (id), add unique (intent_id), add foreign key (student_id) references "user" (id);
create index basket_student on basket (student_id, created_at);
create index basket_closing on basket (next_try) where state = 'closing';
create index basket_open_intent on basket (checked_at) where state in ('open', 'closing') and intent_id is not null;

-- Written anew with the new columns, instead of changed row by row.
alter table hold
  add column basket_id uuid,
  add column discount_cents integer not null default 0,
  add column why jsonb not null default '[]'; -- of the discount: [{ rule, kind, cents }]
drop index hold_open_intent;
alter table hold
  alter column basket_id type uuid using case when state <> 'released' then id end,
  drop column intent_id, drop column attempt, drop column declines, drop column checked_at, drop column currency,
  drop constraint hold_slot_check;
alter table hold
  add constraint hold_basket_id_fkey foreign key (basket_id) references basket (id),
  -- At most twelve live holds for each student.
  add constraint hold_slot_check check (slot between 1 and 12),
  add constraint hold_discount check (discount_cents between 0 and list_cents),
  -- A seat in a basket cannot be freed, nor sold outside of one (N2).
  add constraint hold_freed_loose check (state <> 'released' or basket_id is null),
  add constraint hold_sold_in_basket check (state <> 'consumed' or basket_id is not null);
create index hold_basket on hold (basket_id) where basket_id is not null;

-- ===== Payments and their lines =====
alter table payment drop constraint payment_hold_id_fkey;
alter table payment rename column hold_id to basket_id;
alter table payment rename constraint payment_hold_id_key to payment_basket_id_key;
alter table payment add constraint payment_basket_id_fkey foreign key (basket_id) references basket (id);
alter table payment
  add column back_cents integer not null default 0, -- what was sent back to the card, or is owed to it
  add column seats smallint not null default 1 check (seats between 0 and 12), -- its active enrolments
  alter column intent_id drop not null; -- a payment of nothing has none
-- What was sent back: a refund, whatever its state, or a lost dispute.
update payment set back_cents = amount_cents, seats = 0 where status in ('refund_due', 'refunded', 'refund_failed');
-- A payment without an intent is found, too. A trigger instead of an expression: another expression would write a million
-- payments and their index anew, which took half of this migration. It fires for rows that are restored or replicated, too.
alter table payment alter column words drop expression;
create function find_payment() returns trigger language plpgsql as $$
begin
  new.words := to_tsvector('simple', translate(new.item_name || ' ' || new.customer || ' ' || new.email || ' '
    || coalesce(new.intent_id, '') || ' ' || receipt_number(new.number, new.date), '@._-+/', '      '));
  return new;
end $$;
create trigger find_payment before insert or update of item_name, customer, email, intent_id, number, date, words on payment
  for each row execute function find_payment();
alter table payment enable always trigger find_payment;
alter table payment
  add constraint payment_back check (back_cents between 0 and amount_cents),
  add constraint payment_paid check ((intent_id is null) = (amount_cents = 0)),
  drop constraint payment_status_check,
  add constraint payment_status_check check
    (status in ('pending', 'succeeded', 'refund_due', 'refunded', 'part_refunded', 'refund_failed', 'disputed'));
insert into tally (kind, key) values ('payment', 'part_refunded');

create table payment_line (
  id             uuid not null default gen_random_uuid(),
  payment_id     uuid not null,
  hold_id        uuid not null,
  student_id     uuid not null,
  participant_id uuid not null,
  class_id       uuid not null,
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
  place          smallint not null default 1 check (place between 1 and 12) -- its order on the receipt
);
-- A line for each existing payment, with the id of the payment.
insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents,
  back_cents, outcome)
select payment.id, payment.id, hold.id, payment.student_id, hold.participant_id, payment.class_id, payment.item_name, participant.name,
  payment.amount_cents, payment.amount_cents, payment.back_cents,
  case when exists (select from enrolment where enrolment.payment_id = payment.id) then 'enrolled' else 'refused' end
from payment join hold on hold.id = payment.basket_id join participant on participant.id = hold.participant_id;
alter table payment_line
  add primary key (id),
  add unique (hold_id),
  add unique (payment_id, place),
  add unique (payment_id, participant_id, class_id),
  add foreign key (payment_id) references payment (id),
  add foreign key (hold_id) references hold (id),
  add foreign key (student_id) references "user" (id),
  add foreign key (participant_id) references participant (id),
  add foreign key (class_id) references class (id);
create index payment_line_class on payment_line (class_id, id);
create index payment_line_participant on payment_line (participant_id);
-- An erased participant is in no line by name, also one whose name is forgotten later (people/retention.ts).
create function erase_line_names() returns trigger language plpgsql as $$
begin
  update payment_line set participant = new.name where participant_id = new.id and participant <> new.name;
  return null;
end $$;
create trigger erase_line_names after update of name on participant for each row
  when (new.erased_at is not null and old.name <> new.name) execute function erase_line_names();

drop index payment_class;
alter table payment drop column class_id;

-- A day's takings are what was kept of its payments, and the enrolments that they still pay for.
create or replace function sum_takings() returns trigger language plpgsql as $$
begin
  insert into takings as t (day, shard, n, cents)
    select (change.date at time zone 'UTC')::date, shard(change.id), sum(change.sign * change.seats), sum(change.sign * change.cents)
    from (select old.id, old.date, old.seats, old.amount_cents - old.back_cents as cents, -1 as sign where tg_op <> 'INSERT'
      union all select new.id, new.date, new.seats, new.amount_cents - new.back_cents, 1 where tg_op <> 'DELETE') change
    group by 1, 2 order by 1, 2
  on conflict (day, shard) do update set n = t.n + excluded.n, cents = t.cents + excluded.cents;
  return null;
end $$;
drop trigger sum_takings on payment;
create trigger sum_takings after insert or delete or update of seats, date, amount_cents, back_cents on payment
  for each row execute function sum_takings();
drop function is_kept(payment);

-- ===== Enrolments and refunds belong to a line =====
alter table enrolment add column line_id uuid, drop constraint enrolment_payment_id_key;
-- Of payments with one line, which has the id of the payment: written anew instead of changed row by row.
alter table enrolment alter column line_id type uuid using payment_id;
alter table enrolment
  alter column line_id set not null,
  add constraint enrolment_line_id_fkey foreign key (line_id) references payment_line (id),
  add constraint enrolment_line_id_key unique (line_id);
create index enrolment_payment on enrolment (payment_id);

alter table refund add column line_id uuid;
alter table refund alter column line_id type uuid using payment_id;
alter table refund
  alter column line_id set not null,
  add constraint refund_line_id_fkey foreign key (line_id) references payment_line (id),
  drop constraint refund_payment_id_key,
  drop constraint refund_stripe_refund_id_key;
-- A refund that was made in the provider's dashboard may be of several lines, and may also pay what is owed. It has one row
-- of its own in each line.
create unique index refund_foreign on refund (stripe_refund_id, line_id) where reason = 'refunded at the card provider';
create index refund_payment on refund (payment_id);
create index refund_line on refund (line_id);

-- ===== Ledger and credit =====
-- One row is one transfer between two accounts, so it cannot be out of balance. `card`: what the provider has for us.
-- `sales`: a line of a payment. `owed`: to be sent back to a card. `credit`, `reserved`: of a student (the wallet).
create table ledger (
  id         bigint generated always as identity,
  at         timestamptz not null default now(),
  key        text not null, -- what it is for: a repeated posting is refused
  debit      text not null check (debit in ('card', 'credit', 'reserved', 'owed', 'sales', 'grants')),
  credit     text not null check (credit in ('card', 'credit', 'reserved', 'owed', 'sales', 'grants')),
  cents      integer not null check (cents > 0),
  student_id uuid not null,
  payment_id uuid,
  basket_id  uuid,
  refund_id  uuid,
  from_line  uuid,
  to_line    uuid,
  actor_id   uuid,
  note       text not null default '',
  check (debit <> credit or debit = 'sales'),
  check ((debit = 'sales') = (from_line is not null)),
  check ((credit = 'sales') = (to_line is not null))
);
insert into ledger (at, key, debit, credit, cents, student_id, payment_id, refund_id, to_line)
select payment.date, case line.outcome when 'enrolled' then 'sale:' else 'refused:' end || line.id || ':card', 'card',
  case line.outcome when 'enrolled' then 'sales' else 'owed' end, line.amount_cents, payment.student_id, payment.id,
  case line.outcome when 'refused' then refund.id end, case line.outcome when 'enrolled' then line.id end
from payment join payment_line line on line.payment_id = payment.id left join refund on refund.line_id = line.id where line.amount_cents > 0 order by payment.date, payment.id;
insert into ledger (at, key, debit, credit, cents, student_id, payment_id, refund_id, from_line)
select refund.created_at, 'owed:' || refund.id, 'sales', 'owed', least(refund.amount_cents, line.amount_cents), line.student_id,
  line.payment_id, refund.id, line.id
from refund join payment_line line on line.id = refund.line_id where line.outcome = 'enrolled' order by refund.created_at, refund.id;
insert into ledger (at, key, debit, credit, cents, student_id, payment_id, refund_id)
select coalesce(refund.ended_at, refund.created_at), 'sent:' || refund.id || ':' || refund.round, 'owed', 'card',
  least(refund.amount_cents, line.amount_cents), line.student_id, line.payment_id, refund.id
from refund join payment_line line on line.id = refund.line_id
where refund.state = 'succeeded' order by refund.ended_at, refund.id;
insert into ledger (at, key, debit, credit, cents, student_id, payment_id, from_line)
select coalesce(payment.refunded_at, now()), 'lost:' || line.id, 'sales', 'card', line.amount_cents, payment.student_id, payment.id, line.id
from payment join payment_line line on line.payment_id = payment.id
where payment.status = 'refunded' and line.outcome = 'enrolled' and line.amount_cents > 0
  and line.back_cents > 0 -- which follows, and leaves few of the lines
  and not exists (select from refund where refund.payment_id = payment.id);
alter table ledger
  add primary key (id),
  add unique (key),
  add foreign key (student_id) references "user" (id),
  add foreign key (payment_id) references payment (id),
  add foreign key (basket_id) references basket (id),
  add foreign key (refund_id) references refund (id),
  add foreign key (from_line) references payment_line (id),
  add foreign key (to_line) references payment_line (id);
create index ledger_student on ledger (student_id, id);
create index ledger_at on ledger (at, id);
create index ledger_payment on ledger (payment_id);
create index ledger_from on ledger (from_line) where from_line is not null;
create index ledger_to on ledger (to_line) where to_line is not null;
create trigger append_only before update or delete or truncate on ledger for each statement execute function append_only();

-- The credit of a student, written by the trigger on the ledger only.
create table wallet (
  student_id     uuid primary key references "user" (id),
  cents          integer not null default 0 check (cents >= 0),
  reserved_cents integer not null default 0 check (reserved_cents >= 0)
);
create function move_wallet() returns trigger language plpgsql as $$
begin
  insert into wallet (student_id) values (new.student_id) on conflict do nothing;
  update wallet set
    cents = cents + case 'credit' when new.credit then new.cents when new.debit then -new.cents else 0 end,
    reserved_cents = reserved_cents + case 'reserved' when new.credit then new.cents when new.debit then -new.cents else 0 end
  where student_id = new.student_id;
  return null;
end $$;
create trigger move_wallet after insert on ledger for each row
  when (new.debit in ('credit', 'reserved') or new.credit in ('credit', 'reserved')) execute function move_wallet();
