// The HTTP server: reads a request, passes it to the API, the test controls or the pages, writes
// the response. It logs nothing: a body may contain a card number.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Api } from './api.ts';
import { Refusal, badParam, brokenInside } from './errors.ts';
import { type Args, parseForm } from './form.ts';
import type { openKnobs } from './knobs.ts';
import type { openPages } from './pages.ts';
import { apiVersion } from './world.ts';

const largest = 256 * 1024;

export function openServer(
  api: Api,
  knobs: ReturnType<typeof openKnobs>,
  pages: ReturnType<typeof openPages>,
): Server {
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : brokenInside(false);
      if (response.headersSent || response.destroyed) response.destroy();
      else sendJson(response, refusal.status, JSON.stringify({ error: refusal.body }));
    });
  });
  // Longer than the SDK keeps an idle connection, so that the sandbox never closes it first.
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 30_000;
  return server;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const path = url.pathname.replace(/^\/sandbox(?=\/v1\/)/, '');
    if (path.startsWith('/v1/'))
      return serveApi(request, response, method, path, url.search.slice(1));
    const page = method === 'GET' || method === 'HEAD' ? pages(path) : undefined;
    if (page) {
      response.writeHead(200, { ...page.headers, 'content-length': page.body.length });
      response.end(method === 'HEAD' ? undefined : page.body);
      return;
    }
    const json = readJson(await readBody(request));
    const answer = knobs({ method, path, authorization: request.headers.authorization, json });
    sendJson(response, 200, JSON.stringify(answer));
  }

  async function serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    path: string,
    query: string,
  ): Promise<void> {
    const args: Args = { ...parseForm(query), ...parseForm(await readBody(request)) };
    const idempotencyKey = headerOf(request, 'idempotency-key');
    const { authorization } = request.headers;
    const reply = api({ method, path, args, authorization, idempotencyKey });
    if (reply.lost) {
      request.socket.destroy();
      return;
    }
    const { status, request: id } = reply.answer;
    sendJson(response, status, reply.answer.body, {
      'request-id': id,
      'stripe-version': headerOf(request, 'stripe-version') ?? apiVersion,
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey, 'original-request': id } : {}),
      ...(reply.replayed ? { 'idempotent-replayed': 'true' } : {}),
    });
  }
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) throw badParam('Request body too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readJson(body: string): Record<string, unknown> {
  if (body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below, in the same way for every kind of wrong body.
  }
  throw badParam('The body must be a JSON object.');
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-cache, no-store',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
