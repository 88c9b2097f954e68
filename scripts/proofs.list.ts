// The proofs, and how often each does what it does in its short and in its long form.

interface Proof {
  /** As Vitest's filters. */
  files: string[];
  /** What --times counts. */
  unit: string;
  short: number;
  long: number;
}

const one = (file: string, unit: string, short: number, long: number): Proof => ({
  files: [`checks/proofs/${file}.test.ts`],
  unit,
  short,
  long,
});

/** Those that take longest come first: two short ones run side by side. */
export const proofs: Record<string, Proof> = {
  outage: {
    ...one('outage', 'stops of the database', 1, 20),
    files: [
      'checks/proofs/outage.test.ts',
      'server/platform/db/wait.test.ts',
      'server/platform/db/failover.test.ts',
      'server/platform/http/live.losses.test.ts',
    ],
  },
  model: one('model', 'lives', 30, 2_000),
  fuzz: { files: ['checks/proofs/fuzz'], unit: 'thousands of requests', short: 2, long: 200 },
  pricing: {
    files: ['contract/checkout/pricing.test.ts'],
    unit: 'baskets',
    short: 2_000,
    long: 100_000,
  },
  leaving: {
    files: ['contract/checkout/leaving.test.ts'],
    unit: 'baskets that are left',
    short: 10_000,
    long: 100_000,
  },
  pairs: one('pairs', 'times every two transactions', 1, 20),
  rush: one('rush', 'classes sold out', 1, 20),
  baskets: one('baskets', 'families', 60, 500),
  lists: one('lists', 'lists served', 2, 100),
  families: one('families', 'pairs of guardians', 9, 1_000),
  cancel: one('cancel', 'classes cancelled', 1, 1),
  kills: one('kills', 'kills', 2, 100),
  restarts: one('restarts', 'restarts', 2, 50),
  restore: {
    ...one('restore', 'sales', 10, 200),
    files: ['checks/proofs/restore.test.ts', 'server/platform/postgres/backup.test.ts'],
  },
  disk: {
    ...one('disk', 'full disks', 1, 20),
    files: ['checks/proofs/disk.test.ts', 'server/platform/postgres/embedded.test.ts'],
  },
  /** Tests of Playwright (playwright.config.ts): the widths and the long tests that `npm test` omits. */
  browser: { files: [], unit: '', short: 0, long: 0 },
};

/** `npm test` runs these two in a form that is shorter still. */
export const longProofs = Object.entries(proofs)
  .filter(([name]) => name !== 'pricing' && name !== 'leaving')
  // A filter is the beginning of a path, what is left out is a pattern.
  .flatMap(([, { files }]) => files.map((file) => (file.endsWith('.ts') ? file : `${file}*`)));
