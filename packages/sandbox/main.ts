// Runs the sandbox. Its options come on standard input: every user of a machine can read the
// arguments of a process. It ends with its parent.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

const lines = createInterface(process.stdin);
const [line] = (await once(lines, 'line')) as [string];
lines.close();
const sandbox = await createSandbox(JSON.parse(line) as SandboxOptions);

let leaving = false;
const leave = () => {
  if (leaving) return;
  leaving = true;
  void sandbox.close().then(() => process.exit(0));
};
process.on('SIGTERM', leave);
process.on('SIGINT', leave);
// The pipe closes however the parent dies, also with kill -9.
process.stdin.on('end', leave).on('close', leave).on('error', leave).resume();

process.stdout.write(`${JSON.stringify({ listening: sandbox.url })}\n`);
