// Claiming a seat: one SQL statement that counts the seat and writes the hold, or does neither. Claims for one class that arrive while
// another is being written wait for it and are then written together, each with its own answer, in the order in which they came.
// Not for: who may claim (intents.ts), nor for what becomes of a hold (holds.ts).
import { type Database, raw } from '../db/connection.ts';

export interface Claim {
  studentId: string;
  classId: string;
  /** The cart item it is for. */
  itemId: string | null;
  /** What the student was shown; the class must still cost that. */
  amountCents: number;
}

export interface Claimed {
  id: string;
  expiresAt: Date;
  amountCents: number;
}

/** Null: not granted, for whatever reason; look again to learn it. */
export type ClaimSeat = (claim: Claim) => Promise<Claimed | null>;

interface Waiting {
  claim: Claim;
  grant: (hold: Claimed | null) => void;
  refuse: (error: unknown) => void;
}

export function createClaims(sql: Database['sql'], { together = 200 } = {}): ClaimSeat {
  const lines = new Map<string, Waiting[]>();
  const asking = new Map<string, Promise<Claimed | null>>();

  async function serve(classId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) await write(line.splice(0, together));
    lines.delete(classId);
  }

  async function write(batch: Waiting[]): Promise<void> {
    try {
      const holds = await writeClaims(
        sql,
        batch.map(({ claim }) => claim),
      );
      for (const { claim, grant } of batch) grant(holds.get(claim.studentId) ?? null);
    } catch (error) {
      // A row that breaks a rule of the database undoes the whole statement: the others are asked again without it.
      if (batch.length > 1 && isBrokenRule(error)) for (const one of batch) await write([one]);
      else for (const { refuse } of batch) refuse(error);
    }
  }

  return (claim) => {
    // A hundred tabs of one student are one claim.
    const who = `${claim.studentId} ${claim.classId}`;
    const running = asking.get(who);
    if (running) return running;
    const answer = new Promise<Claimed | null>((grant, refuse) => {
      const waiting = { claim, grant, refuse };
      const line = lines.get(claim.classId);
      if (line) line.push(waiting);
      else {
        const first = [waiting];
        lines.set(claim.classId, first);
        void serve(claim.classId, first);
      }
    }).finally(() => asking.delete(who));
    asking.set(who, answer);
    return answer;
  };
}

const isBrokenRule = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('23');

/**
 * All for one class, each by another student. The class is locked first, so `free` is true until the commit. A student takes the lowest
 * free one of three slots: that there are never more is a unique index, as is one live hold for each student and class, so a claim that
 * races with another of the same student is left out by ON CONFLICT. Holds are inserted in the order of the students' ids: two
 * statements that meet on a slot wait for one another in one direction only.
 */
async function writeClaims(sql: Database['sql'], claims: Claim[]): Promise<Map<string, Claimed>> {
  const classId = claims[0]?.classId;
  const { rows } = await raw<Claimed & { studentId: string }>`
    with asked as (
      select * from unnest(
        ${claims.map((claim) => claim.studentId)}::uuid[],
        ${claims.map((claim) => claim.itemId)}::uuid[],
        ${claims.map((claim) => claim.amountCents)}::int[]
      ) with ordinality as asked (student_id, item_id, amount_cents, place)
    ), room as materialized (
      select id, price_cents, capacity - held - sold as free
      from class where id = ${classId} and status = 'approved' for no key update
    ), chosen as (
      select asked.*, lowest.slot
      from asked
      join room on room.price_cents = asked.amount_cents
      cross join lateral (
        select min(n) as slot from generate_series(1, 3) n
        where not exists (
          select from hold where hold.student_id = asked.student_id and hold.slot = n and hold.state in ('held', 'releasing'))
      ) lowest
      where lowest.slot is not null
        and not exists (select from hold where hold.student_id = asked.student_id and hold.class_id = ${classId} and hold.state in ('held', 'releasing'))
        and not exists (select from enrolment e where e.student_id = asked.student_id and e.class_id = ${classId} and e.state = 'active')
      order by asked.place
      limit (select free from room)
    ), made as (
      insert into hold (student_id, class_id, item_id, amount_cents, slot)
      select student_id, ${classId}, item_id, amount_cents, slot from chosen order by student_id
      on conflict do nothing
      returning id, student_id, expires_at, amount_cents
    ), counted as (
      update class set held = held + new.n
      from (select count(*)::int as n from made) new
      where class.id = ${classId} and new.n > 0
    )
    select id, student_id, expires_at, amount_cents from made`.execute(sql);
  return new Map(rows.map(({ studentId, ...hold }) => [studentId, hold]));
}
