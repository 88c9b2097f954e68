-- Every order a list of classes can be asked for, among all classes and among those of one status, is the order of an index, read one way or the
-- other: otherwise a page means sorting all of them. Free seats have none on purpose: `held` is in no index, so that a claim changes its row in
-- place (catalogue.ts).
-- Dropping comes first: it takes the strongest lock at once, where taking it after weaker ones could end in a deadlock with a sale.
drop index class_popular, class_price, class_name, class_new, class_all, class_instructor;
create index class_all_new on class (created_at, id);
create index class_all_popular on class (sold desc, id);
create index class_all_price on class (price_cents, id);
create index class_all_unsold on class ((capacity - sold), id);
create index class_status_popular on class (status, sold desc, id);
create index class_status_price on class (status, price_cents, id);
create index class_status_name on class (status, lower(name), id);
create index class_status_unsold on class (status, (capacity - sold), id);
create index class_instructor on class (instructor_id, created_at, id);
-- The popular ones are the first to be sold out; who looks for a free seat need not read past them all.
create index class_popular_free on class (sold desc, id) where status = 'approved' and sold < capacity;
create index user_role_back on "user" (role desc, name, id);
