-- Locks both rows of the tally by key before it changes them: two payments that change their status
-- at the same moment wait for one another in one direction only.
create or replace function tally_moved() returns trigger language plpgsql as $$
declare
  source text := to_jsonb(old) ->> tg_argv[1];
  target text := to_jsonb(new) ->> tg_argv[1];
begin
  perform from tally where kind = tg_argv[0] and key in (source, target) order by key for no key update;
  update tally set n = n + case key when target then 1 else -1 end where kind = tg_argv[0] and key in (source, target);
  return null;
end $$;
