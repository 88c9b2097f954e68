// fail() is the only way to refuse. Errors become responses here and nowhere else.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { type ErrorBody, type ErrorCode, errors } from '../../../contract/platform/errors.ts';
import { isDatabaseAway } from '../db/away.ts';

type Extra = Partial<
  Pick<
    ErrorBody,
    | 'message'
    | 'field'
    | 'price'
    | 'totalCents'
    | 'status'
    | 'clashes'
    | 'lines'
    | 'changed'
    | 'classId'
  >
>;

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly extra: Extra;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, extra: Extra = {}, retryAfter?: number) {
    super(extra.message ?? errors[code][1]);
    this.code = code;
    this.extra = extra;
    this.retryAfter = retryAfter;
  }
}

export function fail(code: ErrorCode, extra: Extra = {}, retryAfter?: number): never {
  throw new Refusal(code, extra, retryAfter);
}

/** Input that breaks a rule: the message begins with the name of the field. */
export function refuseField(field: string, problem: string): never {
  fail('INVALID_INPUT', { field, message: field ? `${field} ${problem}` : problem });
}

type Refusals = Readonly<Record<string, () => never>>;

/** For the catch of a write: what the database refuses, by the constraint that it broke. */
export const refusing =
  (refusals: Refusals) =>
  (error: unknown): never => {
    if (error instanceof Error && 'constraint' in error) refusals[String(error.constraint)]?.();
    throw error;
  };

const noSport = () => refuseField('sport', 'is not a sport of this academy');
export const unknownSport: Refusals = { class_sport_known: noSport, discount_sport_known: noSport };

/**
 * Parses input with its schema, or names the first wrong field and the problem: no field for an
 * unknown one. Without `reportInput` a wrong type could not be told from a missing field.
 */
export function readBy<S extends z.ZodMiniType>(
  schema: S,
  sent: object,
): { data: z.output<S> } | { field: string; problem: string | null } {
  const result = schema.safeParse(sent, { reportInput: true });
  if (result.success) return { data: result.data };
  const issue = result.error.issues[0];
  if (issue?.code === 'unrecognized_keys') return { field: issue.keys[0] ?? '', problem: null };
  const missing = issue?.code === 'invalid_type' && issue.input === undefined;
  return {
    field: issue?.path.map(String).join('.') ?? '',
    problem: missing ? 'is required' : inOurWords(issue),
  };
}

/** A rule without a sentence of ours has zod's, which says no more than "Invalid input". */
function inOurWords(issue: z.core.$ZodIssue | undefined): string {
  if (issue && !/^((Invalid|Too) .*)?$/.test(issue.message)) return issue.message;
  return issue?.code === 'too_big' && issue.origin === 'string' ? 'is too long' : 'is not valid';
}

const fromFastify: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'NOT_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
};

const busyProcess = 'FST_UNDER_PRESSURE';

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  const { statusCode } = error as FastifyError;
  const code = codeOf(error);
  const known = fromFastify[code];
  if (known) return new Refusal(known);
  // Text that PostgreSQL cannot store, or a number out of range, which no schema caught.
  if (/^(22021|22P05|22003|22P02)$/.test(code)) return new Refusal('INVALID_INPUT');
  if (isDatabaseAway(error)) return new Refusal('UNAVAILABLE', {}, 1);
  if (code === busyProcess) return new Refusal('UNAVAILABLE', {}, 2);
  if (error instanceof SyntaxError && statusCode === 400) return new Refusal('MALFORMED_JSON');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Refusal('INVALID_INPUT');
  return null;
}

/** The client closed the connection before its body was complete, so there is nobody to answer. */
const hasLeft = (error: unknown, { raw }: FastifyRequest) =>
  raw.destroyed &&
  !raw.complete &&
  error instanceof Error &&
  'code' in error &&
  error.code === 'ECONNRESET';

/** For want of rights, a wrong secret, or too often: one line each, with ids and never a name. */
const noted = new Set<ErrorCode>([
  'FORBIDDEN',
  'EMAIL_NOT_CONFIRMED',
  'ACCOUNT_BLOCKED',
  'WRONG_CREDENTIALS',
  'WRONG_PASSWORD',
  'WRONG_CODE',
  'CODE_OVER',
  'BAD_LINK',
  'RATE_LIMITED',
]);

/** Unknown errors become one 500 with a request id and are logged once. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (hasLeft(error, request))
    return request.log.debug('the client left before it had sent its whole body');
  const refusal = asRefusal(error) ?? new Refusal('INTERNAL');
  const [status, plain] = errors[refusal.code];
  const { code, retryAfter: wait } = refusal;
  const message =
    code !== 'RATE_LIMITED' || wait === undefined
      ? plain
      : `Too many requests. Please try again after ${clockIn(wait, request.server.timeZone)}.`;
  // A full queue and a busy process have one line, in server.ts: anybody can cause many of them.
  const isFull =
    (error instanceof Refusal && error.code === 'UNAVAILABLE') || codeOf(error) === busyProcess;
  if (status >= 500 && !isFull)
    request.log.error({ err: error, code: refusal.code }, 'request failed');
  if (noted.has(refusal.code))
    request.log.info({ code: refusal.code, userId: request.caller?.id }, 'refused');
  const body: ErrorBody = {
    error: true,
    code: refusal.code,
    message,
    requestId: request.id,
    ...refusal.extra,
  };
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  void reply.code(status).header('cache-control', 'no-store');
  if (!isForPerson(request, status)) return void reply.send(body);
  const isOurs = refusal.code === 'INTERNAL';
  const seconds = isOurs ? null : Math.max(leastSeconds, refusal.retryAfter ?? 0);
  const page = errorPage({ message, seconds, nonce: request.nonce });
  void reply.type('text/html; charset=utf-8').send(page);
}

/** The academy's clock in so many seconds, not a minute early; after half a day with the weekday. */
const clockIn = (seconds: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds > 43_200 && { weekday: 'long' }),
  }).format(60_000 * Math.ceil(Date.now() / 60_000 + seconds / 60));

/** So that the tabs of a crowd do not keep a busy server busy. */
const leastSeconds = 5;

const isForPerson = ({ method, url, headers }: FastifyRequest, status: number) =>
  (status === 429 || status >= 500) &&
  method === 'GET' &&
  !url.startsWith('/api/') &&
  (headers.accept ?? '').includes('text/html');

interface Said {
  message: string;
  /** After so many seconds the page is asked for again; null: only by its reader. */
  seconds: number | null;
  nonce: string;
}

/** `message` is one of our own, and has no markup. */
function errorPage({ message, seconds, nonce }: Said): string {
  const title = seconds === null ? 'This page did not load' : 'One moment, please';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${seconds === null ? '' : `<meta http-equiv="refresh" content="${seconds}">`}
<title>${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body {
  display: grid; align-content: center; justify-items: start; gap: 1rem; box-sizing: border-box;
  min-height: 100vh; max-width: 34rem; margin: 0 auto; padding: 1.5rem;
  font: 1.125rem/1.5 Figtree, system-ui, sans-serif;
  color: light-dark(#14213d, #eaf2ec); background: light-dark(#f6f1e6, #0a1311);
}
h1, p { margin: 0; }
h1 { font-size: 2rem; line-height: 1.15; }
a {
  padding: 0.75rem 1.25rem; border-radius: 0.75rem; font-weight: 650; text-decoration: none;
  color: light-dark(#fff, #0a1311); background: light-dark(#0b5d4e, #5eead4);
}
</style>
</head>
<body>
<h1>${title}</h1>
<p>${message}</p>
${seconds === null ? '' : `<p>This page reloads in ${seconds} seconds.</p>`}
<a href="">Try again now</a>
</body>
</html>
`;
}
