// npm run soak:model -- --runs 20000 --commands 120 [--seed 1]: the model of the checkout for as
// long as one likes. `npm test` runs 300 × 60. It tells every so often how far it is; a failure
// prints the seed and the shortest life that shows it.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    commands: { type: 'string', default: '120' },
    seed: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', 'proofs/model.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    MODEL_RUNS: values.runs,
    MODEL_COMMANDS: values.commands,
    MODEL_SEED: values.seed ?? String(randomInt(2 ** 31)),
  },
});
child.once('exit', (code) => process.exit(code ?? 1));
