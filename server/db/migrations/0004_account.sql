-- What somebody did, for the export of everything we hold about them.
create index audit_actor on audit (actor_id, id);
