// Shared by the sandbox's own tests: a sandbox with the official SDK, and a receiver of webhooks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { createSandbox, defaultKeys, type SandboxOptions } from '../sandbox.ts';

export const webhookSecret = 'whsec_test_of_the_sandbox';

export const sdk = (
  port: number,
  options: ConstructorParameters<typeof Stripe>[1] = {},
  key = defaultKeys.secret,
) =>
  new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...options,
  });

export async function aSandbox(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ webhookSecret, ...options });
  const knob = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${defaultKeys.secret}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.json();
  };
  return {
    ...sandbox,
    stripe: sdk(sandbox.port),
    knob,
    fault: (wish: object) => knob('POST', 'faults', wish),
    advance: (seconds: number) => knob('POST', 'clock', { advance: seconds }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

export const anIntent = { amount: 2500, currency: 'usd', payment_method_types: ['card'] };

export const aCard = (number: string) => ({ number, exp_month: 12, exp_year: 2040, cvc: '123' });

/** An intent that is being confirmed with the card of this number. */
export async function payWith({ stripe }: Awaited<ReturnType<typeof aSandbox>>, number: string) {
  const intent = await stripe.paymentIntents.create(anIntent);
  const method = await stripe.paymentMethods.create({ type: 'card', card: aCard(number) });
  return {
    intent,
    confirmed: stripe.paymentIntents.confirm(intent.id, { payment_method: method.id }),
  };
}

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

/** Receives webhooks, verified by the SDK; responds with `answers`, then the status of `later`. */
export async function aReceiver(answers: number[] = []) {
  const later = { status: 200 };
  const heard: Stripe.Event[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] ?? '';
      try {
        heard.push(Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, webhookSecret));
      } catch {
        response.writeHead(400).end();
        return;
      }
      response.writeHead(answers.shift() ?? later.status).end();
      for (const { count, resolve } of waiting) if (heard.length >= count) resolve();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    heard,
    later,
    types: () => heard.map(({ type }) => type),
    until: (count: number) =>
      new Promise<void>((resolve) => {
        if (heard.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
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
  try {
    await promise;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('It was expected to fail, and did not.');
}
