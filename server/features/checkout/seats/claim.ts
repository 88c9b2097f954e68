// Claiming seats: one SQL statement counts the seats and writes the holds, or does neither. An ask is
// for one seat or several and gets all of them or none. Asks that arrive while a statement runs are
// batched into the next one, in order of arrival, each with its own answer. Not for: the statements
// (grant.ts), the later states of a hold (holds.ts).
import type { Database } from '../../../db/connection.ts';
import {
  type Ask,
  type Claim,
  type Claimed,
  type Granted,
  writeAsks,
  writeClaims,
} from './grant.ts';

export type { Claim } from './grant.ts';

/** Live holds of a student: one payment after the other, and seats of one basket. */
export const mostHolds = { alone: 3, together: 12 };

export interface ClaimSeat {
  /** Null: not granted. The caller reads the rows to find the reason. */
  (claim: Claim): Promise<Claimed | null>;
  /** All seats, in the same order, or none. */
  all: (ask: Ask) => Promise<Claimed[] | null>;
}

interface Waiting {
  ask: Ask;
  grant: (holds: Claimed[] | null) => void;
  refuse: (error: unknown) => void;
}

export function createClaims(db: Database['db'], { together = 200 } = {}): ClaimSeat {
  const queue: Waiting[] = [];
  /**
   * Asks for a class that another transaction had locked. They wait in a queue of their own, so
   * that other asks do not wait.
   */
  const lines = new Map<string, Waiting[]>();
  const asking = new Map<string, { seats: string[]; answer: Promise<Claimed[] | null> }>();
  let serving = false;

  async function serve(): Promise<void> {
    serving = true;
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      for (const { one, classId } of await write(batch, { wait: false })) intoLine(one, classId);
    }
    serving = false;
  }

  function nextBatch(): Waiting[] {
    const free: Waiting[] = [];
    for (const one of queue.splice(0)) {
      const behind = one.ask.claims.find(({ classId }) => lines.has(classId));
      if (behind) intoLine(one, behind.classId);
      else free.push(one);
    }
    const batch = takeBatch(free, together);
    queue.push(...free);
    return batch;
  }

  function intoLine(one: Waiting, classId: string): void {
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

  /** Answers all asks except those with a locked class that do not wait. Returns these. */
  async function write(batch: Waiting[], { wait }: { wait: boolean }): Promise<Behind[]> {
    let answers: Granted[];
    try {
      answers = await grantAll(
        batch.map(({ ask }) => ask),
        wait,
      );
    } catch (error) {
      // A constraint violation rolls back the whole statement, so each ask is repeated alone.
      if (batch.length > 1 && isFaultOfOne(error)) {
        const locked: Behind[] = [];
        for (const one of batch) locked.push(...(await write([one], { wait })));
        return locked;
      }
      for (const { ask, grant, refuse } of batch) {
        if (isOutdated(error) || (ask.claims.length > 1 && isTaken(error))) grant(null);
        else refuse(error);
      }
      return [];
    }
    return batch.flatMap((one, place): Behind[] => {
      const answer = answers[place] ?? null;
      if (answer === null || Array.isArray(answer)) one.grant(answer);
      else if (wait) one.grant(null);
      else return [{ one, classId: answer.locked }];
      return [];
    });
  }

  /** Asks of one seat alone have a shorter statement. Both lock in the same order. */
  async function grantAll(asks: readonly Ask[], wait: boolean): Promise<Granted[]> {
    const [first] = asks;
    const most = first?.most ?? 0;
    if (asks.some((ask) => ask.claims.length > 1 || ask.most !== most))
      return writeAsks(db, { asks, wait });
    const claims = asks.flatMap((ask) => ask.claims);
    const answers = await writeClaims(db, { claims, most, wait });
    return claims.map(({ studentId, classId }) => {
      const answer = answers.get(studentId) ?? null;
      return answer === 'locked' ? { locked: classId } : answer && [answer];
    });
  }

  function all(ask: Ask): Promise<Claimed[] | null> {
    // Concurrent requests of one student for the same participants and classes share an ask. Each
    // gets the holds in the order of its own seats.
    const seats = ask.claims.map(
      ({ studentId, participantId, classId }) => `${studentId} ${participantId} ${classId}`,
    );
    const who = seats.toSorted().join();
    const running = asking.get(who);
    if (running) return inOrder(seats, running);
    const answer = new Promise<Claimed[] | null>((grant, refuse) => {
      queue.push({ ask, grant, refuse });
      if (!serving) void serve();
    }).finally(() => asking.delete(who));
    asking.set(who, { seats, answer });
    return answer;
  }

  const alone = async (claim: Claim) =>
    (await all({ claims: [claim], most: mostHolds.alone }))?.[0] ?? null;
  return Object.assign(alone, { all });
}

async function inOrder(
  seats: readonly string[],
  shared: { seats: string[]; answer: Promise<Claimed[] | null> },
): Promise<Claimed[] | null> {
  const holds = await shared.answer;
  return holds && seats.flatMap((seat) => holds[shared.seats.indexOf(seat)] ?? []);
}

/** An ask that waits behind another transaction at a class. */
interface Behind {
  one: Waiting;
  classId: string;
}

/**
 * Takes the first ask of each student and of each participant out of the queue. The student's
 * second ask must see the slots that the first one took, and the second guardian's ask the hold
 * of the first.
 */
function takeBatch(queue: Waiting[], most: number): Waiting[] {
  const batch: Waiting[] = [];
  const taken = new Set<string>();
  const later: Waiting[] = [];
  for (const one of queue.splice(0)) {
    const people = one.ask.claims.flatMap(({ studentId, participantId }) => [
      `student ${studentId}`,
      participantId,
    ]);
    if (batch.length === most || people.some((id) => taken.has(id))) {
      later.push(one);
      continue;
    }
    for (const id of people) taken.add(id);
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

/** A slot or a seat was taken since the statement began. */
const isTaken = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '23505';

/** A constraint violation (class 23) or a deadlock (40P01). */
const isFaultOfOne = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(23|40P01$)/.test(String(error.code));
