// A few pieces of work at a time. The others wait in the order in which they came.
import { fail } from './fail.ts';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

interface Turns {
  atOnce: number;
  mostWaiting: number;
  /** What the next one gets when as many wait. */
  refusal?: 'UNAVAILABLE' | 'RATE_LIMITED';
}

export function createTurns({ atOnce, mostWaiting, refusal = 'UNAVAILABLE' }: Turns) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn: InTurn = async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) fail(refusal, {}, 2);
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return inTurn;
}

/** The same for each key: the work of one waits for none of another. */
export function createTurnsBy(turns: Turns) {
  const byKey = new Map<string, { inTurn: InTurn; open: number }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = byKey.get(key) ?? { inTurn: createTurns(turns), open: 0 };
    byKey.set(key, own);
    own.open += 1;
    try {
      return await own.inTurn(work);
    } finally {
      own.open -= 1;
      if (own.open === 0) byKey.delete(key);
    }
  };
}
