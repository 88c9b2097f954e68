// settle(intent): the only function that creates payments and enrolments. The browser, the webhook
// and the reconciler all call it. It asks the provider and does not trust the caller. Not for:
// later status changes of a payment (rows.ts).
import type { Config } from '../../../config.ts';
import { type Database, sql, type Db, type RowOf } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import type { Cards, Intent } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import type { Log } from '../log.ts';
import {
  type Hold,
  holdOfIntent,
  isLive,
  lockHolds,
  rebuildHold,
  setState,
  startRelease,
} from '../seats/holds.ts';
import { datesFile } from '../../classes/feeds.ts';
import { receiptMail } from '../../mails.ts';
import { isGuardian } from '../../people/participants.ts';
import { oweRefund } from '../refunds/rows.ts';
import { freeSeat, lockSeats, type Seats, sellSeat } from '../seats/counters.ts';
import { isOurs } from './metadata.ts';
import { enrol, insertPayment, paymentOf, type Recorded } from './rows.ts';

export type Settled =
  | { outcome: 'recorded'; payment: Recorded; fresh: boolean }
  | { outcome: 'unpaid'; intent: Intent | null }
  /** Paid with our metadata, but student or class is unknown. */
  | { outcome: 'quarantined' }
  /** Not ours: another product on the same account. */
  | { outcome: 'foreign' };

export type Settle = (intentId: string) => Promise<Settled>;

type Deps = Pick<Database, 'db' | 'transaction'> & {
  cards: Pick<Cards, 'intent'>;
  jobs: Pick<Jobs, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
  log: Log;
};

export function createSettle({ db, transaction, cards, jobs, config, log }: Deps): Settle {
  return async (intentId) => {
    const intent = await cards.intent(intentId);
    if (intent?.status !== 'succeeded') return { outcome: 'unpaid', intent };
    const known = await holdOfIntent(db, intentId);
    if (!known && !isOurs(config, intent)) return { outcome: 'foreign' };
    return transaction(async (db) => {
      const found = known ?? (await rebuild(db, intent));
      if (!found) return quarantine(db, intent);
      const holds = await lockHolds(db, found, true);
      const hold = holds.find(({ id }) => id === found.id);
      if (!hold) throw new Error('a hold does not exist');
      if (hold.state === 'consumed')
        return { outcome: 'recorded', payment: await paymentOf(db, intentId), fresh: false };
      const payment = await record(db, hold, intent);
      // After the restore of an older backup another payment for the same participant and class may
      // be open. It must not be charged too.
      for (const other of holds)
        if (other.id !== hold.id) await startRelease(db, { id: other.id }, 'paid already');
      return { outcome: 'recorded', payment, fresh: true };
    });
  };

  async function record(db: Db, hold: Hold, intent: Intent): Promise<Recorded> {
    const seats = await lockSeats(db, hold.classId);
    if (!seats) throw new Error('the class of a hold does not exist');
    const problem = await problemWith(db, hold, intent, seats);
    // The seat first: it locks the instructor, and the payment locks the tally (docs/locking.md).
    if (!problem) await sellSeat(db, hold.classId, isLive(hold) ? 'held' : 'free');
    else if (isLive(hold)) await freeSeat(db, hold.classId);
    const payment = await insertPayment(
      db,
      hold,
      intent,
      seats,
      problem ? 'refund_due' : 'pending',
    );
    if (problem) {
      const refundId = await oweRefund(db, {
        paymentId: payment.id,
        amountCents: intent.receivedCents,
        reason: problem,
      });
      await jobs.send(db, 'pay-back', { refundId });
      log.warn({ paymentId: payment.id, problem }, 'a payment is being refunded');
    } else {
      await enrol(db, payment.id, hold);
      const calendar = await datesFile(db, config, { id: hold.classId, name: seats.name });
      const child = await childOf(db, hold);
      await jobs.send(db, 'send-mail', receiptMail(config, payment, seats, { calendar, child }));
    }
    await setState(db, hold, 'consumed');
    await audit(db, {
      actorId: hold.studentId,
      action: problem ? 'payment to be refunded' : 'payment recorded',
      subject: payment.id,
      detail: problem ?? seats.name,
    });
    return { id: payment.id, status: payment.status };
  }

  async function problemWith(
    db: Db,
    hold: Hold,
    intent: Intent,
    seats: Seats,
  ): Promise<string | null> {
    if (intent.receivedCents !== hold.amountCents || intent.currency !== hold.currency) {
      log.error(
        { intentId: intent.id, holdId: hold.id },
        'SECURITY: the amount at the card provider is not the amount of the hold',
      );
      return 'The amount paid was not the amount asked for.';
    }
    // A class that is pending again was approved when the seat was held. The sale is valid.
    if (seats.status === 'denied') return 'The class is no longer offered.';
    // KEY SHARE: whoever erases the participant waits, and a change of the name does not.
    const { rows } = await sql<{ erased: boolean; enrolled: boolean }>`
      select erased_at is not null as erased,
        exists (select from enrolment e where e.participant_id = participant.id and e.class_id = ${hold.classId} and e.state = 'active') as enrolled
      from participant where id = ${hold.participantId} for key share`.execute(db);
    const [participant] = rows;
    if (!participant || participant.erased) return 'The participant is no longer known here.';
    if (participant.enrolled) return 'You were enrolled already.';
    if (!isLive(hold) && seats.free < 1) return 'No seat was left.';
    return null;
  }

  /**
   * Null when the student or the class is unknown. Without a participant, as in intents from before
   * there were any, the student is meant.
   */
  async function rebuild(
    db: Db,
    { id, metadata, amountCents, currency }: Intent,
  ): Promise<Hold | null> {
    const { student = '', participant = '', class: classId = '' } = metadata;
    const { rows } = await sql<Pick<Hold, 'studentId' | 'participantId' | 'classId'>>`
      select "user".id as student_id, class.id as class_id,
        coalesce((select id from participant where id::text = ${participant}), "user".id) as participant_id
      from "user", class where "user".id::text = ${student} and class.id::text = ${classId}`.execute(
      db,
    );
    const [found] = rows;
    if (!found) return null;
    log.warn({ intentId: id }, 'a hold was rebuilt from what the card provider knows');
    return rebuildHold(db, { ...found, amountCents, currency, intentId: id });
  }

  async function quarantine(db: Db, intent: Intent): Promise<Settled> {
    const { numAffectedRows } = await sql`
      insert into quarantine (intent_id, amount_cents, currency, reason)
      values (${intent.id}, ${intent.receivedCents}, ${intent.currency}, 'The student or the class it was paid for is unknown.')
      on conflict do nothing`.execute(db);
    if (numAffectedRows === 1n)
      log.error({ intentId: intent.id }, 'ALARM: a payment that belongs to nobody');
    return { outcome: 'quarantined' };
  }
}

/**
 * Null when the seat is the payer's own. A payer who no longer looks after the child is not told a
 * name that it got since.
 */
async function childOf(db: Db, { studentId, participantId }: Hold) {
  if (participantId === studentId) return null;
  const { rows } = await sql<RowOf<'participant', 'id' | 'name'>>`
    select id, case when ${isGuardian(studentId, sql`participant.id`)} then name else 'the child' end as name
    from participant where id = ${participantId}`.execute(db);
  return rows[0] ?? null;
}
