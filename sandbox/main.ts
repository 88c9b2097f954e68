// Runs the sandbox from the command line: node sandbox/main.ts --port 0 --state FILE --webhook-url URL ... --with-parent
// Not for tests in the same process, which call createSandbox().
import { parseArgs } from 'node:util';
import { createSandbox } from './sandbox.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    state: { type: 'string' },
    'webhook-url': { type: 'string' },
    'webhook-secret': { type: 'string' },
    'secret-key': { type: 'string' },
    'publishable-key': { type: 'string' },
    'with-parent': { type: 'boolean', default: false },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port} is no port`);

const sandbox = await createSandbox({
  port,
  host: values.host,
  ...(values.state ? { state: values.state } : {}),
  ...(values['webhook-url'] ? { webhookUrl: values['webhook-url'] } : {}),
  ...(values['webhook-secret'] ? { webhookSecret: values['webhook-secret'] } : {}),
  ...(values['secret-key'] ? { secretKey: values['secret-key'] } : {}),
  ...(values['publishable-key'] ? { publishableKey: values['publishable-key'] } : {}),
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
  // The parent's end of the pipe closes however the parent dies, kill -9 included.
  process.stdin.on('end', leave).on('close', leave).on('error', leave).resume();
}

process.stdout.write(`${JSON.stringify({ listening: sandbox.url })}\n`);
