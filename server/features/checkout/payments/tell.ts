// Who is told about a payment: the payer gets the receipt, the other guardians of a child learn
// what was booked, without the price. The mails are jobs of the transaction that records it.
import type { Mailing } from '../../../services.ts';
import { type Db, type RowOf, sql } from '../../../db/connection.ts';
import { erasedAccount } from '../../../db/states.ts';
import { datesFile } from '../../classes/feeds.ts';
import type { Addressed } from '../../mails/common.ts';
import { basketMail, bookedMail, receiptMail } from '../../mails/money.ts';
import { isGuardian } from '../../people/participants.ts';
import type { Seats } from '../seats/counters.ts';
import type { Line, PaymentRow } from './rows.ts';

type Told = Line & { seats: Seats };

export type TellPaid = (db: Db, payment: PaymentRow, lines: readonly Told[]) => Promise<void>;

export const createTellPaid =
  ({ jobs, config }: Mailing): TellPaid =>
  async (db, payment, lines) => {
    const [one, another] = lines;
    // Who gets all of it back is told when it is sent.
    if (!one || lines.every(({ problem }) => problem !== null)) return;
    const children = await childrenOf(db, lines);
    if (another) {
      const told = lines.map(({ hold, seats, itemName, worthCents, problem }) => {
        const { schedule, place, instructor, bring } = seats;
        const facts = { schedule, place, instructor, bring };
        const child = children.get(hold.participantId) ?? null;
        return { itemName, classId: hold.classId, worthCents, problem, ...facts, child };
      });
      await jobs.send(db, 'send-mail', basketMail(config, payment, told));
    } else {
      const { hold, seats } = one;
      const calendar = await datesFile(db, config, { ids: [hold.classId], name: seats.name });
      const child = children.get(hold.participantId) ?? null;
      await jobs.send(db, 'send-mail', receiptMail(config, payment, seats, { calendar, child }));
    }
    if (children.size === 0) return;
    const mails = (await othersOf(db, lines))
      .filter(({ seats }) => seats.length > 0)
      .map(({ seats, ...person }) => bookedMail(config, person, seats));
    if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
  };

const childIds = (lines: readonly Told[]) =>
  lines
    .map(({ hold }) => hold)
    .filter(({ participantId, studentId }) => participantId !== studentId)
    .map(({ participantId }) => participantId);

/**
 * The children among the participants, by id. A payer who no longer looks after a child is not told a
 * name that it got since.
 */
async function childrenOf(db: Db, lines: readonly Told[]) {
  const [studentId] = lines.map(({ hold }) => hold.studentId);
  const ids = childIds(lines);
  if (!studentId || ids.length === 0) return new Map<string, RowOf<'participant', 'id' | 'name'>>();
  const { rows } = await sql<RowOf<'participant', 'id' | 'name'>>`
    select id, case when ${isGuardian(studentId, sql`participant.id`)} then name else 'the child' end as name
    from participant where id = any (${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The child that a seat is for. Null: it is the payer's own, or the payer no longer looks after the child. */
export async function childOf(
  db: Db,
  { studentId, participantId }: RowOf<'paymentLine', 'studentId' | 'participantId'>,
): Promise<RowOf<'participant', 'id' | 'name'> | null> {
  const { rows } = await sql<RowOf<'participant', 'id' | 'name'>>`
    select id, name from participant
    where id = ${participantId} and self_of is null and ${isGuardian(studentId, sql`participant.id`)}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The guardians who did not pay, each with the seats of the children they look after. */
async function othersOf(db: Db, lines: readonly Told[]) {
  const [studentId] = lines.map(({ hold }) => hold.studentId);
  const { rows } = await sql<Addressed & { childId: string; child: string }>`
    select u.id, u.email, u.name, participant.id as child_id, participant.name as child
    from told_guardian guardian join "user" u on u.id = guardian.user_id
      join participant on participant.id = guardian.participant_id
    where guardian.participant_id = any (${childIds(lines)}::uuid[]) and guardian.user_id <> ${studentId}
      and not ${erasedAccount()} order by u.id, participant.id`.execute(db);
  const people = Map.groupBy(rows, ({ id }) => id);
  return [...people].map(([id, cared]) => ({
    id,
    email: cared[0]?.email ?? '',
    name: cared[0]?.name ?? '',
    seats: cared.flatMap(({ childId, child }) =>
      lines
        .filter(({ hold, problem }) => hold.participantId === childId && problem === null)
        .map(({ hold, seats, itemName }) => {
          const { schedule, place, instructor, bring } = seats;
          const whose = { id: childId, name: child };
          return {
            itemName,
            classId: hold.classId,
            schedule,
            place,
            instructor,
            bring,
            child: whose,
          };
        }),
    ),
  }));
}
