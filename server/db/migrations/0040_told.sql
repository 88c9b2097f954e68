-- An admin may teach, too. A coach is whoever has the role instructor, or teaches.
alter table "user" add column teaches boolean not null default false,
  add constraint user_teaches check (role = 'admin' or not teaches);
drop index user_popular;
create index user_popular on "user" (students_taught desc, id) where role = 'instructor' or teaches;
create index user_coaches on "user" (name, id) where role = 'instructor' or teaches;
drop trigger note_change on "user";
create trigger note_change after insert or update of name, image, role, teaches, email, about or delete on "user"
  for each statement execute function note_change('people');

-- When the family was mailed that it is at the card: all of one act in one mail, so the first waits for the last.
alter table refund add column told_at timestamptz;
