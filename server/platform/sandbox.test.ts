import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { proxySandbox } from './http/proxy.ts';
import { until } from '../testing/checkout.ts';
import { createCards } from './cards.ts';
import { sandboxKeys, type SandboxProcess, startSandbox } from './sandbox.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'rally-sandbox-'));
const keys = sandboxKeys('a secret of the app that all its processes share');
const running: SandboxProcess[] = [];
async function start() {
  const sandbox = await startSandbox({ dataDir, keys });
  running.push(sandbox);
  return sandbox;
}
afterAll(async () => {
  for (const sandbox of running) await sandbox.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const pidOfSandbox = () =>
  (JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as { pid: number }).pid;
const wish = { amountCents: 1_999, currency: 'usd', metadata: { app: 'rally' }, key: 'once' };

it('derives the same keys in every process and accepts no others', async () => {
  expect(sandboxKeys('one')).toEqual(sandboxKeys('one'));
  expect(sandboxKeys('one')).not.toEqual(sandboxKeys('two'));
  await expect(
    startSandbox({ dataDir, keys: { ...keys, secretKey: 'sk_live_real' } }),
  ).rejects.toThrow('not its own');
});

it('is shared by all apps on a folder, and started again by one', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect(second?.origin()).toBe(first?.origin());
  const cards = createCards({ keys, sandboxOrigin: () => second?.origin() ?? '' });
  const intent = await cards.openIntent(wish);
  process.kill(pidOfSandbox(), 'SIGKILL');
  const found = await until(() => cards.intent(intent.id).catch(() => null));
  expect(found).toMatchObject({ id: intent.id, amountCents: 1_999, status: 'open' });
});

it('does not get the signals of the terminal', async () => {
  await start();
  // A negative pid names a process group, which exists only under the pid of its leader.
  expect(process.kill(-pidOfSandbox(), 0)).toBe(true);
});

it.runIf(existsSync('/proc/self/cmdline'))(
  'keeps its keys out of the arguments, which anybody can read',
  async () => {
    await start();
    const args = readFileSync(`/proc/${pidOfSandbox()}/cmdline`, 'utf8');
    expect(args).toContain('packages/sandbox/main.ts');
    for (const key of Object.values(keys)) expect(args).not.toContain(key);
  },
);

it('is served unchanged on the origin of the app', async () => {
  const sandbox = await start();
  const app = fastify();
  proxySandbox(app, sandbox.origin);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const asked = await fetch(`${origin}/sandbox/v1/payment_methods`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.publishableKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2040&card[cvc]=123',
  });
  expect(await asked.json()).toMatchObject({ object: 'payment_method', card: { last4: '4242' } });
  const direct = await fetch(`${sandbox.origin()}/sandbox/challenge`);
  const through = await fetch(`${origin}/sandbox/challenge`);
  expect(await through.text()).toBe(await direct.text());
  expect(through.headers.get('content-security-policy')).toBe(
    direct.headers.get('content-security-policy'),
  );
  expect((await fetch(`${origin}/sandbox/faults`)).status).toBe(401);
  await app.close();
});
