-- What is not needed any more is deleted by the chore forget-old. Guardians are told 30 days before.
alter table care add column warned_at timestamptz;

alter table participant
  add column changed_at timestamptz not null default now(),
  add column warned_at timestamptz;
create function participant_changed() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;
create trigger participant_changed before update of name, born on participant
  for each row execute function participant_changed();

-- Documents of an older key are sealed again, a hundred a night.
create index care_key on care (key, participant_id);
