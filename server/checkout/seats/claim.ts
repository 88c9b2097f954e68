// Claiming seats: one SQL statement takes all the seats of an ask or none. Asks for one class wait
// in line and are written together, so that a rush is one statement at a time and not one
// connection each.
import type { Database } from '../../platform/db/connection.ts';
import { type Ask, type Claimed, writeAsks } from './grant.ts';

/** Live holds of a student: one payment after the other, and seats of one basket. */
export const mostHolds = { alone: 3, together: 12 };

/** All seats, in the same order, or null for none. The caller reads the rows to find the reason. */
export type ClaimSeats = (ask: Ask) => Promise<Claimed[] | null>;

interface Waiting {
  ask: Ask;
  grant: (holds: Claimed[] | null) => void;
  refuse: (error: unknown) => void;
}

/** Asks in one statement. */
const together = 200;

export function createClaims(db: Database['db']): ClaimSeats {
  const lines = new Map<string, Waiting[]>();

  return (ask) =>
    new Promise((grant, refuse) => {
      const classId = ask.claims[0]?.classId ?? '';
      const line = lines.get(classId);
      if (line) line.push({ ask, grant, refuse });
      else void serve(classId, [{ ask, grant, refuse }]);
    });

  async function serve(classId: string, line: Waiting[]): Promise<void> {
    lines.set(classId, line);
    while (line.length > 0) await write(takeBatch(line));
    lines.delete(classId);
  }

  /** What one ask broke (a constraint, a deadlock) undid the whole statement: each is repeated alone. */
  async function write(batch: Waiting[]): Promise<void> {
    try {
      const answers = await writeAsks(
        db,
        batch.map(({ ask }) => ask),
      );
      for (const [place, { grant }] of batch.entries()) grant(answers[place] ?? null);
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) for (const one of batch) await write([one]);
      else if (isRefusal(error)) for (const { grant } of batch) grant(null);
      else for (const { refuse } of batch) refuse(error);
    }
  }
}

/** The first ask of each student and of each participant: the second must see what the first one took. */
function takeBatch(line: Waiting[]): Waiting[] {
  const batch: Waiting[] = [];
  const taken = new Set<string>();
  const later: Waiting[] = [];
  for (const one of line.splice(0)) {
    const people = one.ask.claims.flatMap((claim) => [
      `student ${claim.studentId}`,
      claim.participantId,
    ]);
    const fits = batch.length < together && !people.some((id) => taken.has(id));
    (fits ? batch : later).push(one);
    if (fits) for (const id of people) taken.add(id);
  }
  line.push(...later);
  return batch;
}

/** Another process was first: the class is full, or a slot or a seat is taken. The caller looks again. */
const isRefusal = (error: unknown) =>
  error instanceof Error &&
  (('constraint' in error && error.constraint === 'class_seats') ||
    ('code' in error && error.code === '23505'));

/** A constraint violation (class 23) or a deadlock; not a database that is away. */
const isFaultOfOne = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(23|40P01$)/.test(String(error.code));
