-- Pictures that people upload, made anew in several widths. They are here because all state is here:
-- every process serves them, and a backup has them.
create table media (
  id      uuid primary key default gen_random_uuid(),
  sha256  bytea not null unique check (length(sha256) = 32), -- of its largest WebP file
  kind    text not null check (kind in ('class', 'person', 'academy')),
  width   integer not null check (width between 16 and 4096), -- of its largest file
  height  integer not null check (height between 16 and 4096),
  made_by uuid references "user" (id) on delete set null, -- null: made at sign-up
  made_at timestamptz not null default now(),
  kept_at timestamptz not null default now() -- last uploaded, put to use or taken out of use
);
create index media_made_by on media (made_by);
create index media_kept_at on media (kept_at);

create table media_file (
  media_id uuid references media (id) on delete cascade,
  width    integer,
  type     text check (type in ('image/avif', 'image/webp')),
  bytes    bytea not null check (length(bytes) <= 400000),
  primary key (media_id, width, type)
);
-- Pictures are compressed already.
alter table media_file alter column bytes set storage external;

-- Who uploaded when, for the limits: by account, or by a ticket of the address that asked for it.
create table media_upload (
  id      bigint generated always as identity primary key,
  user_id uuid references "user" (id) on delete cascade,
  place   text, -- a keyed hash of the network
  ticket  bytea unique, -- the hash of the ticket
  made_at timestamptz not null default now(),
  used_at timestamptz,
  constraint media_upload_by check (
    case when user_id is null then place is not null and ticket is not null
      else place is null and ticket is null end)
);
create index media_upload_user on media_upload (user_id, made_at) where user_id is not null;
create index media_upload_place on media_upload (place, made_at) where place is not null;

-- The pictures of ours that a text names: an address, or a row as JSON.
create function media_named(words text) returns setof bytea language sql immutable as $$
  select decode(found[1], 'hex') from regexp_matches(words, '/media/([0-9a-f]{64})/', 'g') found $$;

-- Every picture that something shows. The row of the academy counts with all its columns.
create view media_in_use as
  select media_named(img) as sha256 from class where img like '/media/%'
  union all
  select media_named(approved ->> 'img') from class where approved ->> 'img' like '/media/%'
  union all
  select media_named(image) from "user" where image like '/media/%'
  union all
  select media_named(to_jsonb(academy)::text) from academy;

-- A picture that is put to use, or taken out of use, is kept for another week. The update makes the
-- chore that deletes unused pictures look again: it may have begun before the use was committed.
create function keep_media() returns trigger language plpgsql as $$
declare
  words text;
  kept uuid[];
begin
  if tg_table_name = 'class' then words := concat(old.img, ' ', new.img);
  elsif tg_table_name = 'user' then words := concat(old.image, ' ', new.image);
  else words := concat(to_jsonb(old), ' ', to_jsonb(new));
  end if;
  if words like '%/media/%' then
    -- In one order: two writers may exchange their pictures.
    select array_agg(id) into kept from (
      select id from media where sha256 in (select media_named(words)) order by id for no key update) locked;
    update media set kept_at = now() where id = any (kept);
  end if;
  return null;
end $$;
create trigger keep_media after insert or update of img on class
  for each row execute function keep_media();
create trigger keep_media after insert or update of image on "user"
  for each row execute function keep_media();
create trigger keep_media after update on academy
  for each row execute function keep_media();
