-- What is searched is split at every mark, as the searches are: the parser would take an address for one word and skip whatever looks like a tag.
-- By a list of marks, because what counts as a letter depends on the database's locale.
create function split_words(written text) returns tsvector language sql immutable parallel safe as
  $$ select to_tsvector('simple', translate(written, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))) $$;

alter table class drop column words;
alter table class add column words tsvector
  generated always as (split_words(name || ' ' || instructor || ' ' || sport || ' ' || place)) stored;
create index class_words on class using gin (words);

alter table payment drop column words;
alter table payment add column words tsvector
  generated always as (split_words(item_name || ' ' || customer || ' ' || email || ' ' || intent_id)) stored;
create index payment_words on payment using gin (words);

-- People and the audit log are searched by an index too.
alter table "user" add column words tsvector generated always as (split_words(name || ' ' || email)) stored;
create index user_words on "user" using gin (words);
create index audit_words on audit using gin (split_words(action || ' ' || detail));
