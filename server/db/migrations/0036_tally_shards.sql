-- Every sale changed the one row that counts pending payments, and so waited until the sale before it was committed.
-- Eight rows share the count of payments of a status now, as they share takings and seats (0015). The counts of before
-- stay in the first of them: only the sum of the eight means something.
alter table tally add column shard smallint not null default 0;
alter table tally drop constraint tally_pkey, add primary key (kind, key, shard), set (fillfactor = 50);
insert into tally (kind, key, shard) select kind, key, nth from tally, generate_series(1, 7) nth where kind = 'payment';

-- Locks by key before it changes: payments that change their status at the same moment wait for one another in one
-- direction only (0012).
create function tally_payment() returns trigger language plpgsql as $$
declare
  source text := case when tg_op <> 'INSERT' then old.status end;
  target text := case when tg_op <> 'DELETE' then new.status end;
  nth smallint := shard(coalesce(new.id, old.id));
begin
  perform from tally where kind = 'payment' and key in (source, target) and shard = nth order by key for no key update;
  update tally set n = n + case key when target then 1 else -1 end
    where kind = 'payment' and key in (source, target) and shard = nth;
  return null;
end $$;
drop trigger tally_added on payment;
drop trigger tally_removed on payment;
drop trigger tally_moved on payment;
-- Named so that they fire after sum_takings, as docs/locking.md wants.
create trigger tally_counted after insert or delete on payment for each row execute function tally_payment();
create trigger tally_moved after update of status on payment for each row
  when (old.status is distinct from new.status) execute function tally_payment();
