// npm run prove -- outage|restarts|kills|disk|restore [--times N] [--seed N]: the long forms of the
// tests that pull the rug away, each ending with a line of figures. `npm test` runs the short forms
// of the same files. NOT for: faults at random all at once (npm run chaos).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const times: Record<string, string> = {
  outage: '20',
  restarts: '50',
  kills: '100',
  disk: '20',
  restore: '200',
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const [what = ''] = positionals;
const usual = times[what];
if (!usual || positionals.length > 1) {
  console.error(`Usage: npm run prove -- ${Object.keys(times).join('|')} [--times N] [--seed N]`);
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', `proofs/${what}.test.ts`], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PROVE_LENGTH: values.times ?? usual, PROVE_SEED: values.seed },
});
child.once('exit', (code) => process.exit(code ?? 1));
