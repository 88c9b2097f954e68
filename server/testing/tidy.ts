// The list of what the current test file must tidy up (leftovers.ts runs it).
const left: (() => unknown)[] = [];

/** Runs when all tests of the file have ended, in the reverse order, however they ended. */
export const inTheEnd = (tidy: () => unknown) => void left.push(tidy);

export async function tidyUp(): Promise<void> {
  for (const tidy of left.splice(0).toReversed()) await tidy();
}
