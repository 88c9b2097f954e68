-- The name of a class's instructor is read where it is: with a copy, whoever changed a name locked classes before the user.
drop trigger keep_instructor_name on "user";
drop function keep_instructor_name;
drop trigger note_change on class;
drop trigger note_update on class;
alter table class drop column words, drop column instructor,
  add column words tsvector generated always as (split_words(
    name || ' ' || sport || ' ' || place || ' ' || slot_words(slots) || ' ' || age_words(min_age, max_age)
    || ' ' || synonyms(name || ' ' || sport))) stored;

-- The words of the name have a weight: classes are found by it, and not by the address.
drop index user_words;
alter table "user" drop column words,
  add column words tsvector generated always as (setweight(split_words(name), 'A') || split_words(email)) stored;
create index user_words on "user" using gin (words);

-- Lists of classes show name and address of the instructor.
drop trigger note_teacher on "user";
create trigger note_teacher after update of name, email on "user" for each row
  when ((old.name, old.email) is distinct from (new.name, new.email) and (old.role <> 'student' or new.role <> 'student'))
  execute function note_change('classes');
drop trigger note_block on "user";
drop trigger note_change on "user";
create trigger note_change after insert or update of name, image, role, teaches, email, about, blocked_at or delete on "user"
  for each statement execute function note_change('people');

-- Every change of a class makes remembered lists old, but those of its seats (note_seats). A migration that adds a column
-- to class calls this.
create function note_columns() returns void language plpgsql as $$
begin
  execute format('create or replace trigger note_change after insert or update of %s or delete on class
    for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('held', 'sold')));
end $$;
select note_columns();

drop trigger audit_is_append_only on audit;
drop function audit_is_append_only;
create trigger append_only before update or delete or truncate on audit for each statement execute function append_only();

-- Why a hold ended; what it is for will be its reason.
alter table hold rename column reason to ended_because;
