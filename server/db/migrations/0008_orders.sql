-- Every order a list of classes can be asked for, among all classes and among those of one status, is the order of an index: otherwise a page
-- means sorting all of them. Free seats have none on purpose: `held` is in no index, so that a claim changes its row in place (catalogue.ts).
create index class_all_popular on class (sold desc, id);
create index class_all_price on class (price_cents, id);
create index class_all_unsold on class ((capacity - sold), id);
create index class_status_popular on class (status, sold desc, id);
create index class_status_price on class (status, price_cents, id);
create index class_status_name on class (status, lower(name), id);
create index class_status_unsold on class (status, (capacity - sold), id);
-- The popular ones are the first to be sold out; who looks for a free seat need not read past them all.
create index class_popular_free on class (sold desc, id) where status = 'approved' and sold < capacity;
-- These did it for the approved ones alone; the newest are class_status, read backwards.
drop index class_popular, class_price, class_name, class_new;
