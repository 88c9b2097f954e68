// The sandbox as a process: its output, what survives a kill, when it exits, and what it serves to
// browsers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import {
  aCard,
  aReceiver,
  aSandbox,
  anIntent,
  failureOf,
  knobOf,
  paying,
  pointTo,
  sdk,
} from './testing/stripe.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(options: object = {}) {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${JSON.stringify(options)}\n`);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { listening: url } = JSON.parse(line) as { listening: string };
  const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
  return { child, gone, url, stripe: sdk(url) };
}

it('keeps intents, kept responses and events when it is killed', async () => {
  await using receiver = await aReceiver();
  const state = join(folder, 'state.db');
  const first = await start({ state });
  await pointTo(first.url, { url: 'http://127.0.0.1:9/nobody' });
  const options = { idempotencyKey: 'before the kill' };
  const intent = await first.stripe.paymentIntents.create(anIntent, options);
  const paid = await first.stripe.paymentIntents.create(paying);
  first.child.kill('SIGKILL');
  await first.gone;

  const second = await start({ state });
  expect(await second.stripe.paymentIntents.create(anIntent, options)).toEqual(intent);
  expect((await second.stripe.paymentIntents.retrieve(paid.id)).status).toBe('succeeded');
  await pointTo(second.url, receiver);
  // The pause before the next attempt grows with every attempt of the first process.
  await knobOf(second.url, 'POST', 'clock', { advance: 3_600 });
  await expect.poll(() => receiver.heard.length).toBe(4);
  expect(new Set(receiver.types())).toEqual(
    new Set(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']),
  );
  second.child.kill('SIGTERM');
  expect(await second.gone).toEqual([0, null]);
});

it('exits when its parent’s pipe closes', async () => {
  const { child, gone, url } = await start();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  child.stdin.end();
  expect(await gone).toEqual([0, null]);
});

it('never stores a card number or its code', async () => {
  const own = mkdtempSync(join(folder, 'cards-'));
  await using sandbox = await aSandbox({ state: join(own, 'state.db') });
  const { paymentMethods, paymentIntents } = sandbox.stripe;
  const card = { ...aCard('4000002500003155'), cvc: '7391' };
  const key = { idempotencyKey: 'a card' };
  const { id: method } = await paymentMethods.create({ type: 'card', card }, key);
  const { id } = await paymentIntents.create(anIntent);
  await paymentIntents.confirm(id, { payment_method: method });
  await failureOf(paymentMethods.create({ type: 'card', card: aCard('4539578763621486') }));
  for (const file of readdirSync(own)) {
    const bytes = readFileSync(join(own, file)).toString('latin1');
    for (const secret of ['4000002500003155', '4539578763621486', '"cvc":'])
      expect(bytes.includes(secret)).toBe(false);
  }
});

it('serves browsers one script that defines Stripe, without eval', async () => {
  await using sandbox = await aSandbox();
  const response = await fetch(`${sandbox.url}/sandbox/stripe.js`);
  expect(response.headers.get('content-type')).toContain('javascript');
  const script = await response.text();
  expect(script).not.toMatch(/^\s*(import|export) /m);
  expect(script).not.toMatch(/innerHTML|eval\(|cssText|setAttribute\('style'/);
  expect(script).toContain('window.Stripe = Stripe');
});

it.each(['elements/card', 'challenge'])('%s is a frame with a strict policy', async (path) => {
  await using sandbox = await aSandbox();
  const answer = await fetch(`${sandbox.url}/sandbox/${path}`);
  const { headers } = answer;
  const html = await answer.text();
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(html).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on[a-z]+=/);
  for (const [, file] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g))
    expect((await fetch(`${sandbox.url}${file}`)).status).toBe(200);
});
