-- Free seats and "may this class be sold?", each defined once.
-- `free` is in no index: a claim changes its row in place.
alter table class add column free integer not null generated always as (capacity - held - sold) stored;
-- Lists filter by status literally, so that their partial indexes are used. Everything else asks this.
create function on_sale(class) returns boolean language sql stable as $$ select $1.status = 'approved' $$;
