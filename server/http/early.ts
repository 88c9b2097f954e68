// Responses before Fastify sees a request: to requests that Node's parser refuses, to requests for
// another host, to queries of too many fields, and to too many requests on one connection.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts';

function refusal(code: ErrorCode) {
  const [status, message] = errors[code];
  const body = JSON.stringify({
    error: true,
    code,
    message,
    requestId: randomUUID(),
  } satisfies ErrorBody);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  return { status, headers, body };
}

function refuse(response: ServerResponse, code: ErrorCode): void {
  const { status, headers, body } = refusal(code);
  response.writeHead(status, headers).end(body);
}

/** `host`, with or without a port, as in an authority or a Host header. */
function nameIn(host: string): string | null {
  return /^(\[[\da-f:.]+\]|[^\s[\]:/?#@\\]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase() ?? null;
}

export interface HostRules {
  publicUrl: string;
  /** In production a proxy in front decides which hosts reach us. */
  production: boolean;
}

/**
 * Whether the host is ours: localhost, an IP address (a phone in the same network), or the host of
 * PUBLIC_URL. DNS rebinding needs a name that the attacker controls, so an IP address is safe.
 */
function isOurs(host: string, publicUrl: string): boolean {
  const name = nameIn(host);
  if (name === null) return false;
  return (
    name === 'localhost' ||
    name === new URL(publicUrl).hostname ||
    isIP(name.replace(/^\[|\]$/g, '')) !== 0
  );
}

/**
 * Refuses a request for a host that is not ours, and returns true. Outside production this stops
 * DNS rebinding: a page of another site whose name resolves to 127.0.0.1 could otherwise read
 * /dev/mail.json. HTTP/1.1 servers must accept a target in absolute form (`GET http://host/path`),
 * though clients send it to proxies only. It is accepted if the host is ours, and becomes a plain
 * path here, so that no later code uses the client's host as an address.
 */
export function refuseForeignHost(
  request: IncomingMessage,
  response: ServerResponse,
  rules: HostRules,
): boolean {
  const absolute = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)(.*)$/is.exec(request.url ?? '');
  const code = problemOf(request, absolute?.[1], rules);
  if (code) {
    refuse(response, code);
    return true;
  }
  if (absolute) request.url = absolute[2]?.startsWith('/') ? absolute[2] : `/${absolute[2] ?? ''}`;
  return false;
}

const mostFields = 100;

/** Refuses a query with more fields than any call has, and returns true: to read 4,000 takes 3 ms. */
export function refuseManyFields(request: IncomingMessage, response: ServerResponse): boolean {
  const fields = request.url?.match(/&/g)?.length ?? 0;
  if (fields < mostFields) return false;
  refuse(response, 'MALFORMED_REQUEST');
  return true;
}

function problemOf(
  request: IncomingMessage,
  authority: string | undefined,
  rules: HostRules,
): ErrorCode | null {
  const { host } = request.headers;
  // Node would refuse this one without a body.
  if (host === undefined && request.httpVersion === '1.1') return 'MALFORMED_REQUEST';
  if (authority !== undefined && !isOurs(authority, rules.publicUrl)) return 'WRONG_HOST';
  if (!rules.production && host !== undefined && !isOurs(host, rules.publicUrl))
    return 'WRONG_HOST';
  return null;
}

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};
const phrases: Partial<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

const mostOpen = 20;

/** The requests under way on each connection. */
export class Connections {
  readonly #open = new WeakMap<Duplex, Set<ServerResponse>>();

  /**
   * Remembers a response until it is finished. Refuses one too many, and returns true: a client may
   * send a thousand requests at once without waiting for answers, and Node begins them all.
   */
  refuseCrowd(request: IncomingMessage, response: ServerResponse): boolean {
    const open = this.#open.get(request.socket) ?? new Set();
    this.#open.set(request.socket, open.add(response));
    response.once('close', () => open.delete(response));
    if (open.size <= mostOpen) return false;
    refuse(response, 'RATE_LIMITED');
    return true;
  }

  /** Responds to bytes that Node's parser refuses, unless another response has begun. */
  answerParser(error: Error & { code?: string }, socket: Socket): void {
    const open = [...(this.#open.get(socket) ?? [])];
    // With two responses pending, the client could not tell which request was refused.
    const begun = open.length > 1 || open.some((response) => response.headersSent);
    if (begun || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, headers, body } = refusal(codes[error.code ?? ''] ?? 'MALFORMED_REQUEST');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${phrases[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  }
}
