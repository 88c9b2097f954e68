// send(call, input): the one way in which the browser asks the server.
import { address, type AnyCall, type Answer, type Input } from '../../../contract/platform/call.ts';
import type { Clash } from '../../../contract/platform/clash.ts';
import type { ErrorBody } from '../../../contract/platform/errors.ts';
import { freshToken, tokenRefused } from './token.ts';

/** A refusal, or no answer at all (`OFFLINE`, status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly totalCents: number | undefined;
  readonly clashes: Clash[] | undefined;
  readonly lines: ErrorBody['lines'];
  readonly changed: ErrorBody['changed'];

  constructor(
    status: number,
    body: Partial<Omit<ErrorBody, 'code' | 'status'>> & { code: string },
  ) {
    super(body.message ?? 'Something went wrong. Please try again.');
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.field = body.field;
    this.requestId = body.requestId;
    this.totalCents = body.totalCents;
    this.clashes = body.clashes;
    this.lines = body.lines;
    this.changed = body.changed;
  }
}

export async function send<C extends AnyCall>(
  call: C,
  input: Input<C>,
  options: { signal?: AbortSignal | undefined; key?: string | undefined } = {},
): Promise<Answer<C>> {
  const { path, rest } = address(call, input ?? {});
  // Those that sign in, or turn a session into a token, go by the cookie alone.
  const isByCookie = call.byCookie ?? call.access === 'session';
  const bearer = isByCookie ? null : await freshToken();
  const bodied = call.method === 'POST' || call.method === 'PATCH';
  const response = await reach(bodied ? path : path + queryOf(rest), {
    method: call.method,
    signal: options.signal ?? null,
    headers: {
      accept: call.media ?? 'application/json',
      ...(bodied && { 'content-type': 'application/json' }),
      ...(options.key && { 'idempotency-key': options.key }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    ...(bodied && { body: JSON.stringify(rest) }),
  });
  if (!response.ok) {
    if (bearer && (response.status === 401 || response.status === 403)) tokenRefused();
    const refused = await refusal(response);
    // A page that only reads has a place of its own for the question.
    if (bodied && refused.code === 'EMAIL_NOT_CONFIRMED' && (await askForProof()))
      return send(call, input, options);
    throw refused;
  }
  return (await answerOf(call, response)) as Answer<C>;
}

let askForProof = async () => false;

/** `ask` lets the user confirm the address: a change that was refused without it is sent again. */
export function onUnproven(ask: () => Promise<boolean>) {
  askForProof = ask;
}

/** fetch, with the one failure that has no response turned into an ApiError. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw offline();
  }
}

export const offline = () =>
  new ApiError(0, {
    code: 'OFFLINE',
    message: 'We cannot reach the server. Please check your connection.',
  });

export async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const known = typeof body === 'object' && body !== null ? (body as Partial<ErrorBody>) : {};
  return new ApiError(response.status, { ...known, code: known.code ?? `HTTP_${response.status}` });
}

export function readable(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong. Please try again.';
  // Our own words, such as when to try again, and what the mail server did; none of a proxy.
  const isOurs = !error.code.startsWith('HTTP_');
  if (error.status >= 500 && !(error.status === 503 && isOurs))
    return 'Something went wrong on our side. Please try again.';
  return error.message;
}

const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function queryOf(rest: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    if (isPlain(value)) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : '';
}

async function answerOf(call: AnyCall, response: Response): Promise<unknown> {
  if (call.media) return response.text();
  const body: unknown = await response.json();
  return call.paged ? { items: body, total: Number(response.headers.get('x-total-count')) } : body;
}
