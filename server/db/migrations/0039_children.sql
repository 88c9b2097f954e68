-- A blocked coach leaves the public list of coaches at once.
create trigger note_block after update of blocked_at on "user"
  for each statement execute function note_change('people');

-- Who is mailed about a participant. A blocked account gets no mail about a child.
create view told_guardian as
  select guardian.* from guardian join "user" u on u.id = guardian.user_id
  where u.blocked_at is null or guardian.user_id = guardian.participant_id;

-- A child that two accounts have typed: same birth date and first name.
create index participant_twins on participant (born) where self_of is null;
