-- The audit log keeps its words beside the line, as classes, people and payments do: the planner then knows how common a word is, and a line that
-- is looked at need not be taken apart again.
drop index audit_words;
alter table audit add column words tsvector generated always as (split_words(action || ' ' || detail)) stored;
create index audit_words on audit using gin (words);
analyze audit; -- a new column is unknown to the planner until somebody looks
