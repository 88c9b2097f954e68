// What every response of the API must be: no 5xx, no internals, the declared shape. Also the length
// of the fuzz run: `npm run proofs -- fuzz` for the long form, `--seed` for other requests.
import { type AnyCall } from '../../contract/platform/call.ts';
import { errors } from '../../contract/platform/errors.ts';
import { lengthOf } from '../../server/testing/length.ts';

export { seed } from '../../server/testing/length.ts';

/** `npm test` sends one thousand, a round has four; each round has the next seed. */
const thousands = lengthOf(1);
export const rounds = Math.max(1, Math.floor(thousands / 4));
/** This share of a round's requests. */
export const share = (part: number) => Math.ceil(Math.min(thousands, 4) * 1_000 * part);

export interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

/** Null if the response is right, otherwise what is wrong with it. */
export function complaint(
  call: AnyCall | null,
  { statusCode, body, headers }: Answer,
  method?: string,
): string | null {
  if (statusCode >= 500) return `status ${statusCode}: ${body.slice(0, 300)}`;
  if (/\bat .*\.(ts|js):\d+|node_modules|SELECT |syntax error at/.test(body))
    return `leaks its inside: ${body.slice(0, 300)}`;
  if (statusCode === 304 || statusCode === 204 || method === 'HEAD') return null;
  if (statusCode >= 400)
    return isRefusal(headers, body)
      ? null
      : `no refusal of ours: ${statusCode} ${body.slice(0, 200)}`;
  if (statusCode >= 300) return astray(headers);
  if (!call || call.media) return null;
  if (call.paged && !/^\d+$/.test(String(headers['x-total-count'])))
    return 'a list that does not say how long it is';
  const parsed = call.response.safeParse(json(body));
  return parsed.success
    ? null
    : `an answer in another shape: ${JSON.stringify(parsed.error.issues.slice(0, 2))}`;
}

/** A redirect leads to a page of ours only. */
function astray(headers: Answer['headers']): string | null {
  const ours = 'http://localhost:3000';
  const { origin } = new URL(String(headers['location']), ours);
  return origin === ours ? null : `sends people on to ${origin}`;
}

function isRefusal(headers: Answer['headers'], body: string): boolean {
  const { error, code, message, requestId } = Object(json(body)) as Record<string, unknown>;
  return (
    String(headers['content-type']).includes('json') &&
    error === true &&
    Object.keys(errors).includes(String(code)) &&
    typeof message === 'string' &&
    typeof requestId === 'string'
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * How often each call or route answered with which status. A fuzzer whose requests are all refused
 * as unauthenticated tests nothing.
 */
export class Tally {
  readonly counts = new Map<string, Map<number, number>>();

  add(what: string, status: number): void {
    const statuses = this.counts.get(what) ?? new Map<number, number>();
    this.counts.set(what, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }

  /** Of all requests, those answered like this. */
  total(which: (status: number) => boolean = () => true): number {
    const all = [...this.counts.values()].flatMap((statuses) => Array.from(statuses));
    return all.filter(([status]) => which(status)).reduce((sum, [, count]) => sum + count, 0);
  }

  /** Those that never served a request. */
  neverServed(): string[] {
    return [...this.counts]
      .filter(([, statuses]) => ![...statuses.keys()].some(served))
      .map(([what]) => what);
  }
}

const served = (status: number) => status < 400;
