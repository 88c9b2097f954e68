// The API: routes, keys, idempotency and faults.
import { type Answer, answerOf, answerTo } from './answer.ts';
import {
  badParam,
  brokenInside,
  missing,
  rateLimited,
  Refusal,
  unauthorized,
  unknownUrl,
} from './errors.ts';
import { type Cause, noRequest, withPending } from './events.ts';
import type { Fault, Faults } from './faults.ts';
import { type Args, flag, group, integer, onlyKnown, text, texts } from './form.ts';
import type { Idempotency, Slot } from './idempotency.ts';
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  publicPart,
  retrieveIntent,
  updateIntent,
} from './intents.ts';
import { createMethod } from './methods.ts';
import type { Event, Intent, Kind } from './objects.ts';
import { createRefund } from './refunds.ts';
import { type Call, randomId, type World } from './world.ts';
import { intentOf } from './demo.ts';
import type { Store } from './store.ts';

type Handler = (world: World, call: Call) => object;
interface Route {
  method: string;
  path: RegExp;
  /** Open to the publishable key, which then needs the client secret of the intent. */
  browser?: true;
  handler: Handler;
}

const route = (method: string, path: string, handler: Handler, browser?: true): Route => ({
  method,
  path: new RegExp(`^/v1/${path.replace(':id', '([A-Za-z0-9_]+)')}$`),
  handler,
  ...(browser ? { browser } : {}),
});

const routes: Route[] = [
  route('POST', 'payment_methods', createMethod, true),
  route('POST', 'payment_intents', createIntent),
  route('GET', 'payment_intents', listOf('payment_intent', '/v1/payment_intents')),
  route('GET', 'payment_intents/:id', retrieveIntent, true),
  route('POST', 'payment_intents/:id', updateIntent),
  route('POST', 'payment_intents/:id/confirm', confirmIntent, true),
  route('POST', 'payment_intents/:id/cancel', cancelIntent),
  route('GET', 'charges', listOf('charge', '/v1/charges')),
  route('POST', 'refunds', createRefund),
  route('GET', 'refunds', listOf('refund', '/v1/refunds')),
  route('GET', 'disputes', listOf('dispute', '/v1/disputes')),
  route('GET', 'events', listOf('event', '/v1/events')),
];

export interface Keys {
  secret: string;
  publishable: string;
}

export interface Request {
  method: string;
  /** Without the `/sandbox` prefix, if there was one. */
  path: string;
  args: Args;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
}

export interface Reply {
  answer: Answer;
  replayed: boolean;
  fate: 'sent' | 'lost' | 'reset';
}

export type Api = ReturnType<typeof openApi>;

/** `because` sets the request that caused the following events. */
export function openApi(
  world: World,
  keys: Keys,
  faults: Faults,
  idempotency: Idempotency,
  because: (cause: Cause) => void,
) {
  const onCall = ({ method, path }: Request, ...effects: string[]) =>
    faults.onCall(effects, method, path);

  return function handle(request: Request): Reply {
    const id = randomId('req_', 14);
    let slot: Slot | undefined;
    try {
      const { found, params } = findRoute(request);
      const key = keyOf(keys, request);
      if (key === 'publishable' && !found.browser) {
        throw unauthorized(
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
          'secret_key_required',
        );
      }
      if (request.method === 'POST' && request.idempotencyKey) {
        const { method, path, args } = request;
        slot = idempotency.enter(key, request.idempotencyKey, { method, path, args });
      }
      const early = onCall(request, 'reset', 'rate_limit', 'error_before');
      if (early?.effect === 'reset')
        return { answer: answerTo(brokenInside(false), id), replayed: false, fate: 'reset' };
      if (early?.effect === 'rate_limit') throw rateLimited();
      if (early?.effect === 'error_before') throw brokenInside(false);
      const answer = slot?.replay ?? work(request, found, params, key, id, slot);
      const lost = onCall(request, 'lose_answer');
      return { answer, replayed: slot?.replay !== undefined, fate: lost ? 'lost' : 'sent' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { answer: answerTo(error, id), replayed: false, fate: 'sent' };
    }
  };

  function work(
    request: Request,
    found: Route,
    id: string,
    key: Call['key'],
    requestId: string,
    slot?: Slot,
  ): Answer {
    const { key: _, ...args } = request.args;
    const broken = onCall(request, 'error_saved');
    const slowly = broken ? undefined : onCall(request, 'processing');
    const call: Call = { id, args, key, ...(slowly ? { slowly } : {}) };
    because({ id: requestId, idempotency_key: request.idempotencyKey ?? null });
    try {
      return world.store.together(() => answerFor(call, found, broken, requestId, slot));
    } finally {
      because(noRequest);
    }
  }

  function answerFor(
    call: Call,
    found: Route,
    broken: Fault | undefined,
    requestId: string,
    slot: Slot | undefined,
  ): Answer {
    const { key, args } = call;
    let answer: Answer;
    let kept = true;
    try {
      // A refusal behind a 500 is not undone either, and not reported: that is the fault.
      const body = broken && !broken.work ? {} : found.handler(world, call);
      const shown = expand(world.store, key === 'publishable' ? forBrowser(body) : body, args);
      answer = broken ? answerTo(brokenInside(true), requestId) : answerOf(shown, requestId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const refusal = broken ? brokenInside(true) : error;
      kept = refusal.kept;
      answer = answerTo(key === 'publishable' ? forBrowserToo(refusal) : refusal, requestId);
    }
    if (kept) slot?.remember(answer);
    return answer;
  }
}

function findRoute({ method, path }: Request): { found: Route; params: string } {
  for (const one of routes) {
    const match = one.method === method ? one.path.exec(path) : null;
    if (match) return { found: one, params: match[1] ?? '' };
  }
  throw unknownUrl(method, path);
}

export function keyOf(
  keys: Keys,
  { authorization, args }: Pick<Request, 'authorization' | 'args'>,
): Call['key'] {
  const given = keyIn(authorization) ?? text(args, 'key');
  if (!given) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (given === keys.secret) return 'secret';
  if (given === keys.publishable) return 'publishable';
  throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}****`);
}

function keyIn(authorization: string | undefined): string | undefined {
  const [scheme, value] = authorization?.split(' ') ?? [];
  if (!scheme || !value) return undefined;
  if (scheme.toLowerCase() === 'bearer') return value;
  return scheme.toLowerCase() === 'basic'
    ? Buffer.from(value, 'base64').toString().split(':')[0]
    : undefined;
}

const isIntent = (body: unknown): body is Intent =>
  typeof body === 'object' && body !== null && 'object' in body && body.object === 'payment_intent';

const forBrowser = (body: object): object => (isIntent(body) ? publicPart(body) : body);

function forBrowserToo(refusal: Refusal): Refusal {
  const { payment_intent: intent } = refusal.body;
  if (!isIntent(intent)) return refusal;
  return new Refusal(
    refusal.status,
    { ...refusal.body, payment_intent: publicPart(intent) },
    refusal.kept,
  );
}

const filters: Partial<Record<Kind, string[]>> = {
  charge: ['payment_intent'],
  refund: ['payment_intent'],
  dispute: ['payment_intent'],
  event: ['types', 'delivery_success'],
};

function listOf(kind: Kind, url: string) {
  return (world: World, { args }: Call): object => {
    onlyKnown(args, ['limit', 'starting_after', 'created', ...(filters[kind] ?? [])]);
    const limit = integer(args, 'limit') ?? 10;
    if (limit < 1 || limit > 100) {
      throw badParam('Invalid limit: must be between 1 and 100', {
        code: 'parameter_invalid_integer',
        param: 'limit',
      });
    }
    const after = text(args, 'starting_after');
    if (after && !world.store.get(kind, after)) throw missing(kind, after, 'starting_after');
    const created = group(args, 'created') ?? {};
    onlyKnown(created, ['gte']);
    const { things, more } = world.store.page({
      kind,
      limit,
      after,
      since: integer(created, 'gte'),
      parents: readParents(world, kind, args),
      delivered: flag(args, 'delivery_success'),
    });
    const data =
      kind === 'event' ? things.map((thing) => withPending(world.store, thing as Event)) : things;
    return { object: 'list', data, has_more: more, url };
  };
}

function readParents(world: World, kind: Kind, args: Args): string[] | undefined {
  if (kind === 'event') return texts(args, 'types');
  const intent = text(args, 'payment_intent');
  if (intent && !intentOf(world, intent)) throw missing('payment_intent', intent, 'payment_intent');
  return intent ? [intent] : undefined;
}

type Shown = Record<string, unknown>;
const isShown = (value: unknown): value is Shown => typeof value === 'object' && value !== null;

function expand(store: Store, body: object, args: Args): object {
  const paths = texts(args, 'expand') ?? [];
  if (paths.length === 0) return body;
  const copy = structuredClone(body) as Shown;
  for (const path of paths) expandPath(store, copy, path.split('.'), path);
  return copy;
}

function expandPath(store: Store, at: unknown, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return;
  if (Array.isArray(at)) {
    for (const item of at) expandPath(store, item, [name, ...rest], path);
    return;
  }
  if (!isShown(at) || !(name in at)) {
    throw badParam(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  const value = at[name];
  if (typeof value === 'string') {
    const found = store.any(value);
    if (!found) throw badParam(`This property cannot be expanded (${path}).`, { param: 'expand' });
    at[name] = found;
  }
  if (at[name] !== null) expandPath(store, at[name], rest, path);
}
