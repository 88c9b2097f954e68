// What must hold when the faults are over: no acknowledged write is lost, no seat is sold twice, no
// student is charged twice, all money is settled, no seat was freed early, and the books balance.
// Later, when all waits are over: every seat is sold or free, and all money is kept or returned.
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../contract/limits.ts';
import { linesOf } from '../../server/features/checkout/payments/metadata.ts';
import { checkBooks } from '../../server/books.ts';
import { createJobs, type Jobs } from '../../server/db/jobs.ts';
import type { Journal } from './journal.ts';
import { publicUrl, type World } from './world.ts';

/** One line per problem. */
export interface Verdict {
  lost: string[];
  oversold: string[];
  doubleCharged: string[];
  unsettled: string[];
  freedEarly: string[];
  /** Responses with 500. */
  astray: string[];
}

const convergeMs = 90_000;
const endMs = 60_000;

export const isClean = (verdict: Verdict) =>
  Object.values(verdict).every((lines: string[]) => lines.length === 0);

/**
 * `ended`: all waits are over. Before that a refund may be due and a hold be releasing
 * (docs/invariants.md, M5), because the pauses between two tries are long.
 */
export async function judge(
  world: World,
  journal: Journal,
  { ended = false } = {},
): Promise<Verdict> {
  const { pool } = world;
  const lines = async (text: string) =>
    (await pool.query<{ line: string }>(text)).rows.map(({ line }) => line);
  const money = await followMoney(world, ended);
  const books = await checkBooks(world.db, world.cards, {
    publicUrl,
    graceSeconds: 0,
    since: new Date(0),
  });
  return {
    lost: await journal.lost(pool),
    oversold: await lines(`
      select format('class %s: %s seats, %s held, %s sold, %s enrolled', class.id, capacity, held, sold, count(enrolment.id)) as line
      from class left join enrolment on enrolment.class_id = class.id and enrolment.state = 'active'
      group by class.id having held + sold > capacity or count(enrolment.id) > capacity
      union all
      select format('payment %s: paid for, and its seat was sold to another student', payment_id) from refund where reason = 'No seat was left.'`),
    doubleCharged: [
      ...money.twice,
      ...journal.twoSecrets,
      // Refunded, or about to be; but it should never have been charged.
      ...(await lines(`
        select format('payment %s: charged to a student who was enrolled already', payment_id) as line
        from refund where reason = 'You were enrolled already.'`)),
    ],
    unsettled: [...money.adrift, ...books, ...(ended ? await lines(unended) : [])],
    freedEarly: await lines(`
      select format('hold %s: given up as expired %s before its end', hold.id, expires_at - releasing_since) as line
      from hold join class on class.id = hold.class_id
      where hold.ended_because = 'expired' and releasing_since < expires_at
        and not exists (select from audit where audit.subject = class.id::text and audit.action like '%denied')`),
    astray: journal.astray,
  };
}

/** A failed refund is an error in the books: no card here has a bank that refuses one. */
const unended = `
  select format('hold %s: still %s after %s tries', id, state, tries) as line from hold where state in ('held', 'releasing')
  union all
  select format('refund %s: still %s after %s tries %s', id, state, attempts, last_error) from refund where state in ('due', 'sent')`;

interface Record {
  lines: number;
  enrolments: number;
  refunds: number;
  paid: number;
  owed: number;
  /** Of each line whose money is not returned. */
  kept: string[];
}

/** Every paid intent of the provider against our rows. */
async function followMoney({ pool, cards }: World, ended: boolean) {
  const { rows } = await pool.query<Record & { intent: string }>(`
    select payment.intent_id as intent, payment.amount_cents as paid, count(line.id)::int as lines,
      coalesce(sum(refund.cents), 0)::int as owed, count(refund.cents)::int as refunds, count(enrolment.id)::int as enrolments,
      coalesce(array_agg('participant ' || line.participant_id || ' class ' || line.class_id) filter (where refund.cents is null), '{}') as kept
    from payment join payment_line line on line.payment_id = payment.id
    left join enrolment on enrolment.line_id = line.id and enrolment.state = 'active'
    left join lateral (select sum(amount_cents)::int as cents from refund
      where refund.line_id = line.id and state <> 'failed' having count(*) > 0) refund on true
    group by payment.id`);
  const records = new Map(rows.map(({ intent, ...record }) => [intent, record]));
  const kept = new Map<string, number>();
  const adrift: string[] = [];
  for await (const intent of cards.intentsSince(new Date(0))) {
    if (intent.status !== 'succeeded') continue;
    const record = records.get(intent.id);
    const sentBack = intent.refundedCents === record?.owed || !ended;
    const settled = record !== undefined && record.enrolments + record.refunds === record.lines;
    if (!settled || !sentBack)
      adrift.push(
        `intent ${intent.id}: paid, with ${record?.enrolments ?? 0} enrolments and ${record?.refunds ?? 0} refunds, ${intent.refundedCents} cents sent back`,
      );
    const pairs =
      record?.kept ??
      linesOf(intent).map(
        ({ participantId, classId }) => `participant ${participantId} class ${classId}`,
      );
    for (const pair of pairs) kept.set(pair, (kept.get(pair) ?? 0) + 1);
  }
  const twice = [...kept]
    .filter(([, times]) => times > 1)
    .map(([pair, times]) => `${pair}: charged ${times} times`);
  return { adrift, twice };
}

interface Patience {
  /** When the last fault ended. */
  since?: number;
  /**
   * Shortens the pauses between tries and runs the periodic jobs at once, for runs that cannot wait
   * a minute.
   */
  hurry?: boolean;
  endsWithinMs?: number;
}

/**
 * Checks until everything is right, and then, when all waits are over, until everything has
 * finished; returns how long each took.
 */
export async function converge(
  world: World,
  journal: Journal,
  { since = Date.now(), hurry = false, endsWithinMs = endMs }: Patience = {},
): Promise<{ verdict: Verdict; seconds: number; secondsToEnd?: number }> {
  const jobs = await createJobs({ url: world.url, timers: false });
  try {
    if (!hurry) await lengthenHolds(world);
    const well = await patiently(world, journal, jobs, {
      since,
      mostMs: convergeMs,
      hurry,
      ended: false,
    });
    const { verdict, seconds } = well;
    if (isClean(verdict) && well.late)
      verdict.unsettled.push(`everything: well only after ${seconds} seconds`);
    if (!isClean(verdict)) return { verdict, seconds };
    const over = await patiently(world, journal, jobs, {
      since: Date.now(),
      mostMs: endsWithinMs,
      hurry: true,
      ended: true,
    });
    return { verdict: over.verdict, seconds, secondsToEnd: over.seconds };
  } finally {
    await jobs.close();
  }
}

/**
 * From here on holds last as long as in production. Short ones would expire, and a release settles
 * what was paid: all money would be settled with neither webhooks nor a reconciler.
 */
async function lengthenHolds({ pool }: World): Promise<void> {
  await pool.query(
    `update hold set expires_at = now() + make_interval(mins => $1) where state = 'held' and expires_at > now()`,
    [limits.holdMinutes],
  );
}

async function patiently(
  world: World,
  journal: Journal,
  jobs: Jobs,
  {
    since,
    mostMs,
    hurry,
    ended,
  }: { since: number; mostMs: number; hurry: boolean; ended: boolean },
) {
  for (;;) {
    if (hurry) await hurryUp(world, jobs);
    const verdict = await judge(world, journal, { ended });
    const ms = Date.now() - since;
    // Runs once an hour on its own: intents that were created and never handed out wait for it. It
    // would also find all money that webhooks and the reconciler missed, so it is called for
    // nothing else.
    if (onlyStrays(verdict)) await jobs.send(world.db, 'look-back', null);
    if (isClean(verdict) || ms > mostMs)
      return { verdict, seconds: Math.ceil(ms / 1_000), late: ms > mostMs };
    await sleep(1_000);
  }
}

const onlyStrays = ({ unsettled }: Verdict) =>
  unsettled.length > 0 && unsettled.every((line) => line.endsWith(', and unknown here'));

async function hurryUp({ pool, db }: World, jobs: Jobs): Promise<void> {
  await pool.query(`update hold set next_try = now() where state = 'releasing'`);
  await pool.query(
    `update basket set checked_at = now() - interval '1 minute', next_try = now() where state in ('open', 'closing')`,
  );
  await pool.query(
    `update hold set expires_at = now() where state = 'held' and expires_at > now()`,
  );
  await pool.query(`update stripe_event set next_try = now() where state <> 'done'`);
  await pool.query(`update refund set next_try = now() where state in ('due', 'sent')`);
  await jobs.send(db, 'sweep', null);
  await jobs.send(db, 'reconcile', null);
  await sleep(1_000);
}
