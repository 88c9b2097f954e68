-- Who taught a meeting before the class was handed over stays written down, but is no substitute: the
-- people of that meeting are no longer theirs to see or to mark.
alter table meeting add column handed_over boolean not null default false;
update meeting set handed_over = true from class
where class.id = meeting.class_id and class.instructor_id <> meeting.instructor_id and exists (
  select from audit where action = 'class handed over' and subject = class.id::text
    and at >= upper(meeting.during) and detail like '%: ' || meeting.instructor_id || ' → %');
