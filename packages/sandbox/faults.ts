// Faults that tests inject. They are in memory: a restart clears them.
import { randomUUID } from 'node:crypto';
import { badParam } from './errors.ts';

export const callEffects = [
  'delay',
  'reset',
  'rate_limit',
  'error_before',
  'error_saved',
  'processing',
  'lose_answer',
] as const;
export const webhookEffects = [
  'webhook_drop',
  'webhook_double',
  'webhook_reverse',
  'webhook_delay',
] as const;
const effects = [...callEffects, ...webhookEffects] as const;
export type Effect = (typeof effects)[number];

export interface Fault {
  id: string;
  effect: Effect;
  /** Calls: the HTTP method and the beginning of the path (`*` is one segment). */
  method: string | null;
  path: string | null;
  /** Webhooks: the beginning of the event's type. */
  type: string | null;
  /** How often; null means until cleared. */
  times: number | null;
  /** Skips so many matches first. */
  skip: number;
  probability: number;
  seed: number;
  /**
   * delay, webhook_delay, processing: how long. webhook_reverse: how long to wait for a full batch.
   */
  ms: number;
  /** webhook_double: how many in all. webhook_reverse: how many to collect and reverse. */
  count: number;
  /** error_saved: whether the work is done in spite of the saved 500. */
  work: boolean;
  /** processing: how the payment ends. */
  outcome: 'succeed' | 'fail';
  hits: number;
}

export type Faults = ReturnType<typeof openFaults>;

export function openFaults() {
  let faults: { fault: Fault; random: () => number }[] = [];

  /** The first fault with one of these effects that applies here; this uses it up. */
  const strike = (
    wanted: readonly Effect[],
    matches: (fault: Fault) => boolean,
  ): Fault | undefined => {
    for (const { fault, random } of faults) {
      if (!wanted.includes(fault.effect) || fault.times === 0 || !matches(fault)) continue;
      if (fault.skip > 0) {
        fault.skip -= 1;
        continue;
      }
      if (random() >= fault.probability) continue;
      fault.hits += 1;
      if (fault.times !== null) fault.times -= 1;
      return fault;
    }
    return undefined;
  };

  return {
    add(wish: unknown): Fault {
      const fault = readFault(wish);
      faults.push({ fault, random: seeded(fault.seed) });
      return fault;
    },
    all: (): Fault[] => faults.map(({ fault }) => fault),
    clear(): void {
      faults = [];
    },
    onCall: (wanted: readonly Effect[], method: string, path: string) =>
      strike(
        wanted,
        (fault) =>
          (fault.method === null || fault.method === method) &&
          (fault.path === null || begins(path, fault.path)),
      ),
    onEvent: (type: string) =>
      strike(webhookEffects, (fault) => fault.type === null || type.startsWith(fault.type)),
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
  const names = [
    'effect',
    'method',
    'path',
    'type',
    'times',
    'skip',
    'probability',
    'seed',
    'ms',
    'count',
    'work',
    'outcome',
  ];
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw badParam(`A fault has no field ${stranger}. It has ${names.join(', ')}.`);
  const effect = effects.find((one) => one === given['effect']);
  if (!effect) throw badParam(`Unknown effect. Known: ${effects.join(', ')}.`, { param: 'effect' });
  const number = (name: string, otherwise: number, most = Number.MAX_SAFE_INTEGER): number => {
    const value = given[name] ?? otherwise;
    if (typeof value !== 'number' || !(value >= 0 && value <= most))
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
    skip: number('skip', 0),
    probability: number('probability', 1, 1),
    seed: number('seed', 1),
    ms: number('ms', 1000),
    count: number('count', 2, 1000),
    work: given['work'] !== false,
    outcome: given['outcome'] === 'fail' ? 'fail' : 'succeed',
    hits: 0,
  };
}

/** mulberry32: the same seed hits the same calls. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
