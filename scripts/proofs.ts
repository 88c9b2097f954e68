// npm run proofs -- [name…] [--short] [--times N] [--seed N]: the long forms of the tests that
// kill, restart, restore, fill the disk, stop the database, rush one class, live random lives and
// send random requests, and the browser tests that npm test omits; --short runs the forms of
// .ci/run. A failure prints its seed.

import { parseArgs } from 'node:util';
import { proofs } from './proofs.list.ts';
import { build, playwright, runStages, type Stage, vitest } from './stages.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    times: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(proofs);
const unknown = names.filter((name) => !proofs[name]);
const numbers = [values.times ?? '1', values.seed];
if (unknown.length > 0 || !numbers.every((text) => /^\d+$/.test(text))) {
  console.error(
    `Usage: npm run proofs -- [${Object.keys(proofs).join('|')}] [--short] [--times N] [--seed N]`,
  );
  process.exit(2);
}

const browser: Stage = {
  name: 'browser',
  run: (print) => playwright(values.short ? 'short' : 'proof', { print }),
};
const others = names.filter((name) => name !== 'browser').map(proofOf);
const groups = names.includes('browser') ? [others, [build], [browser]] : [others];
// Two short ones side by side: each mostly waits for a process that it ended to start again. Not with
// the browser, which takes both cores: an outage would last longer than its proof allows.
await runStages(groups, values.short ? 2 : 1);

function proofOf(name: string): Stage {
  const { files, unit, short, long } = proofs[name] ?? { files: [], unit: '', short: 0, long: 0 };
  const times = values.times ?? String(values.short ? short : long);
  const env: Record<string, string> = { PROOF_TIMES: times, PROOF_SEED: values.seed };
  if (!values.short) env['PROOF_LONG'] = '1';
  return {
    name: `${name} (${times} ${unit})`,
    run: (print) => vitest(name, files, { env, print }),
  };
}
