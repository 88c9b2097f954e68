// The cleanup functions of the current test file (leftovers.ts runs them).
const left: (() => unknown)[] = [];

/**
 * Runs after all tests of the file, in reverse order, also after failures. Vitest's `afterAll` does
 * nothing when a test calls it.
 */
export const inTheEnd = (tidy: () => unknown) => void left.push(tidy);

export async function tidyUp(): Promise<void> {
  for (const tidy of left.splice(0).toReversed()) await tidy();
}
