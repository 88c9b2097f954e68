-- What triggers counted is counted when it is asked for: an index answers in milliseconds.
drop trigger count_students on class;
drop trigger hand_over_students on class;
drop trigger sum_seats on class;
drop trigger sum_seats_added on class;
drop trigger tally_added on class;
drop trigger tally_moved on class;
drop trigger tally_removed on class;
drop trigger tally_added on "user";
drop trigger tally_moved on "user";
drop trigger tally_removed on "user";
drop trigger sum_takings on payment;
drop trigger tally_counted on payment;
drop trigger tally_moved on payment;
drop trigger move_wallet on ledger;
drop trigger sum_takings_anew on academy;
drop table tally, takings, seat_sum, wallet;
alter table "user" drop column students_taught;
drop function count_students, hand_over_students, sum_seats, sum_takings, sum_takings_anew, tally_added, tally_moved, tally_removed,
  tally_payment, move_wallet, shard;

-- Until there is a waiting list no seat is offered, and until there is credit nothing is owed to a wallet.
drop trigger note_seats on class;
drop trigger note_update on class;
alter table class drop column free, drop constraint class_seats;
alter table class drop column offered, drop column waiting,
  add constraint class_seats check (held >= 0 and sold >= 0 and held + sold <= capacity),
  add column free integer not null generated always as (capacity - held - sold) stored;
create trigger note_seats after update on class for each row
  when ((old.free, old.sold, old.shelf, old.dates) is distinct from (new.free, new.sold, new.shelf, new.dates))
  execute function note_seats();
do $$ begin
  execute format('create trigger note_update after update of %s on class for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('held', 'sold')));
end $$;
alter table ledger drop constraint ledger_debit_check, drop constraint ledger_credit_check,
  add check (debit in ('card', 'sales', 'owed')), add check (credit in ('card', 'sales', 'owed'));

-- The day on which a payment was made at the academy: it stays that day when the zone changes.
alter table payment add column day date not null default academy_day(now());
update payment set day = academy_day(date);
create index payment_day on payment (day) include (seats, amount_cents, back_cents);
