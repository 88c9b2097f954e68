-- Who people are: Better Auth's tables in our words (snake_case, uuid, timestamptz), and what guards the door.
-- Its own migrator finds nothing left to do on these (server/features/identity/gate.test.ts).

create table "user" (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 200),
  -- Two spellings of one address are one account.
  email text not null unique check (email = lower(email) and length(email) <= 254),
  email_verified boolean not null default false,
  image text check (length(image) <= 2048),
  role text not null default 'student' check (role in ('student', 'instructor', 'admin')),
  two_factor_enabled boolean default false,
  -- Set by POST /users, which follows every first sign-in.
  registered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_role_name_idx on "user" (role, name, id);
create index user_name_idx on "user" (name, id);
create index user_created_at_idx on "user" (created_at desc, id);

create table session (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references "user" (id) on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  -- A session ends at expires_at, whatever happens, and earlier when nobody was seen for a day.
  expires_at timestamptz not null,
  seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index session_user_id_idx on session (user_id);
create index session_expires_at_idx on session (expires_at);

create table account (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references "user" (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index account_user_id_idx on account (user_id);

create table verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_identifier_idx on verification (identifier);
create index verification_expires_at_idx on verification (expires_at);

-- Second factors: not switched on yet, but an account must not need a migration to get one.
create table two_factor (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references "user" (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz
);
create index two_factor_secret_idx on two_factor (secret);
create index two_factor_user_id_idx on two_factor (user_id);

-- How often somebody guessed wrong: per account and place, per account from all strange places, per place over all accounts.
-- account and place are keyed hashes, '*' means all.
create table sign_in_attempt (
  account text not null,
  place text not null,
  failures integer not null default 0,
  blocked_until timestamptz not null default now(),
  succeeded_at timestamptz,
  touched_at timestamptz not null default now(),
  primary key (account, place)
);
create index sign_in_attempt_touched_at_idx on sign_in_attempt (touched_at);

-- What would have been mailed, while no mail server is configured. Never used in production.
create table mailbox (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  sent_at timestamptz not null default now()
);
create index mailbox_recipient_idx on mailbox (recipient, id desc);
