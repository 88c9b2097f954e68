// The sandbox as a process: its output, what survives a kill, when it exits, and what it serves to
// browsers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultKeys } from './sandbox.ts';
import {
  aCard,
  aReceiver,
  aSandbox,
  anIntent,
  failureOf,
  sdk,
  webhookSecret,
} from './testing/stripe.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(...args: string[]) {
  const all = [main, '--port', '0', '--keys-from-stdin', ...args];
  const child = spawn(process.execPath, all, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify({ webhookSecret })}\n`);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: string };
  const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
  return { child, gone, listening, stripe: sdk(Number(new URL(listening).port)) };
}

it('keeps intents, kept responses and events when it is killed', async () => {
  await using receiver = await aReceiver();
  const state = join(folder, 'deep', 'state.db');
  const away = ['--webhook-url', 'http://127.0.0.1:9/nobody'];
  const first = await start('--state', state, ...away);
  const options = { idempotencyKey: 'before the kill' };
  const intent = await first.stripe.paymentIntents.create(anIntent, options);
  const paid = await first.stripe.paymentIntents.create({
    ...anIntent,
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  first.child.kill('SIGKILL');
  await first.gone;

  const second = await start('--state', state, '--webhook-url', receiver.url);
  expect(await second.stripe.paymentIntents.create(anIntent, options)).toEqual(intent);
  expect((await second.stripe.paymentIntents.retrieve(paid.id)).status).toBe('succeeded');
  expect(await failureOf(second.stripe.paymentIntents.cancel(paid.id))).toMatchObject({
    statusCode: 400,
  });
  // The pause before the next attempt grows with every attempt of the first process.
  await fetch(`${second.listening}/sandbox/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${defaultKeys.secret}` },
    body: JSON.stringify({ advance: 3_600 }),
  });
  await receiver.until(4);
  expect(new Set(receiver.types())).toEqual(
    new Set(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']),
  );
  second.child.kill('SIGTERM');
  expect(await second.gone).toEqual([0, null]);
});

it('exits when its parent’s pipe closes', async () => {
  const { child, gone, listening } = await start('--with-parent');
  expect(listening).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  child.stdin.end();
  expect(await gone).toEqual([0, null]);
});

it('never stores a card number or its code', async () => {
  const own = join(folder, 'cards');
  await using sandbox = await aSandbox({ state: join(own, 'state.db') });
  const card = { ...aCard('4000002500003155'), cvc: '7391' };
  const method = await sandbox.stripe.paymentMethods.create(
    { type: 'card', card },
    { idempotencyKey: 'a card' },
  );
  const { id } = await sandbox.stripe.paymentIntents.create(anIntent);
  await sandbox.stripe.paymentIntents.confirm(id, { payment_method: method.id });
  await failureOf(
    sandbox.stripe.paymentMethods.create({ type: 'card', card: aCard('4539578763621486') }),
  );
  for (const file of readdirSync(own)) {
    const bytes = readFileSync(join(own, file)).toString('latin1');
    for (const secret of ['4000002500003155', '4539578763621486', '"cvc":'])
      expect(bytes.includes(secret)).toBe(false);
  }
});

describe('what browsers load', () => {
  it('is one script that defines Stripe, without markup or eval', async () => {
    await using sandbox = await aSandbox();
    const response = await fetch(`${sandbox.url}/sandbox/stripe.js`);
    expect(response.headers.get('content-type')).toContain('javascript');
    const script = await response.text();
    expect(script).not.toMatch(/^\s*(import|export) /m);
    expect(script).not.toMatch(/innerHTML|eval\(|cssText|setAttribute\('style'/);
    expect(script).toContain('window.Stripe = Stripe');
  });

  it('are frames with a strict policy, for their own origin', async () => {
    await using sandbox = await aSandbox();
    for (const path of ['elements/card', 'challenge']) {
      const response = await fetch(`${sandbox.url}/sandbox/${path}`);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const html = await response.text();
      expect(html).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on[a-z]+=/);
      for (const [, file] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        expect((await fetch(`${sandbox.url}${file}`)).status).toBe(200);
      }
    }
  });
});
