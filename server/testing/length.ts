// How long a proof runs. `npm run proofs` (scripts/proofs.ts) sets these variables; without them a
// proof runs its shortest form.

export const lengthOf = (shortest: number) => Number(process.env['PROOF_TIMES'] ?? shortest);

/**
 * Only the long form checks durations: next to other tests on a busy machine they say little about
 * Rally.
 */
export const isLong = 'PROOF_LONG' in process.env;
export const promisedMs = (limit: number) => (isLong ? limit : 30_000);

/** The same seed, the same choices. */
export const seed = Number(process.env['PROOF_SEED'] ?? 1);
