-- Searches find 'Müller' by "muller" and 'Muller' by "müller". Marks above and below letters go; the letters that are no
-- letter with a mark are named. The words of a row and of a search both go through it.
create function without_accents(written text) returns text language sql immutable parallel safe as $$
  select replace(translate(regexp_replace(normalize(written, nfd), '[\u0300-\u036f]', '', 'g'),
    'øØłŁđĐðÐħıæÆœŒþÞ', 'oOlLdDdDhiaAoOtT'), 'ß', 'ss') $$;

create or replace function split_words(written text) returns tsvector language sql immutable parallel safe as $$
  select to_tsvector('simple',
    translate(without_accents(written), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))) $$;

create function words_wanted(typed text) returns tsquery language sql immutable parallel safe as $$
  select to_tsquery('simple', without_accents(typed)) $$;

create or replace function find_payment() returns trigger language plpgsql as $$
begin
  new.words := to_tsvector('simple', without_accents(translate(new.item_name || ' ' || new.customer || ' ' || new.email
    || ' ' || coalesce(new.intent_id, '') || ' ' || receipt_number(new.number, new.date), '@._-+/', '      ')));
  return new;
end $$;
