// The Fastify server: limits, headers, logs, one error shape, graceful close.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import type { Writable } from 'node:stream';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { ParserRefusals, refuseForeignHost } from './early.ts';
import { answerError, Refusal } from './fail.ts';
import { repeatedKey } from './json.ts';
import type { Memory } from './memory.ts';

declare module 'node:http' {
  interface IncomingMessage {
    nonce?: string;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * For the scripts and styles of the page in this response; the Content-Security-Policy names
     * it.
     */
    nonce: string;
  }
}

/**
 * While it is leaving, the process reports that it is not ready and closes each connection after
 * its response, so that it is not reused.
 */
export interface Door {
  leaving: boolean;
}

/** The web server, for parts outside this folder: they do not import Fastify. */
export type Server = FastifyInstance;

export interface ServerOptions {
  production: boolean;
  publicUrl: string;
  https: boolean;
  trustProxy: false | string | number;
  logLevel: string;
  logTo?: Writable;
  /** Whether the card form comes from Stripe; otherwise from the sandbox on our own origin. */
  realStripe: boolean;
  memory: Memory;
  door: Door;
  /** Refuse with 503 when the event loop lags, instead of letting all requests wait. */
  shedLoad: boolean;
}

// Paths and queries of the specification's calls contain emails, so the log has the route, never
// the URL.
const logged = (options: ServerOptions) => ({
  level: options.logLevel,
  base: { pid: process.pid },
  ...(options.logTo ? { stream: options.logTo } : {}),
  redact: {
    paths: [
      '*.authorization',
      '*.cookie',
      '*.password',
      '*.token',
      '*.client_secret',
      '*.clientSecret',
      '*.secret',
      'email',
      '*.email',
    ],
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

const masked = (text: string) => text.replace(/[^\s@"'<>(]+@[^\s@"'<>)]+/g, '[email]');

/**
 * Errors of the database and of mail servers carry rows and addresses: only the message is logged.
 */
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
// early.ts answers a request without a Host header, in our shape.
const requireHostHeader = false;

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const parserRefusals = new ParserRefusals();
  const app = fastify({
    serverFactory: (handler) => {
      const answer: RequestListener = (request, response) => {
        parserRefusals.note(request, response);
        if (refuseForeignHost(request, response, options)) return;
        if (options.door.leaving) response.setHeader('connection', 'close');
        if (!options.memory.serve(request, response)) handler(request, response);
      };
      // An unknown Expect header is ignored; Node would answer 417 in another shape than ours.
      return createHttpServer({ ...timeouts, requireHostHeader }, answer).on(
        'checkExpectation',
        answer,
      );
    },
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
    clientErrorHandler: (error, socket) => parserRefusals.answer(error, socket),
  });
  app.setErrorHandler(answerError);
  app.decorateRequest('nonce', {
    getter() {
      return nonceOf(this.raw);
    },
  });
  acceptOnlyJson(app);
  app.addHook('preClose', async () => void (options.door.leaving = true));
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const line = { req: request, res: reply, ms };
    if (reply.statusCode >= 500) request.log.error(line, 'answered');
    else request.log.debug(line, 'answered');
  });
  if (options.shedLoad)
    await app.register(underPressure, { maxEventLoopDelay: 2_000, retryAfter: 2 });
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: policy(options) },
    crossOriginEmbedderPolicy: false, // Stripe.js does not run cross-origin isolated
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: options.https
      ? { maxAge: 31_536_000, includeSubDomains: true }
      : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    );
  });
  await app.register(rateLimit, { global: false });
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] });
  return app;
}

const nonceOf = (request: IncomingMessage) =>
  (request.nonce ??= randomBytes(16).toString('base64'));

/** Addresses we trust to name the client, or the number of hops; none by default. */
function proxies(trust: ServerOptions['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

const nonce = (request: IncomingMessage) => `'nonce-${nonceOf(request)}'`;

function policy({ realStripe, https }: ServerOptions) {
  const stripeHosts = realStripe ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : [];
  return {
    defaultSrc: ["'none'"],
    scriptSrc: [nonce, "'strict-dynamic'", ...stripeHosts],
    connectSrc: ["'self'", ...(realStripe ? ['https://api.stripe.com'] : [])],
    frameSrc: realStripe ? [...stripeHosts, 'https://hooks.stripe.com'] : ["'self'"],
    imgSrc: ["'self'", 'https:', 'data:'],
    styleSrc: ["'self'", nonce],
    fontSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    ...(https ? { upgradeInsecureRequests: [] } : {}),
  };
}

/**
 * Closed to every other media type: a form of another site cannot send JSON without a preflight.
 */
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
