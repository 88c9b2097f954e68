// Who is told about a payment: the payer gets the receipt, the other guardians of a child learn
// what was booked, without the price. The mails are jobs of the transaction that records it.
import type { Mailing } from '../../platform/services.ts';
import { type Db, sql } from '../../platform/db/connection.ts';
import { mail } from '../../mail/kinds.ts';
import type { Line, PaymentRow } from './rows.ts';

export type TellPaid = (db: Db, payment: PaymentRow, lines: readonly Line[]) => Promise<void>;

export const createTellPaid =
  ({ jobs }: Pick<Mailing, 'jobs'>): TellPaid =>
  async (db, { id: paymentId, studentId }, lines) => {
    const sold = lines.filter(({ problem }) => problem === null);
    // Who gets all of it back is told when it is sent.
    if (sold.length === 0) return;
    await jobs.send(db, 'send-mail', mail('receipt', { to: studentId, paymentId }));
    const children = sold
      .map(({ hold }) => hold.participantId)
      .filter((participantId) => participantId !== studentId);
    if (children.length === 0) return;
    const { rows } = await sql<{ to: string }>`
      select distinct user_id as to from told_guardian
      where participant_id = any (${children}::uuid[]) and user_id <> ${studentId} order by user_id`.execute(
      db,
    );
    const mails = rows.map(({ to }) => mail('booked', { to, paymentId }));
    if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
  };
