// on(call, handler): authentication → rate limit → role → input → handler → only declared fields
// leave. Every declared call goes through it.
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  type Access,
  accessOf,
  type Answer,
  type AnyCall,
  isInQuery,
  type Parsed,
  refusalsOf,
  type Role,
} from '../../../contract/platform/call.ts';
import { id } from '../../../contract/platform/rules.ts';
import type { Channel } from '../db/changes.ts';
import { fail, readBy, Refusal, refuseField } from './fail.ts';
import { etagOf, json, type Memory, ofKept } from './memory.ts';
import { dataPolicy } from './protection.ts';
import { createBudget, takePictures } from './raw.ts';

/** Read from the session and user rows at every request, never from the token or the body. */
export interface Caller {
  id: string;
  email: string;
  name: string;
  role: Role;
  proven: boolean;
  sessionId: string;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

type Needed<C extends AnyCall> = C['access'] extends 'public' ? Caller | null : Caller;

export interface Context<C extends AnyCall> {
  who: Needed<C>;
  request: Asked;
  /** The Idempotency-Key of the request, for calls that read it. */
  key?: string | undefined;
  body?: Buffer | undefined;
  status: (code: 200 | 201) => void;
  /** Adds a Set-Cookie header, also to a refusal that follows. */
  setCookie: (line: string) => void;
  /** For streams: the response with our headers, which the handler writes and ends. */
  takeOver: () => ServerResponse;
}

export type Handler<C extends AnyCall> = (
  input: Parsed<C>,
  context: Context<C>,
) => Promise<Answer<C>>;
export type On = <C extends AnyCall>(call: C, handler: Handler<C>, remember?: Remembered) => void;

/** For public calls that answer everyone the same until something on these channels changes. */
export interface Remembered {
  channels: readonly Channel[];
  /** Whether a token could change the answer to this query; else it is kept for visitors only. */
  forSignedIn?: (query: Record<string, unknown>) => boolean;
}

export interface Gate {
  callerOf(request: Asked): Promise<Caller | null>;
  /** The holder of the identity provider's cookie, on a request from our own pages. */
  sessionHolderOf(request: Asked): Promise<Caller | null>;
  sameOrigin(request: Asked): boolean;
}

export interface OnOptions {
  /** In tests: a handler that refuses with a code that its call does not declare is an error. */
  onlyDeclared?: boolean;
}

export function createOn(
  app: FastifyInstance,
  gate: Gate,
  memory: Memory,
  options: OnOptions,
): { on: On; registered: string[] } {
  const registered: string[] = [];
  const protections = new WeakMap<FastifyRequest, OutgoingHttpHeaders>();

  const budget = createBudget();
  const limit = app.rateLimit();
  function limitOf({ perHour, perMinute: max }: AnyCall) {
    if (perHour) return app.rateLimit({ max: perHour, timeWindow: 3_600_000 });
    return max ? app.rateLimit({ max }) : limit;
  }

  const on: On = (call, handler, remember) => {
    registered.push(call.id);
    const access = accessOf(call);

    function refuseUnfit(who: Caller | null): void {
      if (access.includes('public')) return;
      if (!who) fail('UNAUTHENTICATED');
      if (!access.some((word) => roleSuffices(word, who))) fail('FORBIDDEN');
      if (call.proven && !who.proven) fail('EMAIL_NOT_CONFIRMED');
    }

    /** Public calls of the identity provider look nobody up, also with a session. */
    async function callerOf(request: FastifyRequest): Promise<Caller | null> {
      if (call.byCookie && call.method !== 'GET' && !gate.sameOrigin(request)) fail('FORBIDDEN');
      if (call.byCookie && access.includes('public')) return null;
      return access.includes('session') ? gate.sessionHolderOf(request) : gate.callerOf(request);
    }

    async function answerTo(request: FastifyRequest, reply: FastifyReply, input: unknown) {
      const who = request.caller;
      if (who && !mayName(access, who, input)) fail('FORBIDDEN');
      const context: Context<AnyCall> = {
        who: who as Needed<AnyCall>,
        request,
        key: call.idempotent && keyFrom(request),
        body: Buffer.isBuffer(request.body) ? request.body : undefined,
        status: (code) => void reply.code(code),
        setCookie: (line) => void reply.header('set-cookie', line),
        takeOver: () => takeOver(reply),
      };
      reply.code(call.status ?? 200);
      const answer = () => declaredOnly(call, () => handler(input as Parsed<typeof call>, context));
      const forSignedIn =
        remember?.forSignedIn?.(request.query as Record<string, unknown>) ?? false;
      if (!remember || (who && !forSignedIn)) return present(call, await answer(), reply);
      const { channels } = remember;
      const make = async (generation: number) => {
        const { items, ...total } = listOf(call, await answer());
        const body = JSON.stringify(call.response.parse(items));
        const protection = protections.get(request) ?? {};
        const about = { channels, generation, forSignedIn, protection, ...total };
        return { body, etag: memory.keep(request.url, body, about), ...total };
      };
      const made = who
        ? await make(memory.generation(channels))
        : await memory.share(request.url, channels, make);
      return sendKept(reply, made);
    }

    const route: RouteOptions = {
      method: call.method,
      url: `/api${call.path}`,
      // A stream without a body would be a connection that never ends.
      exposeHeadRoute: call.media !== 'text/event-stream',
      // Before the body is read: authentication, rate limit, role.
      onRequest: [
        async (request, reply) => {
          reply.headers(dataPolicy);
          // Now the reply has the security headers only (server.ts): a cached response gets them.
          if (remember) protections.set(request, reply.getHeaders() as OutgoingHttpHeaders);
          request.caller = await callerOf(request);
        },
        limitOf(call),
        async (request, reply) => {
          refuseUnfit(request.caller);
          if (request.caller || call.byCookie || !access.includes('public'))
            reply.header('cache-control', 'no-store');
        },
      ],
      handler: async (request, reply) => answerTo(request, reply, parseInput(call, request)),
    };
    if (call.takes) takePictures(app, route, budget);
    else app.route(route);
  };

  async function declaredOnly<T>(call: AnyCall, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (options.onlyDeclared && error instanceof Refusal && !refusalsOf(call).has(error.code))
        throw new Error(`${call.id} refuses with ${error.code}, which it does not declare`, {
          cause: error,
        });
      throw error;
    }
  }

  return { on, registered };
}

function roleSuffices(word: Access, who: Caller): boolean {
  return word === 'instructor' || word === 'admin' ? who.role === word : true;
}

/** `self`: an email in the input must be the caller's own. */
function mayName(access: readonly Access[], who: Caller, input: unknown): boolean {
  if (!access.includes('self')) return true;
  const { email } = input as { email?: string };
  return (
    email === undefined || email === who.email || (access.includes('admin') && who.role === 'admin')
  );
}

function parseInput(call: AnyCall, request: FastifyRequest): unknown {
  const params = request.params as Record<string, unknown>;
  const sent = isInQuery(call) ? request.query : (request.body ?? {});
  const refuse: (field: string, problem: string) => never = call.byCookie
    ? refuseForm
    : refuseField;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    refuse('', 'The body must be a JSON object.');
  const twice = Object.keys(params).find((name) => name in sent);
  if (twice) refuseField(twice, 'is in the path already');
  const read = readBy(call.input, { ...sent, ...params });
  if ('data' in read) return read.data;
  return refuse(
    read.field,
    read.problem ?? `is not a field of this ${call.byCookie ? 'form' : 'call'}`,
  );
}

const ownWords = /^(Name|Photo URL|Email|Password|Please|The|There) /;

/** Forms have the specification's messages, which are whole sentences. */
function refuseForm(field: string, problem: string): never {
  if (!field) fail('INVALID_INPUT', { message: problem });
  fail('INVALID_INPUT', {
    field,
    message: ownWords.test(problem) ? problem : `${field} ${problem}`,
  });
}

function keyFrom({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  return id.safeParse(key).data ?? refuseField('Idempotency-Key', 'must be a UUID');
}

function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  return reply.raw;
}

function sendKept(reply: FastifyReply, made: { body: string; etag: string; total?: string }) {
  const { body, etag, total } = made;
  if (total !== undefined) reply.header('x-total-count', total);
  reply.headers({ ...ofKept, etag });
  if (reply.request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(json).send(body);
}

function listOf(call: AnyCall, answer: unknown): { items: unknown; total?: string } {
  if (!call.paged) return { items: answer };
  const { items, total } = answer as { items: unknown; total: number };
  return { items, total: String(total) };
}

/** Parsing the response removes undeclared fields, so a column selected by mistake cannot leave. */
function present(call: AnyCall, answer: unknown, reply: FastifyReply): unknown {
  if (call.redirects) return reply.redirect(String(answer), 302);
  // The handler took over.
  if (reply.sent) return reply;
  if (call.media === 'text/calendar') return presentCalendar(String(answer), reply);
  if (call.media) {
    return reply
      .type(`${call.media}; charset=utf-8`)
      .header('content-disposition', 'attachment')
      .send(answer);
  }
  const { items, total } = listOf(call, answer);
  if (total !== undefined) reply.header('x-total-count', total);
  const body = call.response.parse(items);
  // Fastify would send no body for null.
  return body === null ? reply.type('application/json').send('null') : body;
}

/** Calendar programs read it again and again. Inline: a phone offers to add it. */
function presentCalendar(text: string, reply: FastifyReply) {
  const file = Buffer.from(text);
  const etag = etagOf(file);
  const known = reply.request.headers['if-none-match']?.split(',') ?? [];
  reply
    .headers({ etag, 'cache-control': 'private, no-cache' })
    .header('content-disposition', 'inline; filename="rally.ics"');
  if (known.some((each) => each.trim().replace(/^W\//, '') === etag)) return reply.code(304).send();
  return reply.type('text/calendar; charset=utf-8').send(file);
}
