// How long a proof runs. `npm run proofs` (scripts/proofs.ts) sets these variables; without them a
// proof runs its shortest form. NOT for: what a proof does.

export const lengthOf = (shortest: number) => Number(process.env['PROOF_TIMES'] ?? shortest);

/**
 * Only the long form judges what we promise in seconds: on a busy machine, beside other tests,
 * seconds say little about Rally.
 */
export const isLong = 'PROOF_LONG' in process.env;
export const promisedMs = (limit: number) => (isLong ? limit : 30_000);

/** The same seed, the same choices. */
export const seed = Number(process.env['PROOF_SEED'] ?? 1);
