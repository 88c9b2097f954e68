-- Discounts: early bird, several classes, siblings, coupon. What they take off is computed by contract/pricing.ts.
create table discount (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null check (kind in ('early', 'classes', 'siblings', 'coupon')),
  name        text not null check (name <> ''),
  percent     smallint check (percent between 1 and 100),
  cents       integer check (cents between 1 and 1000000),
  code        text unique check (code ~ '^[A-Z0-9-]{4,24}$'),
  until       timestamptz, -- exclusive: midnight after its last day
  class_id    uuid references class (id),
  sport       text,
  uses_most   integer check (uses_most > 0),
  uses        integer not null default 0, -- of a coupon: paid, or in a basket that can be paid
  per_account smallint not null default 1 check (per_account between 1 and 100),
  created_by  uuid references "user" (id),
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  constraint coupon_uses check (uses >= 0 and (uses_most is null or uses <= uses_most)),
  check ((kind = 'coupon') = (code is not null)),
  check (kind = 'coupon' or uses_most is null and uses = 0),
  check (case kind when 'early' then percent is not null and cents is null and until is not null
                   when 'coupon' then (percent is null) <> (cents is null)
                   else percent is null and cents is null and until is null end),
  -- A coupon for one class only would break the promise that one more class never lowers the total.
  check (case kind when 'early' then class_id is null or sport is null else class_id is null and sport is null end)
);
create unique index discount_one on discount (kind) where kind in ('classes', 'siblings') and ended_at is null;
create index discount_alive on discount (kind) where ended_at is null;
create index discount_class on discount (class_id) where class_id is not null;

-- Percent from a rank on; the last one counts for all ranks after it.
create table discount_step (
  discount_id uuid not null references discount (id),
  rank        smallint not null check (rank between 2 and 12),
  percent     smallint not null check (percent between 0 and 100),
  primary key (discount_id, rank)
);

-- A use is reserved when its basket is made, and given back when the basket is closed without a payment.
create table coupon_use (
  basket_id   uuid primary key references basket (id),
  discount_id uuid not null references discount (id),
  student_id  uuid not null references "user" (id),
  nth         smallint not null check (nth between 1 and 100),
  used_at     timestamptz not null default now(),
  ended_at    timestamptz
);
create unique index coupon_use_slot on coupon_use (discount_id, student_id, nth) where ended_at is null;
create index coupon_use_student on coupon_use (student_id);

-- What a discount has taken off so far. Most lines have none.
create index payment_line_why on payment_line using gin (why jsonb_path_ops) where why <> '[]';
