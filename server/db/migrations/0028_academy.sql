-- The academy's settings. The start fills what is null from the environment; null means that nothing was said.
alter table academy
  add column version     integer not null default 1,  -- rises with every change by an admin
  add column changed     jsonb not null default '{}', -- field → the version that changed it last
  add column name        text check (length(name) between 1 and 80),
  add column short_name  text check (length(short_name) between 1 and 16),
  add column tagline     text check (length(tagline) between 1 and 160),
  add column logo        text check (logo <> ''),
  add column icon        text check (icon <> ''),
  add column primary_colour text check (primary_colour ~ '^#[0-9a-f]{6}$'),
  add column accent_colour  text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  add column email       text check (email ~ '^[^\s@]+@[^\s@]+$'),
  add column phone       text check (phone <> ''),
  add column street      text check (street <> ''),
  add column city        text check (city <> ''),
  add column country     text check (country <> ''),
  add column map_link    text check (map_link ~ '^https://'),
  add column currency    text check (currency ~ '^[a-z]{3}$'),
  add column locale      text check (locale <> ''), -- BCP 47
  add column headline    text check (length(headline) between 1 and 80),
  add column welcome     text check (length(welcome) between 1 and 500),
  add column banners     jsonb check (jsonb_typeof(banners) = 'array' and jsonb_array_length(banners) = 4),
  add column sponsors    jsonb check (jsonb_typeof(sponsors) = 'array' and jsonb_array_length(sponsors) <= 24),
  add column faq         jsonb check (jsonb_typeof(faq) = 'array' and jsonb_array_length(faq) <= 30),
  add column about       text check (length(about) between 1 and 20000), -- Markdown, as are the other pages
  add column jobs        text check (length(jobs) between 1 and 20000),
  add column terms       text check (length(terms) between 1 and 20000),
  add column privacy     text check (length(privacy) between 1 and 20000),
  add column steps_hidden_at timestamptz, -- an admin dismissed the first steps
  add column mail_tested_at  timestamptz,
  add column backed_up_at    timestamptz;

-- The sports of the academy. A sport of a class or a discount cannot be removed; a new name reaches both.
create table sport (
  name text primary key check (length(name) between 1 and 40),
  icon text not null check (icon <> ''),
  rank smallint not null check (rank >= 0) -- its place in the list
);
create unique index sport_name on sport (lower(name));
insert into sport (name, icon, rank)
select name, icon, (row_number() over () - 1)::smallint from (values
  ('Archery', 'target'), ('Basketball', 'basketball'), ('Cycling', 'bike'), ('Fitness', 'dumbbell'), ('Running', 'footprints'),
  ('Soccer', 'soccer'), ('Swimming', 'waves'), ('Table Tennis', 'paddle'), ('Tennis', 'ball'), ('Volleyball', 'volleyball'),
  ('Yoga', 'flower'), ('Other', 'trophy')) first (name, icon);
insert into sport (name, icon, rank)
select distinct sport, 'trophy', 12 from (select sport from class union select sport from discount) used
where sport is not null and sport not in (select name from sport);
alter table class add constraint class_sport_known foreign key (sport) references sport (name) on update cascade;
alter table discount add constraint discount_sport_known foreign key (sport) references sport (name) on update cascade;
create trigger note_change after insert or update or delete on sport for each statement execute function note_change('classes');

-- A basket is in the currency of the academy at that moment.
create function academy_currency() returns text language sql as $$
  select coalesce((select currency from academy), 'usd')
$$;
alter table basket alter column currency set default academy_currency();
-- The currency stays once something was sold, or can be paid. The lock waits for baskets that are being made, and they
-- wait for it: they see the new currency, or the change sees them.
create function currency_stays() returns trigger language plpgsql as $$
begin
  lock table basket in share row exclusive mode;
  if exists (select from payment) or exists (select from basket where state in ('open', 'closing')) then
    raise exception 'The currency cannot be changed after the first sale' using errcode = '23514', constraint = 'academy_currency_stays';
  end if;
  return new;
end $$;
create trigger currency_stays before update of currency on academy for each row
  when (coalesce(old.currency, 'usd') is distinct from coalesce(new.currency, 'usd')) execute function currency_stays();
