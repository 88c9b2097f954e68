-- Which participants a mail names, so that it is erased with them. Never used in production.
alter table mailbox add column about uuid[] not null default '{}';

create index invitation_by on invitation (invited_by);
