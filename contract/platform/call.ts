// The declaration of a call between browser and server. The route, the client, the types, the
// OpenAPI page and the access-matrix test are derived from it.
import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

export const roles = ['student', 'instructor', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * Who may call. It has no default: a call without it does not compile. `session` is the holder of
 * the identity provider's cookie: for /jwt and /users, which come before a token exists, and for
 * changes of the own sign-in under /auth. `self` means that the email in path, query or body must
 * be the caller's own. A list means that any one of them suffices.
 */
export type Access = 'public' | 'session' | 'signed-in' | 'self' | 'instructor' | 'admin';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `GET /classes/:id`: under /api, with `:name` for each part that is taken from the input. */
type CallId = `${Method} /${string}`;

interface CallSpec {
  does: string;
  access: Access | readonly Access[];
  /** One flat, closed object: path parts by name, the rest is the query or the JSON body. */
  input: z.ZodMiniType;
  /** A valid input, {} without one. Words stand for what tests make (checks/access/things.ts). */
  example?: Readonly<Record<string, unknown>>;
  response: z.ZodMiniType;
  /** Its own, besides those that every call may have. */
  errors?: readonly ErrorCode[];
  /**
   * The caller's address must be proven: a stranger who signed up with another's address must not
   * read or write about others, nor send mails in their name. It may book, pay and name a child.
   */
  proven?: true;
  status?: 200 | 201;
  /** A repeated request is answered with 200 and the same body instead of 201. */
  repeatable?: true;
  /** The response is a list; the number of all rows travels in the X-Total-Count header. */
  paged?: true;
  /** How often an account may call it in a minute, where that is not the rule for all (http/limits.ts). */
  perMinute?: number;
  /** Instead: how often in an hour. */
  perHour?: number;
  byCookie?: true;
  /** The handler answers an address of this site, to which the browser is sent with 302. */
  redirects?: true;
  /**
   * The call reads the header Idempotency-Key, a UUID. A repeated request with the same key creates
   * nothing. It is answered 200 with what the first one created, also when other fields differ.
   */
  idempotent?: true;
  /** For answers that are no JSON: a file as one text, or a stream that the handler writes. */
  media?: 'text/csv' | 'text/calendar' | 'text/event-stream';
  /** The body is a picture, and may be larger than other bodies. The rest is the query. */
  takes?: 'picture';
}

/** `id` names a call in query keys, logs and tests. */
type Named = { id: string; method: Method; path: string };
export type AnyCall = CallSpec & Named;

export type Input<C extends AnyCall> = z.input<C['input']>;
export type Parsed<C extends AnyCall> = z.output<C['input']>;
/** What a handler answers and a caller gets: of paged calls a page and the number of all. */
export type Answer<C extends AnyCall> = C extends { paged: true }
  ? { items: z.output<C['response']>; total: number }
  : z.output<C['response']>;

export function call<const S extends CallSpec>(id: CallId, spec: S): S & Named {
  const [method, path] = id.split(' ') as [Method, string];
  return { ...spec, id, method, path };
}

/**
 * A call of the identity provider. It reads and sets cookies, so a POST must come from our own
 * pages (403 otherwise). Public ones look nobody up, so they are counted by network. Answers are
 * never stored. Its input is a form: a message that is a sentence of its own stays as it is.
 */
export const callByCookie = <const S extends CallSpec>(id: CallId, spec: S) =>
  call(id, { ...spec, byCookie: true });

/** Whether the input that is not in the path is the query. Otherwise it is the JSON body. */
export const isInQuery = ({ method, takes }: Pick<AnyCall, 'method' | 'takes'>) =>
  method === 'GET' || method === 'DELETE' || takes !== undefined;

export const accessOf = ({ access }: Pick<AnyCall, 'access'>): readonly Access[] =>
  typeof access === 'string' ? [access] : access;

/** Every code with which a call may refuse, but for malformed requests, refused earlier. */
export function refusalsOf(call: AnyCall): Set<ErrorCode> {
  const guarded: ErrorCode[] = accessOf(call).includes('public')
    ? call.byCookie && call.method !== 'GET'
      ? ['FORBIDDEN']
      : []
    : ['UNAUTHENTICATED', 'FORBIDDEN'];
  const proof: ErrorCode[] = call.proven ? ['EMAIL_NOT_CONFIRMED'] : [];
  return new Set([
    'INVALID_INPUT',
    ...guarded,
    ...proof,
    ...(call.errors ?? []),
    'RATE_LIMITED',
    'UNAVAILABLE',
  ]);
}

/** A search is counted up to this; a total of one more says that there are more. */
export const counted = 10_000;

/** Fills a call's path from its input and returns the rest for the query or the body. */
export function address(call: Pick<AnyCall, 'path'>, input: object) {
  const rest: Record<string, unknown> = { ...input };
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path: `/api${path}`, rest };
}
