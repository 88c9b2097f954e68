// Runs the sandbox. The keys come on standard input: every user of a machine can read the arguments
// of a process.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    state: { type: 'string' },
    'webhook-url': { type: 'string' },
    'keys-from-stdin': { type: 'boolean', default: false },
    'with-parent': { type: 'boolean', default: false },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  throw new Error(`--port ${values.port} is no port`);

async function readKeys() {
  const lines = createInterface(process.stdin);
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return JSON.parse(line) as Pick<SandboxOptions, 'secretKey' | 'publishableKey' | 'webhookSecret'>;
}

const sandbox = await createSandbox({
  port,
  ...(values.state ? { state: values.state } : {}),
  ...(values['webhook-url'] ? { webhookUrl: values['webhook-url'] } : {}),
  ...(values['keys-from-stdin'] ? await readKeys() : {}),
});

let leaving = false;
const leave = () => {
  if (leaving) return;
  leaving = true;
  void sandbox.close().then(() => process.exit(0));
};
process.on('SIGTERM', leave);
process.on('SIGINT', leave);
if (values['with-parent']) {
  // The pipe closes however the parent dies, also with kill -9.
  process.stdin.on('end', leave).on('close', leave).on('error', leave).resume();
}

process.stdout.write(`${JSON.stringify({ listening: sandbox.url })}\n`);
