-- Searching people and the audit log by an index, as classes and payments are.
alter table "user" add column words tsvector
  generated always as (to_tsvector('simple', regexp_replace(name || ' ' || email, '[^[:alnum:]]+', ' ', 'g'))) stored;
create index user_words on "user" using gin (words);
create index audit_words on audit using gin (to_tsvector('simple', action || ' ' || detail));
