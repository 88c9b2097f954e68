// Shared by the sandbox's own tests: a sandbox with the official SDK, and a receiver of webhooks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { createSandbox, defaultKeys, type SandboxOptions } from '../sandbox.ts';

const webhookSecret = 'whsec_test_of_the_sandbox';

export const sdk = (url: string, key = defaultKeys.secret) =>
  new Stripe(key, {
    host: '127.0.0.1',
    port: new URL(url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });

/** The controls for tests. */
export async function knobOf(url: string, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/sandbox/${path}`, {
    method,
    headers: { authorization: `Bearer ${defaultKeys.secret}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json() as Promise<unknown>;
}

export const pointTo = (url: string, receiver: { url: string }) =>
  knobOf(url, 'POST', 'webhook', { url: receiver.url, secret: webhookSecret });

/** `tells`: who receives its webhooks. */
export async function aSandbox(options: SandboxOptions & { tells?: { url: string } } = {}) {
  const { tells, ...own } = options;
  const sandbox = await createSandbox(own);
  if (tells) await pointTo(sandbox.url, tells);
  const knob = knobOf.bind(null, sandbox.url);
  return {
    ...sandbox,
    stripe: sdk(sandbox.url),
    knob,
    advance: (seconds: number) => knob('POST', 'clock', { advance: seconds }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

export const anIntent = { amount: 2500, currency: 'usd', payment_method_types: ['card'] };
export const paying = { ...anIntent, confirm: true, payment_method: 'pm_card_visa' };

export const aCard = (number: string) => ({ number, exp_month: 12, exp_year: 2040, cvc: '123' });

export async function asBrowser(
  url: string,
  method: string,
  path: string,
  form: Record<string, string>,
) {
  const body = new URLSearchParams({ key: defaultKeys.publishable, ...form });
  const response = await (method === 'GET'
    ? fetch(`${url}/sandbox/v1/${path}?${body.toString()}`)
    : fetch(`${url}/sandbox/v1/${path}`, { method, body }));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Receives webhooks, verified by the SDK; responds with `answers`, then with 200. */
export async function aReceiver(answers: number[] = []) {
  const heard: Stripe.Event[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] ?? '';
      heard.push(Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, webhookSecret));
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    heard,
    types: () => heard.map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

export async function failureOf(
  promise: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error instanceof Error ? error : new Error('It was expected to fail, and did not.');
}
