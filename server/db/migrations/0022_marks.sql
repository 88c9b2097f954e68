-- Who came. Marks are only ever added: the newest counts, all are kept.
create table mark (
  id             uuid primary key, -- made on the phone: sent twice, it is stored once
  meeting_id     uuid not null references meeting (id) on delete cascade,
  participant_id uuid references participant (id) on delete cascade,
  guest          text check (length(guest) between 1 and 100), -- a walk-in, who has no participant here
  status         text not null check (status in ('present', 'late', 'absent', 'excused', 'left')),
  note           text not null default '' check (length(note) <= 100), -- "picked up by Eva"
  at             timestamptz not null, -- by the phone's clock, never later than its arrival
  made_by        uuid references "user" (id) on delete set null,
  received_at    timestamptz not null default now(),
  check (num_nonnulls(participant_id, guest) = 1),
  check (at <= received_at)
);
create index mark_meeting on mark (meeting_id, participant_id, at desc, id desc);
create index mark_participant on mark (participant_id, at desc) where participant_id is not null;
create index mark_made_by on mark (made_by);
create index mark_at on mark (at); -- the oldest are deleted after 24 months

-- Two changes are allowed: a note is blanked when a child is erased, and the author is forgotten.
create function mark_is_only_added() returns trigger language plpgsql as $$
begin
  raise exception 'marks are only added' using errcode = 'insufficient_privilege';
end $$;
create trigger mark_is_only_added before update on mark for each row
  when ((old.id, old.meeting_id, old.participant_id, old.guest, old.status, old.at, old.received_at)
      is distinct from (new.id, new.meeting_id, new.participant_id, new.guest, new.status, new.at, new.received_at)
    or (new.note <> old.note and new.note <> '')
    or (new.made_by is distinct from old.made_by and new.made_by is not null))
  execute function mark_is_only_added();

-- A roster of last month has people whose seat ended since, so the index has all enrolments.
drop index enrolment_class;
create index enrolment_class on enrolment (class_id, participant_id);
