// A few pieces of work at a time. The others wait in the order in which they came.
import { fail } from '../../http/fail.ts';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn: InTurn = async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) fail('UNAVAILABLE', {}, 2);
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
