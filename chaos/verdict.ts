// What must hold when everything is well again: nothing acknowledged is lost, no seat is sold twice, nobody is charged twice, all money has
// found its place, no seat was freed before its time, and the books balance. Not for: changing anything.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBooks } from '../server/books.ts';
import { createJobs } from '../server/db/jobs.ts';
import type { Journal } from './journal.ts';
import { publicUrl, type World } from './world.ts';

/** One line for each thing that is wrong. */
export interface Verdict {
  lost: string[];
  oversold: string[];
  doubleCharged: string[];
  unsettled: string[];
  freedEarly: string[];
  /** Answers with 500. */
  astray: string[];
}

const convergeMs = 90_000;

export const isClean = (verdict: Verdict) => Object.values(verdict).every((lines: string[]) => lines.length === 0);

export async function judge(world: World, journal: Journal): Promise<Verdict> {
  const { pool } = world;
  const lines = async (text: string) => (await pool.query<{ line: string }>(text)).rows.map(({ line }) => line);
  const money = await followMoney(world);
  const books = await checkBooks(world.sql, world.cards, { publicUrl, graceSeconds: 0, since: new Date(0) });
  return {
    lost: await journal.lost(pool),
    oversold: await lines(`
      select format('class %s: %s seats, %s held, %s sold, %s enrolled', class.id, capacity, held, sold, count(enrolment.id)) as line
      from class left join enrolment on enrolment.class_id = class.id and enrolment.state = 'active'
      group by class.id having held + sold > capacity or count(enrolment.id) > capacity
      union all
      select format('payment %s: paid for, and its seat was sold to somebody else', payment_id) from refund where reason = 'No seat was left.'`),
    doubleCharged: [...money.twice, ...journal.twoSecrets],
    unsettled: [...money.adrift, ...books],
    freedEarly: await lines(`
      select format('hold %s: given up as expired %s before its end', hold.id, expires_at - releasing_since) as line
      from hold join class on class.id = hold.class_id
      where hold.reason = 'expired' and releasing_since < expires_at
        and not exists (select from audit where audit.subject = class.id::text and audit.action like '%denied')`),
    astray: journal.astray,
  };
}

interface Record {
  enrolments: number;
  refunds: number;
  paid: number;
  owed: number;
}

/** Every intent that the provider has been paid for, against what we made of it. */
async function followMoney({ pool, cards }: World) {
  const { rows } = await pool.query<Record & { intent: string }>(`
    select payment.intent_id as intent, payment.amount_cents as paid, coalesce(sum(refund.amount_cents), 0)::int as owed,
      count(distinct refund.id)::int as refunds, count(distinct enrolment.id)::int as enrolments
    from payment
    left join enrolment on enrolment.payment_id = payment.id and enrolment.state = 'active'
    left join refund on refund.payment_id = payment.id and refund.state <> 'failed'
    group by payment.id`);
  const records = new Map(rows.map(({ intent, ...record }) => [intent, record]));
  const kept = new Map<string, number>();
  const adrift: string[] = [];
  for await (const intent of cards.intentsSince(new Date(0))) {
    if (intent.status !== 'succeeded') continue;
    const record = records.get(intent.id);
    const returned = record !== undefined && record.refunds === 1 && record.owed === record.paid;
    const settled = record !== undefined && record.enrolments + record.refunds === 1;
    if (!settled || (record.refunds === 1 && !returned))
      adrift.push(
        `intent ${intent.id}: paid, with ${record?.enrolments ?? 0} enrolments and ${record?.refunds ?? 0} refunds`,
      );
    const pair = `student ${intent.metadata['student'] ?? '?'} class ${intent.metadata['class'] ?? '?'}`;
    if (!returned) kept.set(pair, (kept.get(pair) ?? 0) + 1);
  }
  const twice = [...kept].filter(([, times]) => times > 1).map(([pair, times]) => `${pair}: charged ${times} times`);
  return { adrift, twice };
}

/**
 * Asks until everything is well, and for how long that took. `hurry`: the pauses that spare a provider are cut short and the chores are
 * called at once, for those who cannot wait a minute.
 */
export async function converge(world: World, journal: Journal, { since = Date.now(), hurry = false } = {}) {
  const jobs = await createJobs({ url: world.url, timers: false });
  try {
    for (;;) {
      const asked = Date.now();
      if (hurry) await hurryUp(world, jobs);
      // Comes by itself once an hour: intents that were made and never handed out wait for it.
      await jobs.send(world.sql, 'look-back', null);
      const verdict = await judge(world, journal);
      if (isClean(verdict) || asked - since > convergeMs)
        return { verdict, seconds: Math.ceil((asked - since) / 1_000) };
      await sleep(1_000);
    }
  } finally {
    await jobs.close();
  }
}

async function hurryUp({ pool, sql }: World, jobs: Awaited<ReturnType<typeof createJobs>>): Promise<void> {
  await pool.query(`update hold set next_try = now() where state = 'releasing'`);
  await pool.query(`update hold set checked_at = now() - interval '1 minute' where state in ('held', 'releasing')`);
  await pool.query(`update hold set expires_at = now() where state = 'held' and expires_at > now()`);
  await pool.query(`update stripe_event set next_try = now() where state <> 'done'`);
  await pool.query(`update refund set next_try = now() where state in ('due', 'sent')`);
  await jobs.send(sql, 'sweep', null);
  await jobs.send(sql, 'reconcile', null);
  await sleep(1_000);
}
