// The Fastify server: limits, headers, logs, one error shape, graceful close.
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { Writable } from 'node:stream';
import compress from '@fastify/compress';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { answerError, Refusal } from './fail.ts';
import { limitCallers } from './limits.ts';
import type { Memory } from './memory.ts';
import { createProtection, nonceOf, protect, type ProtectionOptions } from './protection.ts';
import { ownPath } from '../../../contract/platform/ownpath.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the scripts and styles of this response's page; its policy names it. */
    nonce: string;
  }
  interface FastifyInstance {
    readonly timeZone: string;
  }
}

/** While it leaves, the process is not ready, and closes connections after their response. */
export interface Door {
  leaving: boolean;
}

/** The web server, for parts outside this folder: they do not import Fastify. */
export type Server = FastifyInstance;

export interface ServerOptions extends ProtectionOptions {
  trustProxy: false | string | number;
  rateLimit: boolean;
  logLevel: string;
  logTo?: Writable;
  memory: Memory;
  door: Door;
  zone?: () => string | null;
  /** Refuse with 503 when the event loop lags, instead of letting all requests wait. */
  shedLoad: boolean;
}

const secrets = 'authorization cookie password token client_secret clientSecret secret email'.split(
  ' ',
);

// Paths and queries contain emails, so the log has the route, never the URL.
const logged = (options: ServerOptions) => ({
  level: options.logLevel,
  base: { pid: process.pid },
  ...(options.logTo ? { stream: options.logTo } : {}),
  redact: {
    paths: [...secrets.map((name) => `*.${name}`), 'email'],
    censor: '[redacted]',
  },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: {
    req: (request: { method: string; routeOptions?: { url?: string | undefined } }) => ({
      method: request.method,
      route: request.routeOptions?.url ?? 'unknown',
    }),
    res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    err: plainError,
  },
});

// The bound keeps the time in proportion to the length of the text.
const masked = (text: string) => text.replace(/[^\s@"'<>(]{1,254}@[^\s@"'<>)]{1,254}/g, '[email]');

/** Errors of databases and mail servers carry rows and addresses: only their words are logged. */
function plainError(error: unknown) {
  // The log must not throw, whatever was thrown.
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { name, message, stack = '' } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { type: name, message: masked(message), code, stack: masked(stack) };
}

// A slow or silent client must not block a connection for others.
const timeouts = {
  connectionsCheckingInterval: 5_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
};

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    serverFactory: (handler) =>
      createHttpServer(timeouts, (request, response) => {
        // HTTP/1.1 takes a whole address as well; its host is the client's word, so it is dropped.
        request.url = request.url?.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';
        if (options.door.leaving) response.setHeader('connection', 'close');
        if (!options.memory.serve(request, response)) handler(request, response);
      }),
    logger: logged(options),
    genReqId: () => randomUUID(),
    // A request that arrives while we close is served: a rolling restart must fail no request.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: 64 * 1024,
    trustProxy: proxies(options.trustProxy),
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerError,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
  });
  app.setErrorHandler(answerError);
  app.decorate('timeZone', { getter: () => options.zone?.() ?? 'UTC' });
  app.decorateRequest('nonce', {
    getter() {
      return nonceOf(this.raw);
    },
  });
  acceptOnlyJson(app);
  app.addHook('preClose', async () => void (options.door.leaving = true));
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const line = { req: request, res: reply, ms };
    if (reply.statusCode === 503) request.log.warn(line, 'answered');
    else if (reply.statusCode >= 500) request.log.error(line, 'answered');
    else request.log.debug(line, 'answered');
    done();
  });
  if (options.shedLoad)
    await app.register(underPressure, { maxEventLoopDelay: 2_000, retryAfter: 2 });
  const protection = createProtection(options);
  app.addHook('onRequest', (request, reply, done) => {
    protect(protection, request.raw, reply.raw);
    // Before the body is read: no limit counts requests to unknown routes.
    done(request.is404 ? new Refusal('NOT_FOUND') : undefined);
  });
  await limitCallers(app, { isOn: options.rateLimit });
  await app.register(compress, {
    threshold: 1_024,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  refuseCompressed(app);
  return app;
}

/** Addresses we trust to name the client, or the number of hops; none by default. */
function proxies(trust: ServerOptions['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/** A small body could become a large one that the limits have not counted. */
function refuseCompressed(app: FastifyInstance) {
  app.addHook('preParsing', async ({ headers: { 'content-encoding': coding } }) => {
    if (coding !== undefined && coding !== 'identity')
      throw new Refusal('NOT_JSON', { message: 'The request body must not be compressed.' });
  });
}

/** Closed to every other media type: a form of another site cannot send JSON unasked. */
function acceptOnlyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {});
    else
      void parse(request, String(body), (error, value) => {
        const twice = error ? null : repeatedKey(String(body));
        if (twice === null) done(error, value);
        else
          done(new Refusal('INVALID_INPUT', { field: twice, message: `${twice} is given twice` }));
      });
  });
}

/** The first key that an object of a JSON text has twice, or null. JSON.parse has accepted it. */
export function repeatedKey(text: string): string | null {
  // The keys seen so far for every open object; null for every list.
  const open: (Set<string> | null)[] = [];
  const tokens = /[{}[\]]|("(?:[^"\\]|\\.)*")(\s*:)?/gs;
  for (const [token, written, colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (colon && written) {
      const key = JSON.parse(written) as string;
      const seen = open.at(-1);
      if (seen?.has(key)) return key;
      seen?.add(key);
    }
  }
  return null;
}

/** No handler needs another host: the browser gets Google's address in a JSON response. */
export function guardRedirects(app: FastifyInstance, origin: string): void {
  app.addHook('onSend', async (_request, reply) => {
    const location = reply.getHeader('location');
    if (location !== undefined) reply.header('location', ownPath(String(location), origin));
  });
}
