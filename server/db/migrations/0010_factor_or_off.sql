-- Two-step sign-in is on only where a factor is stored: with the flag and no factor, no code would ever be right.
-- The update waits for the lock on the user first, so the trigger sees a factor that ended meanwhile as gone.
create function two_factor_needs_factor() returns trigger language plpgsql as $$
begin
  new.two_factor_enabled := exists (select from two_factor where user_id = new.id);
  return new;
end $$;
create trigger two_factor_needs_factor before insert or update on "user"
  for each row when (new.two_factor_enabled) execute function two_factor_needs_factor();
update "user" set two_factor_enabled = false
  where two_factor_enabled and not exists (select from two_factor where user_id = "user".id);
