// The API: routes, keys, idempotency and faults.
import {
  badParam,
  brokenInside,
  missing,
  rateLimited,
  Refusal,
  unauthorized,
  unknownUrl,
} from './errors.ts';
import type { Fault, Faults } from './faults.ts';
import { type Args, flag, group, integer, onlyKnown, text, texts } from './form.ts';
import type { Idempotency, Slot } from './idempotency.ts';
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  intentOf,
  publicPart,
  retrieveIntent,
  updateIntent,
} from './intents.ts';
import { createMethod } from './methods.ts';
import type { Event, Intent, Kind } from './objects.ts';
import { createRefund } from './refunds.ts';
import type { Answer, Store } from './store.ts';
import { withPending } from './webhooks.ts';
import { type Call, noRequest, randomId, type World } from './world.ts';

type Handler = (world: World, call: Call) => object;
interface Route {
  method: string;
  path: RegExp;
  /** Open to the publishable key, which then needs the client secret of the intent. */
  browser: boolean;
  handler: Handler;
}

const route = (method: string, path: string, handler: Handler, browser = false): Route => ({
  method,
  path: new RegExp(`^/v1/${path.replace(':id', '([A-Za-z0-9_]+)')}$`),
  handler,
  browser,
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
  /** The work is done, and the answer does not arrive. */
  lost: boolean;
}

const answerOf = (body: unknown, request: string, status = 200): Answer => ({
  status,
  body: JSON.stringify(body),
  request,
});
const answerTo = ({ status, body }: Refusal, request: string) =>
  answerOf({ error: body }, request, status);

export type Api = ReturnType<typeof openApi>;

export function openApi(world: World, keys: Keys, faults: Faults, idempotency: Idempotency) {
  return function handle(request: Request): Reply {
    const { method, path, args } = request;
    const struck = (...effects: string[]) => faults.strike(effects, method, path);
    const id = randomId('req_', 14);
    try {
      const { found, params } = findRoute(request);
      const key = keyOf(keys, request);
      if (key === 'publishable' && !found.browser)
        throw unauthorized(
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
          'secret_key_required',
        );
      const slot =
        method === 'POST' && request.idempotencyKey
          ? idempotency.enter(key, request.idempotencyKey, { method, path, args })
          : undefined;
      const early = struck('rate_limit', 'error_before')?.effect;
      if (early === 'rate_limit') throw rateLimited();
      if (early === 'error_before') throw brokenInside(false);
      const answer = slot?.replay ?? work();
      const lost = struck('lose_answer') !== undefined;
      return { answer, replayed: slot?.replay !== undefined, lost };

      function work(): Answer {
        const broken = struck('error_saved');
        const slowly = broken ? undefined : struck('processing');
        const { key: _, ...own } = args;
        const call: Call = { id: params, args: own, key, slowly };
        world.cause = { id, idempotency_key: request.idempotencyKey ?? null };
        try {
          return world.store.together(() => answerFor(call, found.handler, broken, slot));
        } finally {
          world.cause = noRequest;
        }
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { answer: answerTo(error, id), replayed: false, lost: false };
    }

    function answerFor(call: Call, handler: Handler, broken?: Fault, slot?: Slot): Answer {
      const isBrowser = call.key === 'publishable';
      let answer: Answer;
      let kept = true;
      try {
        // A refusal behind a 500 is not undone either, and not reported: that is the fault.
        const body = broken && !broken.work ? {} : handler(world, call);
        const shown = expand(world.store, isBrowser ? forBrowser(body) : body, call.args);
        answer = broken ? answerTo(brokenInside(true), id) : answerOf(shown, id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const refusal = broken ? brokenInside(true) : error;
        kept = refusal.kept;
        answer = answerTo(isBrowser ? forBrowserToo(refusal) : refusal, id);
      }
      if (kept) slot?.remember(answer);
      return answer;
    }
  };
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
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? text(args, 'key');
  if (!given) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (given === keys.secret) return 'secret';
  if (given === keys.publishable) return 'publishable';
  throw unauthorized(`Invalid API Key provided: ${given.slice(0, 8)}****`);
}

const isIntent = (body: unknown): body is Intent =>
  (body as Partial<Intent> | undefined)?.object === 'payment_intent';

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
    if (limit < 1 || limit > 100)
      throw badParam('Invalid limit: must be between 1 and 100', { param: 'limit' });
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
      missed: flag(args, 'delivery_success') === false,
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

/** Of an intent, or of each in a list, the whole charge: nothing else is expanded here. */
function expand(store: Store, body: object, args: Args): object {
  const paths = texts(args, 'expand')?.join() ?? '';
  const charged = (intent: Intent): object => ({
    ...intent,
    latest_charge: intent.latest_charge && store.get('charge', intent.latest_charge),
  });
  if (paths === '') return body;
  if (paths === 'latest_charge' && isIntent(body)) return charged(body);
  if (paths === 'data.latest_charge' && 'data' in body)
    return { ...body, data: (body.data as Intent[]).map(charged) };
  throw badParam(`This property cannot be expanded (${paths}).`, { param: 'expand' });
}
