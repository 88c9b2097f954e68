-- Lists of classes show the address of the instructor. They are kept in memory until a class changes, so a new address
-- counts as a change. A new name is written to the classes already (keep_instructor_name).
create trigger note_teacher after update of email on "user" for each row
  when (old.email <> new.email and (old.role <> 'student' or new.role <> 'student'))
  execute function note_change('classes');
