-- Who comes, as distinct from who pays. Every account is its own participant, under the same id; children have ids of
-- their own. So `participant_id = student_id` is right for every row from before.
create table participant (
  id         uuid primary key default gen_random_uuid(),
  self_of    uuid unique references "user" (id) on delete cascade,
  name       text not null check (length(name) between 1 and 200),
  born       date check (born > '1900-01-01'),
  made_by    uuid references "user" (id) on delete set null, -- may remove the child and other guardians
  created_at timestamptz not null default now(),
  erased_at  timestamptz, -- the row stays for the books, nobody can be recognised in it
  check (self_of = id),
  check (self_of is not null or born is not null or erased_at is not null)
);

-- Oneself included, so that "mine" is one question.
create table guardian (
  user_id        uuid not null references "user" (id) on delete cascade,
  participant_id uuid not null references participant (id) on delete cascade,
  since          timestamptz not null default now(),
  primary key (user_id, participant_id)
);
create index guardian_participant on guardian (participant_id);

create function make_self() returns trigger language plpgsql as $$
begin
  insert into participant (id, self_of, name, made_by) values (new.id, new.id, new.name, new.id);
  insert into guardian (user_id, participant_id) values (new.id, new.id);
  return null;
end $$;
create trigger make_self after insert on "user" for each row execute function make_self();
create function keep_self_name() returns trigger language plpgsql as $$
begin
  update participant set name = new.name where id = new.id;
  return null;
end $$;
create trigger keep_self_name after update of name on "user"
  for each row when (old.name is distinct from new.name) execute function keep_self_name();

-- A deleted account is an erased participant, whom nobody looks after.
insert into participant (id, self_of, name, made_by, created_at, erased_at)
  select id, id, name, id, created_at, case when email like '%@deleted.invalid' then updated_at end from "user";
insert into guardian (user_id, participant_id, since)
  select id, id, created_at from "user" where email not like '%@deleted.invalid';

-- Several children of one letter share its secret.
create table invitation (
  secret_hash    bytea not null,
  participant_id uuid not null references participant (id) on delete cascade,
  email          text not null check (email = lower(email)),
  invited_by     uuid not null references "user" (id) on delete cascade,
  expires_at     timestamptz not null default now() + interval '7 days',
  primary key (participant_id, email)
);
create index invitation_secret on invitation (secret_hash);

-- Allergies, health, emergency contacts, who may pick up: one sealed document, never searched.
create table care (
  participant_id uuid primary key references participant (id) on delete cascade,
  sealed         bytea not null,
  key            smallint not null,
  confirmed_at   timestamptz not null default now(),
  confirmed_by   uuid references "user" (id) on delete set null
);

alter table cart_item add column participant_id uuid references participant (id) on delete cascade;
alter table hold add column participant_id uuid references participant (id);
alter table enrolment
  add column participant_id uuid references participant (id),
  add column objected_at timestamptz, -- the family cannot come at the new dates
  add column objection text not null default '' check (length(objection) <= 500);
update cart_item set participant_id = student_id;
update hold set participant_id = student_id;
update enrolment set participant_id = student_id;
alter table cart_item alter column participant_id set not null;
alter table hold alter column participant_id set not null;
alter table enrolment alter column participant_id set not null;

alter table cart_item drop constraint cart_item_student_id_class_id_key;
alter table cart_item add constraint cart_item_once unique (student_id, class_id, participant_id);
create index cart_item_participant on cart_item (participant_id, class_id);
drop index hold_one_per_class, enrolment_one_per_class;
create unique index hold_one_per_class on hold (participant_id, class_id) where state in ('held', 'releasing');
create unique index enrolment_one_per_class on enrolment (participant_id, class_id) where state = 'active';
create index enrolment_participant on enrolment (participant_id, created_at desc, id) where state = 'active';
create index enrolment_objected on enrolment (objected_at) where objected_at is not null;
