// Random numbers that are the same for the same seed.

export interface Dice {
  /** From 0 to below 1. */
  roll(): number;
  chance(probability: number): boolean;
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  // mulberry32
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    roll,
    chance: (probability) => roll() < probability,
    between: (least, most) => Math.floor(least + roll() * (most - least + 1)),
    pick: (from) => {
      const chosen = from[Math.floor(roll() * from.length)];
      if (chosen === undefined) throw new Error('there was nothing to pick from');
      return chosen;
    },
  };
}
