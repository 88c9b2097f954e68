-- A change of the seats says at commit which class has how many seats left: `<id> <free> <dates>` on the channel `seats`.
-- Open pages get it as it is (server/http/live.ts). Notes come in the order of the commits, and the row of a class is
-- locked until the commit, so the last note of a class is true. Of a class that is not approved no seats are free. A
-- class that is not approved before or after the change is not named: an empty note only drops the kept answers.
drop trigger note_seats on class;
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
