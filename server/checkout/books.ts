// `npm run check:books` compares seats, holds, payments, enrolments, refunds, events and mail with
// each other and with the card provider. It prints one line per inconsistency and changes nothing.
import { type Database, type RowOf, connect, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import { readConfig } from '../platform/config.ts';
import { startEmbedded } from '../platform/postgres/embedded.ts';
import type { Services } from '../platform/services.ts';
import { seatGiven } from './who.ts';
import { isOurs } from './payments/metadata.ts';
import { type Cards, createCards, type Intent } from '../platform/cards.ts';
import { sandboxKeys, startSandbox } from '../platform/sandbox.ts';

interface Options {
  publicUrl: string;
  /** Rows younger than this may still be in progress. */
  graceSeconds?: number;
  /** The provider is asked for intents since this time. */
  since?: Date;
}

export async function checkBooks(
  db: Database['db'],
  cards: Cards,
  options: Options,
): Promise<string[]> {
  const { graceSeconds = 90, since = new Date(Date.now() - 30 * 24 * 3_600_000) } = options;
  const lines: string[] = [];
  for (const rule of [...ownRules(graceSeconds), ...moneyRules])
    lines.push(...(await rule.execute(db)).rows.map(({ line }) => line));
  for await (const intent of cards.intentsSince(since)) {
    const lost = intent.disputed && (await cards.dispute(intent.id)) === 'lost';
    lines.push(...(await checkIntent(db, intent, { ...options, graceSeconds, lost })));
  }
  return lines;
}

/**
 * What the trigger tell_class writes into a class, counted in another way: from the
 * days of the week and the thirds of the day.
 */
const recount = sql`
  select class_id, min(day) filter (where going) as first_day, max(day) filter (where going) as last_day,
    coalesce(max(upper(during)) filter (where going), 'epoch') as ends_at,
    coalesce(max(lower(during)) filter (where going), 'epoch') as closes_at,
    coalesce(sum(distinct (2 ^ (3 * weekday + case when starts < '12:00' then 0 when starts < '17:00' then 1 else 2 end))::int)
      filter (where going), 0) as slots,
    jsonb_agg(distinct jsonb_build_array(weekday + 1, to_char(starts, 'HH24:MI'), minutes)) filter (where going) as plan,
    (count(*) filter (where going))::smallint as meetings
  from (select *, state <> 'cancelled' as going, extract(isodow from day)::int - 1 as weekday from meeting where state <> 'called') m
  group by class_id`;

/** Each statement returns one column, with a line per inconsistent row. */
const ownRules = (grace: number) => [
  sql<{ line: string }>`
    select format('class %s: held is %s, but %s holds are live', class.id, class.held, count(hold.id)) as line
    from class left join hold on hold.class_id = class.id and ${liveHold()}
    group by class.id having class.held <> count(hold.id)`,
  sql<{ line: string }>`
    select format('class %s: sold is %s, but %s enrolments are active', class.id, class.sold, count(enrolment.id)) as line
    from class left join enrolment on enrolment.class_id = class.id and ${activeEnrolment()}
    group by class.id having class.sold <> count(enrolment.id)`,
  sql<{ line: string }>`
    select format('class %s: %s held and %s sold of %s seats', id, held, sold, capacity) as line
    from class where held < 0 or sold < 0 or held + sold > capacity`,
  sql<{ line: string }>`
    select format('hold %s: expired %s and is still held', id, expires_at) as line
    from hold where state = 'held' and expires_at < now() - make_interval(secs => ${Math.min(grace, 60)})`,
  sql<{ line: string }>`
    select format('hold %s: being released since %s', id, releasing_since) as line
    from hold where state = 'releasing' and releasing_since < now() - interval '30 minutes'`,
  sql<{ line: string }>`
    select format('participant %s: %s live holds of class %s', participant_id, count(*), class_id) as line
    from hold where ${liveHold()} group by participant_id, class_id having count(*) > 1`,
  sql<{ line: string }>`
    select format('participant %s: %s active enrolments in class %s', participant_id, count(*), class_id) as line
    from enrolment where ${activeEnrolment()} group by participant_id, class_id having count(*) > 1`,
  sql<{ line: string }>`
    select format('enrolment %s: its participant is not the one whose seat was paid for', enrolment.id) as line
    from enrolment join payment_line line on line.id = enrolment.line_id join hold on hold.id = line.hold_id
    where enrolment.student_id <> hold.student_id or (enrolment.participant_id <> hold.participant_id
      and not exists (select from audit where subject = enrolment.id::text and action = ${seatGiven}))`,
  sql<{ line: string }>`
    select format('participant %s: nobody looks after them', id) as line
    from participant where erased_at is null and not exists (select from guardian where participant_id = participant.id)`,
  sql<{ line: string }>`
    select format('class %s: its dates are not those of its meetings', class.id) as line
    from class left join (${recount}) told on told.class_id = class.id
    where (class.first_day, class.last_day, class.ends_at, class.closes_at, class.slots, class.plan, class.meetings)
      is distinct from (told.first_day, told.last_day, coalesce(told.ends_at, class.over_at),
        coalesce(told.closes_at, class.over_at), coalesce(told.slots, 0), told.plan, coalesce(told.meetings, 0))`,
  sql<{ line: string }>`
    select format('wait %s: %s in class %s without a seat that is held', wait_id, state, class_id) as line
    from wish where state in ('offered', 'gathering')
      and coalesce(offered_at, kept_until) < now() - make_interval(secs => ${grace})
      and not exists (select from hold where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id and ${liveHold()})`,
  sql<{ line: string }>`
    select format('hold %s: offered to wait %s, which has ended', hold.id, wait_id) as line
    from hold join wish using (wait_id, class_id)
    where hold.state = 'held' and wish.state = 'ended' and wish.ended_at < now() - make_interval(secs => ${grace})`,
  sql<{ line: string }>`
    select format('payment %s: its basket is %s', payment.id, basket.state) as line
    from payment join basket on basket.id = payment.basket_id
    where basket.state <> 'paid' or basket.intent_id is distinct from payment.intent_id`,
  sql<{ line: string }>`
    select format('payment %s: its hold is %s', line.payment_id, hold.state) as line
    from payment_line line join payment on payment.id = line.payment_id join hold on hold.id = line.hold_id
    where hold.state <> 'consumed' or hold.basket_id <> payment.basket_id`,
  sql<{ line: string }>`
    select format('hold %s: consumed without a payment', hold.id) as line
    from hold where state = 'consumed' and not exists (select from payment_line where payment_line.hold_id = hold.id)`,
  sql<{ line: string }>`
    select format('basket %s: being closed since %s', id, closing_since) as line
    from basket where state = 'closing' and closing_since < now() - interval '30 minutes'`,
  sql<{ line: string }>`
    select format('refund %s: %s cents of a payment of %s', refund.id, refund.amount_cents, payment.amount_cents) as line
    from refund join payment on payment.id = refund.payment_id where refund.amount_cents > payment.amount_cents`,
  sql<{ line: string }>`
    select format('refund %s failed: %s', id, coalesce(last_error, '')) as line from refund where state = 'failed'`,
  sql<{ line: string }>`
    select format('enrolment %s: class %s was never approved', enrolment.id, class.id) as line
    from enrolment join class on class.id = enrolment.class_id
    where ${activeEnrolment()} and class.status = 'pending'
      and not exists (select from audit where audit.subject = class.id::text)`,
  sql<{ line: string }>`
    select format('event %s (%s): %s since %s %s', event_id, type, state, received_at, coalesce(last_error, '')) as line
    from stripe_event where state <> 'done' and received_at < now() - make_interval(secs => ${Math.min(grace, 60)})`,
  sql<{ line: string }>`
    select format('payment %s at the card provider belongs to nobody', intent_id) as line from quarantine where resolved_at is null`,
  sql<{ line: string }>`
    select format('%s mails wait since %s', count(*), min(created_on)) as line from pgboss.job
    where name = 'send-mail' and state in ('created', 'retry', 'active') and created_on < now() - interval '5 minutes' having count(*) > 0`,
  sql<{ line: string }>`
    select 'no admin is left' as line where not exists (select from "user" where role = 'admin')
      and exists (select from audit where action like 'role %→ admin')`,
];

/** What an account of the ledger has, of the rows that match. */
const balanceOf = (account: 'card' | 'owed' | 'credit' | 'reserved', of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(case when ledger.debit = ${account} then cents else -cents end), 0)::int from ledger
    where ${account} in (ledger.debit, ledger.credit) and ledger.debit <> ledger.credit and ${of})`;

const refundsOf = (of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(refund.amount_cents), 0)::int from refund where ${of})`;

/** What a lost dispute took of lines. */
const lostOf = (of: ReturnType<typeof sql>) =>
  sql`(select coalesce(sum(cents), 0)::int from ledger where debit = 'sales' and credit = 'card' and ${of})`;

/** What of a line became credit, or helped to pay the seat that it was changed for. */
const leftElse = sql`(select coalesce(sum(cents), 0)::int from ledger
    where from_line = line.id and (ledger.credit = 'credit' or key like 'swap:%'))
  + (select coalesce(sum(cents), 0)::int from ledger where key = 'refused:' || line.id || ':credit')`;

const notCredit = sql`refund.state <> 'credit'`;

/** Lines, refunds and ledger say the same, to the cent. */
const moneyRules = [
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
    select format('payment %s: %s cents of card, credit and swap, but its lines are worth %s and moved %s', payment.id,
      payment.amount_cents + payment.credit_cents + payment.swap_cents, sum(line.worth_cents), sum(line.moved_cents)) as line
    from payment join payment_line line on line.payment_id = payment.id
    group by payment.id having (sum(line.worth_cents), sum(line.moved_cents))
      <> (payment.amount_cents + payment.credit_cents + payment.swap_cents, 0)`,
  sql<{ line: string }>`
    select format('payment %s: %s cents back at the card, but %s in refunds and lost disputes', id, back_cents, found) as line
    from (select payment.*, ${refundsOf(sql`refund.payment_id = payment.id and ${notCredit}`)}
      + ${lostOf(sql`ledger.payment_id = payment.id`)} as found from payment) payment
    where back_cents <> found`,
  sql<{ line: string }>`
    select format('payment %s: it has no line', id) as line
    from payment where not exists (select from payment_line where payment_id = payment.id)`,
  sql<{ line: string }>`
    select format('line %s of payment %s: %s cents back, but %s in refunds, lost disputes and credit', id, payment_id, back_cents, found) as line
    from (select line.*, ${refundsOf(sql`refund.line_id = line.id`)} + ${lostOf(sql`from_line = line.id`)}
      + ${leftElse} as found from payment_line line) line
    where back_cents <> found`,
  sql<{ line: string }>`
    select format('payment %s is %s, its refunds say %s', id, status, said) as line
    from (
      select payment.id, payment.status, case
        when dispute = 'open' then 'disputed'
        when bool_or(refund.state = 'failed') then 'refund_failed'
        when bool_or(refund.state in ('due', 'sent')) then 'refund_due'
        when back_cents > 0 and back_cents = payment.amount_cents and (
          select sum(worth_cents + moved_cents - back_cents) from payment_line where payment_id = payment.id) = 0 then 'refunded'
        when back_cents > 0 then 'part_refunded'
        else 'succeeded' end as said
      from payment left join refund on refund.payment_id = payment.id group by payment.id) payment
    where status <> said and not (status = 'pending' and said = 'succeeded')`,
  // The ledger: what a line earned, what is at the provider, what is owed.
  sql<{ line: string }>`
    select format('line %s of payment %s: %s cents kept, %s by the ledger', id, payment_id, kept, earned) as line
    from (
      select line.id, line.payment_id, case outcome when 'enrolled' then worth_cents + moved_cents - back_cents else 0 end as kept,
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
      select payment.id, ${refundsOf(sql`refund.payment_id = payment.id and refund.state <> 'succeeded' and ${notCredit}`)} as due,
        -${balanceOf('owed', sql`ledger.payment_id = payment.id`)} as owed
      from payment) payment
    where due <> owed`,
  // Credit: its balance, the chain of its entries, and what baskets have reserved of it.
  sql<{ line: string }>`
    select format('credit of %s: %s cents, %s by the ledger', coalesce(credit.student_id, told.student_id), credit.cents, told.cents) as line
    from credit full join (
      select student_id, sum(case when credit = 'credit' then cents else -cents end)::int as cents
      from ledger where credit_after is not null group by student_id) told using (student_id)
    where coalesce(credit.cents, 0) <> coalesce(told.cents, 0)`,
  sql<{ line: string }>`
    select format('entry %s: %s cents of credit after it, after %s before', key, credit_after, before) as line
    from (select key, credit_after, case when credit = 'credit' then cents else -cents end as moved,
        coalesce(lag(credit_after) over (partition by student_id order by id), 0) as before
      from ledger where credit_after is not null) entry
    where credit_after <> before + moved`,
  sql<{ line: string }>`
    select format('basket %s: %s, with %s cents of credit, %s reserved by the ledger', id, state, credit_cents, reserved) as line
    from (select basket.*, -${balanceOf('reserved', sql`ledger.basket_id = basket.id`)} as reserved
      from basket where credit_cents > 0) basket
    where reserved <> case when state in ('open', 'closing') then credit_cents else 0 end`,
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

interface Known extends RowOf<'basket', 'state' | 'currency'> {
  /** Of the card. */
  askedCents: number;
  paidCents: number | null;
  backCents: number | null;
  /** Refunds that the bank has not ended. */
  pendingCents: number;
  /** What the ledger says is at the provider. */
  cardCents: number;
}

async function checkIntent(
  db: Database['db'],
  intent: Intent,
  options: Options & { graceSeconds: number; lost: boolean },
): Promise<string[]> {
  const { graceSeconds: grace, lost } = options;
  const known = await queryOne<Known>(db)`
    select basket.state, basket.card_cents as asked_cents, basket.currency, payment.amount_cents as paid_cents,
      (select sum(amount_cents)::int from refund where refund.payment_id = payment.id and refund.state in ('sent', 'succeeded')) as back_cents,
      (select coalesce(sum(amount_cents), 0)::int from refund where refund.payment_id = payment.id and refund.state = 'sent') as pending_cents,
      ${balanceOf('card', sql`ledger.payment_id = payment.id`)} as card_cents
    from basket left join payment on payment.basket_id = basket.id where basket.intent_id = ${intent.id}`;
  const young = Date.now() - intent.created.getTime() < grace * 1_000;
  if (!known) return isOurs(options, intent) && !young ? strange(db, intent) : [];
  const lines: string[] = [];
  const say = (wrong: boolean, line: string) => wrong && lines.push(`intent ${intent.id}: ${line}`);
  const live = known.state === 'open' || known.state === 'closing';
  say(
    intent.status === 'succeeded' && known.paidCents === null && !young,
    'paid, but nobody has it on record',
  );
  say(
    intent.status !== 'succeeded' && known.paidCents !== null,
    `on record as paid, but it is ${intent.said}`,
  );
  say(
    intent.status === 'open' && !live && !young,
    `can still be paid, but its basket is ${known.state}`,
  );
  const differs = intent.amountCents !== known.askedCents || intent.currency !== known.currency;
  // A charge whose amount differs from the basket's is refunded, or its refund is due.
  say(
    differs && (known.paidCents === null || known.backCents === null),
    `${intent.amountCents} there, ${known.askedCents} here`,
  );
  say(
    known.paidCents !== null && known.paidCents !== intent.receivedCents,
    `${intent.receivedCents} received, ${known.paidCents} on record`,
  );
  say(
    intent.refundedCents !== (known.backCents ?? 0) && !young,
    `${intent.refundedCents} sent back, ${known.backCents ?? 0} on record`,
  );
  // A lost dispute takes what was not refunded.
  const kept = lost ? 0 : intent.receivedCents - intent.refundedCents + known.pendingCents;
  say(
    known.paidCents !== null && kept !== known.cardCents && !young,
    `${kept} cents are there, ${known.cardCents} by the ledger`,
  );
  return lines;
}

async function strange(db: Database['db'], intent: Intent): Promise<string[]> {
  if (intent.status === 'canceled') return [];
  const known = await queryOne(db)`
    select from basket where id::text = ${intent.metadata['basket'] ?? ''} and state = 'open' and intent_id is null
    union all select from quarantine where intent_id = ${intent.id}`;
  return known ? [] : [`intent ${intent.id}: ours, ${intent.said}, and unknown here`];
}

/** Runs every night and logs what it finds as errors. */
export async function watchBooks({ db, cards, jobs, config, log }: Services): Promise<void> {
  await jobs.work('check-books', async () => {
    const lines = await checkBooks(db, cards, config);
    if (lines.length > 0)
      log.error(
        { lines: lines.slice(0, 100), found: lines.length },
        'ALARM: the books do not balance',
      );
  });
  jobs.every(24 * 3_600, 'check-books');
}

async function main(): Promise<void> {
  const config = readConfig();
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir });
  const database = connect(config.databaseUrl ?? embedded?.url ?? '', { poolSize: 2 });
  const keys = config.stripe ?? sandboxKeys(config.secret);
  const sandbox = config.stripe ? null : await startSandbox({ dataDir: config.dataDir, keys });
  try {
    const cards = createCards({ keys, sandboxOrigin: sandbox?.origin ?? null });
    const lines = await checkBooks(database.db, cards, config);
    for (const line of lines) console.log(line);
    process.exitCode = lines.length > 0 ? 1 : 0;
  } finally {
    await sandbox?.close();
    await database.close();
    await embedded?.stop();
  }
}

if (import.meta.main) await main();
