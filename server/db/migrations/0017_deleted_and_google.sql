-- A deleted account stays without access. A link for a new password that was stored while the account was being deleted
-- opened it again: its address was confirmed by that link.
delete from session where user_id in (select id from "user" where email like '%@deleted.invalid');
delete from account where user_id in (select id from "user" where email like '%@deleted.invalid');
update "user" set email_verified = false where email like '%@deleted.invalid' and email_verified;
alter table "user" add constraint deleted_is_unconfirmed check (not (email_verified and email like '%@deleted.invalid'));

-- One Google account per account. Of several the first stays: a later one may be that of another person who once had the
-- address.
delete from account a using account b
  where a.user_id = b.user_id and a.provider_id = b.provider_id and (a.created_at, a.id) > (b.created_at, b.id);
create unique index account_user_id_provider_id_key on account (user_id, provider_id);
drop index account_user_id_idx;
