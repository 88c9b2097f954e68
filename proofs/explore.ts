// Explores a model breadth-first until no new state is found, and checks rules in every state. Not
// for: the model itself (protocol.ts).

export interface Step<State> {
  name: string;
  next: State;
  /** The server does it sooner or later, without a user. */
  byServer: boolean;
}

export interface Rule<State> {
  name: string;
  /** `atRest`: checked in states in which the server has nothing left to do. */
  when: 'always' | 'atRest';
  isBroken: (state: State) => boolean;
}

export interface Model<State> {
  start: State;
  /** Two states with one key are the same state. */
  keyOf: (state: State) => string;
  stepsOf: (state: State) => Step<State>[];
}

export interface Found {
  states: number;
  /** States in which the server has nothing left to do. */
  atRest: number;
  /** The shortest way to break each rule that can be broken. */
  broken: { rule: string; path: string[] }[];
}

/** With `first`, the exploration ends at the first state that breaks a rule. */
export function explore<State>(
  { start, keyOf, stepsOf }: Model<State>,
  rules: readonly Rule<State>[],
  { first = false } = {},
): Found {
  const indexOf = new Map([[keyOf(start), 0]]);
  const parents = [-1];
  const names = [''];
  /** The state after the first step of the server; -1 at rest. */
  const onward: number[] = [];
  const broken = new Map<string, number>();
  let atRest = 0;
  let states = [start];
  for (let index = 0; states.length > 0;) {
    const found: State[] = [];
    for (const state of states) {
      const steps = stepsOf(state);
      const rests = !steps.some(({ byServer }) => byServer);
      if (rests) atRest += 1;
      for (const { name, when, isBroken } of rules)
        if ((when === 'always' || rests) && !broken.has(name) && isBroken(state))
          broken.set(name, index);
      if (first && broken.size > 0) return report();
      let next = -1;
      for (const step of steps) {
        const key = keyOf(step.next);
        let known = indexOf.get(key);
        if (known === undefined) {
          known = parents.length;
          indexOf.set(key, known);
          parents.push(index);
          names.push(step.name);
          found.push(step.next);
        }
        if (step.byServer && next === -1) next = known;
      }
      onward.push(next);
      index += 1;
    }
    states = found;
  }
  const circle = endless(onward);
  if (circle !== -1) broken.set('the server comes to rest', circle);
  return report();

  function report(): Found {
    const ways = [...broken].map(([rule, index]) => ({ rule, path: pathTo(index) }));
    return { states: parents.length, atRest, broken: ways };
  }

  function pathTo(index: number): string[] {
    const path: string[] = [];
    for (let at = index; at > 0; at = parents[at] ?? 0) path.push(names[at] ?? '');
    return path.toReversed();
  }
}

/** A state from which the server alone would work for ever; -1 when there is none. */
function endless(onward: readonly number[]): number {
  const seenFrom = new Int32Array(onward.length).fill(-1);
  for (let start = 0; start < onward.length; start++) {
    let at = start;
    while (at !== -1 && seenFrom[at] === -1) {
      seenFrom[at] = start;
      at = onward[at] ?? -1;
    }
    if (at !== -1 && seenFrom[at] === start) return start;
  }
  return -1;
}
