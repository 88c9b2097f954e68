-- One factor per account. Two set-ups at the same moment stored two rows: after one of them was proven by a code, the
-- backup codes of the other still opened the account.
--
-- Of several rows the proven one stays (verified; null counts as proven). Where none or several are proven, all go: no
-- order of the rows tells which is the owner's. A set-up that was only begun is begun again. Where the flag is on and no
-- proven factor is left, no code of the app would be right: the flag goes off, and the password alone signs in until the
-- owner turns two-step sign-in on again. Sessions of accounts with several rows end: a code of the wrong row may have
-- opened them.
delete from session where user_id in (select user_id from two_factor group by user_id having count(*) > 1);
with doubled as (
  select user_id, count(*) filter (where verified is not false) as proven from two_factor group by user_id having count(*) > 1
)
delete from two_factor f using doubled d
  where d.user_id = f.user_id and (f.verified is false or d.proven <> 1);
delete from two_factor f using "user" u
  where u.id = f.user_id and u.two_factor_enabled and f.verified is false;
update "user" set two_factor_enabled = false
  where two_factor_enabled and not exists (select from two_factor where user_id = "user".id);

drop index two_factor_user_id_idx;
create unique index two_factor_user_id_key on two_factor (user_id);

-- A new set-up is a new row: a code that proves a row proves the secret it was checked with.
create function two_factor_secret_stays() returns trigger language plpgsql as $$
begin
  raise unique_violation using message = 'The secret of a stored factor does not change', table = 'two_factor';
end $$;
create trigger two_factor_secret_stays before update on two_factor
  for each row when (new.secret is distinct from old.secret or new.user_id is distinct from old.user_id)
  execute function two_factor_secret_stays();
