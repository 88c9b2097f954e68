// Claiming a seat: one SQL statement counts the seat and writes the hold, or does neither. Claims
// that arrive while a statement runs are batched into the next one, in order of arrival, each with
// its own answer. Not for: the later states of a hold (holds.ts).
import { type Database, type RowOf, sql } from '../../../db/connection.ts';

export interface Claim {
  /** Who pays. */
  studentId: string;
  /** Who comes. */
  participantId: string;
  classId: string;
  cartItemId: string | null;
  /** The price that the student saw. The class must still have it. */
  amountCents: number;
}

export type Claimed = RowOf<'hold', 'id' | 'expiresAt' | 'amountCents'>;

/** Null: not granted. The caller reads the rows to find the reason. */
export type ClaimSeat = (claim: Claim) => Promise<Claimed | null>;

interface Waiting {
  claim: Claim;
  grant: (hold: Claimed | null) => void;
  refuse: (error: unknown) => void;
}

export function createClaims(db: Database['db'], { together = 200 } = {}): ClaimSeat {
  const queue: Waiting[] = [];
  /**
   * Claims for a class that another transaction had locked. They wait in a queue of their own, so
   * that other claims do not wait.
   */
  const lines = new Map<string, Waiting[]>();
  const asking = new Map<string, Promise<Claimed | null>>();
  let serving = false;

  async function serve(): Promise<void> {
    serving = true;
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      for (const one of await write(batch, { wait: false })) intoLine(one);
    }
    serving = false;
  }

  function nextBatch(): Waiting[] {
    const free: Waiting[] = [];
    for (const one of queue.splice(0)) {
      if (lines.has(one.claim.classId)) intoLine(one);
      else free.push(one);
    }
    const batch = takeBatch(free, together);
    queue.push(...free);
    return batch;
  }

  function intoLine(one: Waiting): void {
    const { classId } = one.claim;
    const line = lines.get(classId);
    if (line) {
      line.push(one);
      return;
    }
    const first = [one];
    lines.set(classId, first);
    void serveLine(classId, first);
  }

  async function serveLine(classId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) await write(takeBatch(line, together), { wait: true });
    lines.delete(classId);
  }

  /** Answers all claims except those of a locked class that do not wait. Returns these. */
  async function write(batch: Waiting[], { wait }: { wait: boolean }): Promise<Waiting[]> {
    let answers: Map<string, Claimed | 'locked' | null>;
    try {
      answers = await writeClaims(db, { wait, claims: batch.map(({ claim }) => claim) });
    } catch (error) {
      // A constraint violation rolls back the whole statement, so each claim is repeated alone.
      if (batch.length > 1 && isFaultOfOne(error)) {
        const locked: Waiting[] = [];
        for (const one of batch) locked.push(...(await write([one], { wait })));
        return locked;
      }
      for (const { grant, refuse } of batch) {
        if (isOutdated(error)) grant(null);
        else refuse(error);
      }
      return [];
    }
    return batch.filter(({ claim, grant }) => {
      const answer = answers.get(claim.studentId) ?? null;
      if (answer === 'locked' && !wait) return true;
      grant(answer === 'locked' ? null : answer);
      return false;
    });
  }

  return (claim) => {
    // Concurrent requests of one student for one participant and class share a claim.
    const who = `${claim.studentId} ${claim.participantId} ${claim.classId}`;
    const running = asking.get(who);
    if (running) return running;
    const answer = new Promise<Claimed | null>((grant, refuse) => {
      queue.push({ claim, grant, refuse });
      if (!serving) void serve();
    }).finally(() => asking.delete(who));
    asking.set(who, answer);
    return answer;
  };
}

/**
 * Takes the first claim of each student and of each participant out of the queue. The student's
 * second claim must see the slot that the first one took, and the second guardian's claim the hold
 * of the first.
 */
function takeBatch(queue: Waiting[], most: number): Waiting[] {
  const batch: Waiting[] = [];
  const students = new Set<string>();
  const participants = new Set<string>();
  const later: Waiting[] = [];
  for (const one of queue.splice(0)) {
    const { studentId, participantId } = one.claim;
    if (batch.length === most || students.has(studentId) || participants.has(participantId)) {
      later.push(one);
      continue;
    }
    students.add(studentId);
    participants.add(participantId);
    batch.push(one);
  }
  queue.push(...later);
  return batch;
}

/**
 * The statement began when the class was full, waited for a release, and found the seat free. Its
 * UPDATE checks `class_seats` on the row as it was when the statement began, before it reads the row
 * that is locked. The caller reads the rows and claims again.
 */
const isOutdated = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'class_seats';

/** A constraint violation (class 23) or a deadlock (40P01). */
const isFaultOfOne = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(23|40P01$)/.test(String(error.code));

/**
 * Each claim is by another student and for another participant. The statement locks the classes
 * first, so `free` is correct until the commit, and then the participants, which an erasure or a
 * takeover locks before the user. It waits for locked classes, or skips and reports
 * them. A student takes the lowest free slot of three. Unique indexes limit a student to three
 * slots and a participant to one live hold per class, so ON CONFLICT skips a claim for a slot or a
 * seat that is held. Holds are inserted in order of the students' ids, so two statements cannot
 * deadlock on slots. Two statements meet at a participant and class only after one of them has the
 * class.
 */
async function writeClaims(
  db: Database['db'],
  { claims, wait }: { claims: Claim[]; wait: boolean },
): Promise<Map<string, Claimed | 'locked' | null>> {
  const { rows } = await sql<
    { studentId: string; locked: boolean } & { [key in keyof Claimed]: Claimed[key] | null }
  >`
    with asked as (
      select * from unnest(
        ${claims.map((claim) => claim.studentId)}::uuid[],
        ${claims.map((claim) => claim.participantId)}::uuid[],
        ${claims.map((claim) => claim.classId)}::uuid[],
        ${claims.map((claim) => claim.cartItemId)}::uuid[],
        ${claims.map((claim) => claim.amountCents)}::int[]
      ) with ordinality as asked (student_id, participant_id, class_id, item_id, amount_cents, place)
    ), room as materialized (
      select id, on_sale(class) as sellable, price_cents, free
      from class where id = any (${claims.map((claim) => claim.classId)}::uuid[])
      order by id for no key update ${wait ? sql`` : sql`skip locked`}
    ), known as materialized (
      -- Classes, participants, users: the foreign keys of hold would lock the user first.
      select id, erased_at from participant where id = any (array(
        select asked.participant_id from asked join room on room.id = asked.class_id))
      order by id for key share
    ), able as (
      select asked.*, room.free, row_number() over (partition by asked.class_id order by asked.place) as nth,
        (select min(n) from generate_series(1, 3) n where n <> all (live.slots)) as slot
      from asked
      join room on room.id = asked.class_id and room.sellable and room.price_cents = asked.amount_cents
      left join known on known.id = asked.participant_id
      -- By the student and by the participant, who have a few: a class may have thousands.
      cross join lateral (
        select coalesce(array_agg(slot), '{}') as slots
        from hold where student_id = asked.student_id and state in ('held', 'releasing')) live
      cross join lateral (
        select coalesce(bool_or(class_id = asked.class_id), false) as has
        from enrolment where participant_id = asked.participant_id and state = 'active') taken
      where known.erased_at is null and not taken.has and cardinality(live.slots) < 3
    ), made as (
      insert into hold (student_id, participant_id, class_id, item_id, amount_cents, slot)
      select student_id, participant_id, class_id, item_id, amount_cents, slot from able where nth <= free order by student_id
      on conflict do nothing
      returning id, student_id, class_id, expires_at, amount_cents
    ), counted as (
      update class set held = held + new.n
      from (select class_id, count(*)::int as n from made group by class_id) new
      where class.id = new.class_id
    )
    select asked.student_id, room.id is null as locked, made.id, made.expires_at, made.amount_cents
    from asked left join room on room.id = asked.class_id left join made using (student_id)`.execute(
    db,
  );
  return new Map(
    rows.map(({ studentId, locked, id, expiresAt, amountCents }) => [
      studentId,
      id && expiresAt && amountCents ? { id, expiresAt, amountCents } : locked ? 'locked' : null,
    ]),
  );
}
