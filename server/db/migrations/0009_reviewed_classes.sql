-- What an admin reviewed of a class, since when it waits, and which form it was added with.
alter table class
  add column version      integer not null default 1,         -- rises with every change of a reviewed fact: an approval names the one it saw
  add column approved     jsonb,                              -- the reviewed facts as last approved; null: never approved
  add column changed      text[] not null default '{}',       -- fields changed since the admin's last decision or feedback
  add column handed_in_at timestamptz not null default now(), -- since when it waits for a decision
  add column form_key     uuid;                               -- Idempotency-Key of the request that added it
-- Rewrites the table and builds each index once. An UPDATE of every row would maintain 15 indexes row by row.
-- Classes with sold seats that are not approved now were approved once: their students keep seeing what they see today.
alter table class
  alter column handed_in_at type timestamptz using created_at,
  alter column approved type jsonb using case when status = 'approved' or sold > 0 then jsonb_build_object('name', name, 'img', img,
    'sport', sport, 'description', description, 'ages', ages, 'schedule', schedule, 'place', place) end;
create unique index class_form on class (instructor_id, form_key) where form_key is not null;
-- The classes that wait for a decision, longest first.
create index class_waiting on class (handed_in_at, id) where status = 'pending';

-- A class that is handed over takes its students along.
create function hand_over_students() returns trigger language plpgsql as $$
begin
  update "user" set students_taught = students_taught + case id when new.instructor_id then new.sold else -new.sold end
    where id in (old.instructor_id, new.instructor_id);
  return null;
end $$;
create trigger hand_over_students after update of instructor_id on class
  for each row when (old.instructor_id is distinct from new.instructor_id) execute function hand_over_students();
