// Rules of the check of the books about the money of payments: lines, refunds and ledger say the
// same, to the cent.
import { sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';

/** What an account of the ledger has, of the rows that match. */
export const balanceOf = (account: 'card' | 'owed', of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(case when ledger.debit = ${account} then cents else -cents end), 0)::int from ledger
    where ${account} in (ledger.debit, ledger.credit) and ledger.debit <> ledger.credit and ${of})`;

const refundsOf = (of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(refund.amount_cents), 0)::int from refund where ${of})`;

/** What a lost dispute took of lines. */
const lostOf = (of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(cents), 0)::int from ledger where debit = 'sales' and credit = 'card' and ${of})`;

/** Each statement returns one column, with a line per inconsistent row. */
export const moneyRules = [
  // A line has its seat, or had it, or all of its money is back or owed.
  sql<{ line: string }>`
    select format('line %s of payment %s: %s, %s of %s cents back, enrolment %s', line.id, line.payment_id, outcome, back_cents,
      worth_cents, coalesce(enrolment.id::text, 'none')) as line
    from payment_line line left join enrolment on enrolment.line_id = line.id
    where (outcome = 'enrolled') <> (enrolment.id is not null) or (outcome = 'refused' and back_cents <> worth_cents)`,
  sql<{ line: string }>`
    select format('payment %s: %s, %s seats, with %s active enrolments, %s refunds', id, status, seats, active, refunds) as line
    from (
      select payment.id, status, seats,
        (select count(*) from enrolment where payment_id = payment.id and ${activeEnrolment()}) as active,
        (select count(*) from refund where payment_id = payment.id) as refunds
      from payment) payment
    where seats <> active`,
  sql<{ line: string }>`
    select format('payment %s: %s of %s cents back, but %s of %s cents of its lines', payment.id, payment.back_cents,
      payment.amount_cents, sum(line.back_cents), sum(line.worth_cents)) as line
    from payment join payment_line line on line.payment_id = payment.id
    group by payment.id having (sum(line.worth_cents), sum(line.back_cents)) <> (payment.amount_cents, payment.back_cents)`,
  sql<{ line: string }>`
    select format('payment %s: it has no line', id) as line
    from payment where not exists (select from payment_line where payment_id = payment.id)`,
  sql<{ line: string }>`
    select format('line %s of payment %s: %s cents back, but %s in refunds and lost disputes', id, payment_id, back_cents, found) as line
    from (select line.*, ${refundsOf(sql`refund.line_id = line.id`)} + ${lostOf(sql`from_line = line.id`)} as found from payment_line line) line
    where back_cents <> found`,
  sql<{ line: string }>`
    select format('payment %s is %s, its refunds say %s', id, status, said) as line
    from (
      select payment.id, payment.status, case
        when dispute = 'open' then 'disputed'
        when bool_or(refund.state = 'failed') then 'refund_failed'
        when bool_or(refund.state in ('due', 'sent')) then 'refund_due'
        when back_cents > 0 and back_cents = payment.amount_cents then 'refunded'
        when back_cents > 0 then 'part_refunded'
        else 'succeeded' end as said
      from payment left join refund on refund.payment_id = payment.id group by payment.id) payment
    where status <> said and not (status = 'pending' and said = 'succeeded')`,
  // The ledger: what a line earned, what is at the provider, what is owed.
  sql<{ line: string }>`
    select format('line %s of payment %s: %s cents kept, %s by the ledger', id, payment_id, kept, earned) as line
    from (
      select line.id, line.payment_id, case outcome when 'enrolled' then worth_cents - back_cents else 0 end as kept,
        (select coalesce(sum(cents), 0)::int from ledger where to_line = line.id)
          - (select coalesce(sum(cents), 0)::int from ledger where from_line = line.id) as earned
      from payment_line line) line
    where kept <> earned`,
  sql<{ line: string }>`
    select format('payment %s: %s cents at the provider, %s by the ledger', id, kept, card) as line
    from (
      select payment.id, amount_cents - ${refundsOf(sql`refund.payment_id = payment.id and refund.state = 'succeeded'`)}
          - ${lostOf(sql`ledger.payment_id = payment.id`)} as kept, ${balanceOf('card', sql`ledger.payment_id = payment.id`)} as card
      from payment) payment
    where kept <> card`,
  sql<{ line: string }>`
    select format('payment %s: %s cents owed, %s by the ledger', id, due, owed) as line
    from (
      select payment.id, ${refundsOf(sql`refund.payment_id = payment.id and refund.state <> 'succeeded'`)} as due,
        -${balanceOf('owed', sql`ledger.payment_id = payment.id`)} as owed
      from payment) payment
    where due <> owed`,
  // A basket and its seats.
  sql<{ line: string }>`
    select format('hold %s: %s, in basket %s, which is %s', hold.id, hold.state, basket.id, basket.state) as line
    from hold join basket on basket.id = hold.basket_id
    where basket.state = 'closed' or (basket.state = 'paid') <> (hold.state = 'consumed')`,
  sql<{ line: string }>`
    select format('basket %s: open with %s cents, its seats cost %s', basket.id, basket.total_cents,
      coalesce(sum(hold.list_cents - hold.discount_cents), 0)) as line
    from basket left join hold on hold.basket_id = basket.id where basket.state = 'open'
    group by basket.id having basket.total_cents <> coalesce(sum(hold.list_cents - hold.discount_cents), 0)`,
];
