-- A claim or a sale changes only the counters of a class. It says so on a channel of its own, so that hundreds of claims
-- a second do not drop every kept list hundreds of times a second (changes.ts). Every other change says `classes`, as before.
drop trigger note_change on class;
create trigger note_change after insert or delete on class for each statement execute function note_change('classes');
create trigger note_seats after update of held, sold on class for each statement execute function note_change('seats');
-- Every column but the two counters and those that are generated. A migration that adds a column makes this trigger again;
-- changes.test.ts fails when it does not.
do $$ begin
  execute format('create trigger note_update after update of %s on class for each statement execute function note_change(''classes'')',
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('held', 'sold')));
end $$;
