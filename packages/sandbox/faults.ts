// Faults that tests inject. They are in memory: a restart clears them.
import { badParam } from './errors.ts';

const effects = 'rate_limit error_before error_saved processing lose_answer webhook_drop'.split(
  ' ',
);

export interface Fault {
  effect: string;
  /** Of a call: the HTTP method and the beginning of the path (`*` is one segment). */
  method: string;
  path: string;
  /** How often; null means until cleared. */
  times: number | null;
  ms: number;
  /** error_saved: whether the work is done in spite of the saved 500. */
  work: boolean;
  outcome: 'succeed' | 'fail';
}

export type Faults = ReturnType<typeof openFaults>;

export function openFaults() {
  let faults: Fault[] = [];
  return {
    add(wish: Partial<Fault>): Fault {
      const plain = { effect: '', method: '', path: '', times: 1, ms: 1000, work: true } as const;
      const fault: Fault = { ...plain, outcome: 'succeed', ...wish };
      if (!effects.includes(fault.effect))
        throw badParam(`Unknown effect. Known: ${effects.join(', ')}.`, { param: 'effect' });
      faults.push(fault);
      return fault;
    },
    clear(): void {
      faults = [];
    },
    /** The first fault with one of these effects that applies here; this uses it up. */
    strike(wanted: readonly string[], method = '', path = ''): Fault | undefined {
      const fault = faults.find(
        (one) =>
          wanted.includes(one.effect) &&
          one.times !== 0 &&
          method.startsWith(one.method) &&
          new RegExp(`^${one.path.replaceAll('*', '[^/]+')}`).test(path),
      );
      if (fault?.times) fault.times -= 1;
      return fault;
    },
  };
}
