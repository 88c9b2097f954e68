// A short run of the academy under faults; `npm run proofs -- chaos` is the long one. Every figure
// has its control: the same check on the same world with one thing broken on purpose.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobs } from '../../server/db/jobs.ts';
import { createSettle } from '../../server/features/checkout/payments/settle.ts';
import { letIn, warmUp } from './bots.ts';
import { mendAll, noFaults, type Pace, schedule, strike } from './faults.ts';
import type { Journal } from './journal.ts';
import { converge, judge, type Verdict } from './verdict.ts';
import { openWorld, publicUrl, type World } from './world.ts';

const seed = 7;
const seconds = 6;
/**
 * On a busy machine servers take long to come back; then there are fewer faults, not longer tests.
 */
const mostMs = 15_000;
const pace: Pace = { kill: 0.7, stop: 2.5, backend: 4, cut: 1.5, slow: 3, provider: 0.3, clock: 2 };
/** So long after the last fault, the check runs once. */
const longAgo = () => Date.now() - 90_001;
const ours = { app: 'rally', env: new URL(publicUrl).host };
const clean: Verdict = {
  lost: [],
  oversold: [],
  doubleCharged: [],
  unsettled: [],
  freedEarly: [],
  astray: [],
};

it('the same seed gives the same faults, another seed other faults', () => {
  expect(schedule(seed, 60)).toEqual(schedule(seed, 60));
  expect(schedule(seed, 60)).not.toEqual(schedule(seed + 1, 60));
});

describe(`two servers, a database and a card provider that fail (seed ${seed})`, () => {
  let world: World;
  let journal: Journal;
  const tally = noFaults();
  let verdict: Verdict;

  beforeAll(async () => {
    world = await openWorld(warmUp);
    const running = await letIn(world, seed);
    await strike(world, schedule(seed, seconds, pace), tally, AbortSignal.timeout(mostMs));
    await mendAll(world);
    await running.stop();
    ({ journal } = running);
    ({ verdict } = await converge(world, journal, { hurry: true }));
  }, 600_000);
  afterAll(() => world.close());

  it('lose no acknowledged write, sell no seat twice, charge no student twice and settle all money', () => {
    expect(tally.kill).toBeGreaterThan(0);
    expect(journal.acknowledged()).toBeGreaterThan(20);
    expect(verdict).toEqual(clean);
  });

  describe('control', () => {
    /** No process is left that could repair it. */
    beforeAll(() => Promise.all(world.servers.map((server) => server.close())));

    it('a due refund that is never sent is unsettled money, but only after the deadline', async () => {
      const { rows } = await world.pool.query<{ intent: string }>(
        `with ended as (
           update enrolment set state = 'cancelled' where id = (
             select id from enrolment where state = 'active' and payment_id in (
               select payment_id from payment_line group by 1 having count(*) = 1) order by created_at desc limit 1)
           returning payment_id, line_id, class_id),
         unsold as (update class set sold = sold - 1 from ended where class.id = ended.class_id),
         owed as (
           insert into refund (payment_id, line_id, amount_cents, reason)
           select payment_id, id, worth_cents, 'Asked by phone' from payment_line where id = (select line_id from ended)
           returning id, payment_id, line_id, amount_cents),
         posted as (
           insert into ledger (key, debit, credit, cents, student_id, payment_id, refund_id, from_line)
           select 'owed:' || owed.id, 'sales', 'owed', owed.amount_cents, line.student_id, owed.payment_id, owed.id, line_id
           from owed join payment_line line on line.id = line_id),
         back as (update payment_line set back_cents = worth_cents where id = (select line_id from ended))
         update payment set status = 'refund_due', back_cents = amount_cents, seats = 0 where id = (select payment_id from ended) returning intent_id as intent`,
      );
      expect(await judge(world, journal)).toEqual(clean);
      expect((await converge(world, journal, { endsWithinMs: 0 })).verdict).toEqual({
        ...clean,
        unsettled: [
          expect.stringContaining(
            `intent ${rows[0]?.intent}: paid, with 0 enrolments and 1 refunds, 0 cents sent back`,
          ),
          expect.stringContaining('still due'),
        ],
      });
    });

    it('a seat that is never freed is unsettled, but only after the deadline', async () => {
      const { rows } = await world.pool.query<{ id: string }>(
        `with taken as (update class set held = held + 1 where id = (select id from class where held + sold < capacity limit 1) returning id)
         insert into hold (student_id, participant_id, class_id, list_cents, slot, state, ended_because, releasing_since, next_try)
         select student.id, student.id, taken.id, 1500, 1, 'releasing', 'expired', now(), now()
         from taken, (select id from "user" where role = 'student' limit 1) student
         returning hold.id`,
      );
      await world.pool.query('update hold set expires_at = releasing_since where id = $1', [
        rows[0]?.id,
      ]);
      expect(await judge(world, journal)).toEqual(clean);
      const { verdict } = await converge(world, journal, { endsWithinMs: 0 });
      expect(verdict.unsettled).toContain(`hold ${rows[0]?.id}: still releasing after 0 tries`);
    });

    it('a world that is right only after 90 seconds fails', async () => {
      const { verdict } = await converge(world, journal, { since: longAgo() });
      expect(verdict).toEqual({
        ...clean,
        unsettled: [expect.stringMatching(/well only after 9\d seconds/)],
      });
    });

    it('a paid intent without a student is left to the look back, which runs for that only', async () => {
      const { body: stray } = await anIntent(world, ours);
      const before = await looksBack(world);
      const { verdict } = await converge(world, journal, { since: longAgo() });
      expect(verdict.unsettled).toEqual([expect.stringContaining('unknown here')]);
      expect(await looksBack(world)).toBe(before + 1);
      await world.provider.ask('POST', `/v1/payment_intents/${stray.id}/cancel`);
    });

    it('one missing acknowledged row is one lost write', async () => {
      await world.pool.query('delete from cart_item where id = $1', [journal.anItem()]);
      expect(await judge(world, journal)).toEqual({
        ...clean,
        lost: [expect.stringContaining('not there')],
      });
    });

    it('one seat fewer than were sold is one oversold class', async () => {
      await world.pool.query('alter table class drop constraint class_seats');
      await world.pool.query(
        `update class set capacity = sold - 1 where id = (select id from class where sold > 1 limit 1)`,
      );
      const { oversold } = await judge(world, journal);
      expect(oversold).toHaveLength(1);
    });

    it('a second payment for a paid seat is one double charge, and unsettled money until it is refunded', async () => {
      const { rows } = await world.pool.query<{ student: string; l1: string }>(
        `select student_id as student, participant_id || ' ' || class_id || ' 1999' as l1 from enrolment join class on class.id = class_id
         where state = 'active' and status <> 'denied' order by enrolment.created_at desc limit 1`,
      );
      const { body } = await anIntent(
        world,
        { ...ours, ...rows[0] },
        { payment_method: 'pm_card_visa', confirm: 'true' },
      );
      expect(body.status).toBe('succeeded');
      const before = await looksBack(world);
      const { verdict } = await converge(world, journal, { since: longAgo() });
      expect(verdict.doubleCharged).toEqual([expect.stringContaining('charged 2 times')]);
      expect(verdict.unsettled).toContainEqual(expect.stringContaining(`intent ${body.id}: paid`));
      expect(await looksBack(world)).toBe(before);

      const jobs = await createJobs({ url: world.url, timers: false });
      const config = { brand: 'Rally', publicUrl };
      await createSettle({
        ...world,
        jobs,
        config,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      })(body.id);
      await jobs.close();
      const { doubleCharged, unsettled } = await judge(world, journal);
      expect(doubleCharged).toEqual([expect.stringContaining('enrolled already')]);
      expect(unsettled).not.toContainEqual(expect.stringContaining(body.id));
    });

    it('a hold released before its time is one seat freed early', async () => {
      await world.pool.query(
        `update hold set ended_because = 'expired', releasing_since = expires_at - interval '1 minute' where id = (select id from hold limit 1)`,
      );
      const { freedEarly } = await judge(world, journal);
      expect(freedEarly).toHaveLength(1);
    });
  });
});

/** As another program with our keys would create it. */
function anIntent(world: World, marks: Record<string, string>, more: Record<string, string> = {}) {
  const metadata = Object.entries(marks).map(([name, value]) => [`metadata[${name}]`, value]);
  const wish = { amount: '1999', currency: 'usd', 'payment_method_types[]': 'card' };
  return world.provider.ask('POST', '/v1/payment_intents', {
    ...wish,
    ...Object.fromEntries(metadata),
    ...more,
  });
}

async function looksBack({ pool }: World): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where name = 'look-back'`,
  );
  return rows[0]?.n ?? 0;
}
