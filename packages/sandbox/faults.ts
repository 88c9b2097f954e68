// Faults that tests inject. They are in memory: a restart clears them.
import { randomUUID } from 'node:crypto';
import { badParam } from './errors.ts';

const effects =
  'reset rate_limit error_before error_saved processing lose_answer webhook_drop'.split(' ');

export interface Fault {
  id: string;
  effect: string;
  /** Calls: the HTTP method and the beginning of the path (`*` is one segment). */
  method: string | null;
  path: string | null;
  /** Webhooks: the beginning of the event's type. */
  type: string | null;
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

  /** The first fault with one of these effects that applies here; this uses it up. */
  const strike = (
    wanted: readonly string[],
    matches: (fault: Fault) => boolean,
  ): Fault | undefined => {
    const fault = faults.find(
      (one) => wanted.includes(one.effect) && one.times !== 0 && matches(one),
    );
    if (!fault) return undefined;
    if (fault.times !== null) fault.times -= 1;
    return fault;
  };

  return {
    add(wish: unknown): Fault {
      const fault = readFault(wish);
      faults.push(fault);
      return fault;
    },
    clear(): void {
      faults = [];
    },
    onCall: (wanted: readonly string[], method: string, path: string) =>
      strike(
        wanted,
        (fault) =>
          (fault.method === null || fault.method === method) &&
          (fault.path === null || begins(path, fault.path)),
      ),
    onEvent: (type: string) =>
      strike(['webhook_drop'], (fault) => fault.type === null || type.startsWith(fault.type)),
  };
}

function begins(path: string, prefix: string): boolean {
  const parts = path.split('/');
  return prefix.split('/').every((part, index, all) => {
    const own = parts[index];
    if (own === undefined) return false;
    return part === '*' || (index === all.length - 1 ? own.startsWith(part) : own === part);
  });
}

function readFault(wish: unknown): Fault {
  if (typeof wish !== 'object' || wish === null) throw badParam('A fault is a JSON object.');
  const given = wish as Record<string, unknown>;
  const names = 'effect method path type times ms work outcome'.split(' ');
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw badParam(`A fault has no field ${stranger}. It has ${names.join(', ')}.`);
  const effect = effects.find((one) => one === given['effect']);
  if (!effect) throw badParam(`Unknown effect. Known: ${effects.join(', ')}.`, { param: 'effect' });
  const number = (name: string, otherwise: number): number => {
    const value = given[name] ?? otherwise;
    if (typeof value !== 'number' || !(value >= 0))
      throw badParam(`Invalid ${name}`, { param: name });
    return value;
  };
  const word = (name: string): string | null => {
    const value = given[name] ?? null;
    if (value !== null && typeof value !== 'string')
      throw badParam(`Invalid ${name}`, { param: name });
    return value;
  };
  return {
    id: randomUUID(),
    effect,
    method: word('method')?.toUpperCase() ?? null,
    path: word('path'),
    type: word('type'),
    times: given['times'] === null ? null : number('times', 1),
    ms: number('ms', 1000),
    work: given['work'] !== false,
    outcome: given['outcome'] === 'fail' ? 'fail' : 'succeed',
  };
}
