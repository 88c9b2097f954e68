-- Staff are invited by mail, accounts can be blocked, and people may leave a phone number and a line about themselves.

-- Only the hash of the secret is stored. Accepting deletes the row, so a link works once; a new invitation replaces the
-- open one of its address. `invited_by` is null when the operator printed the link (npm run admin).
create table staff_invitation (
  id          uuid primary key default gen_random_uuid(),
  email       text not null unique check (email = lower(email) and length(email) <= 254),
  role        text not null check (role in ('instructor', 'admin')),
  secret_hash bytea not null unique,
  invited_by  uuid references "user" (id) on delete cascade,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '7 days'
);
create index staff_invitation_invited_by on staff_invitation (invited_by);

alter table "user"
  -- Not null: no session, token, mailed link or calendar feed of the account works. Its enrolments stay.
  add column blocked_at timestamptz,
  add column phone text check (phone <> '' and length(phone) <= 40),
  add column about text check (about <> '' and length(about) <= 200);

-- Visitors read the address and the line about an instructor, and both change now.
drop trigger note_change on "user";
create trigger note_change after insert or update of name, image, role, email, about or delete on "user"
  for each statement execute function note_change('people');
