// The sports that an address may name. Set with the settings, before anything is read or drawn.
import { sports } from '../../../contract/platform/sports.ts';

let known: ReadonlySet<string> = new Set(sports);

export function knowSports(list: readonly { name: string }[]): void {
  known = new Set(list.map(({ name }) => name));
}

export const isSport = (name: string) => known.has(name);
