// Lists and expansion, the same for every kind of object.
import { intentOf } from './demo.ts';
import { badParam, missing } from './errors.ts';
import { flag, integer, isArgs, onlyKnown, text, texts } from './form.ts';
import type { Args } from './form.ts';
import { withPending } from './events.ts';
import type { Event, Kind } from './objects.ts';
import type { Page, Store } from './store.ts';
import type { Call, World } from './world.ts';

const paging = ['limit', 'starting_after', 'ending_before', 'created'];
const filters: Record<Kind, string[]> = {
  payment_method: [],
  payment_intent: ['customer'],
  charge: ['payment_intent'],
  refund: ['payment_intent', 'charge'],
  dispute: ['payment_intent', 'charge'],
  event: ['type', 'types', 'delivery_success'],
};

export const listOf =
  (kind: Kind, url: string) =>
  (world: World, { args }: Call): object => {
    onlyKnown(args, [...paging, ...filters[kind]]);
    const limit = integer(args, 'limit') ?? 10;
    if (limit < 1 || limit > 100) {
      throw badParam('Invalid limit: must be between 1 and 100', {
        code: 'parameter_invalid_integer',
        param: 'limit',
      });
    }
    const page: Page = {
      kind,
      limit,
      created: readRange(args),
      parents: readParents(world, kind, args),
      delivered: kind === 'event' ? flag(args, 'delivery_success') : undefined,
      after: cursor(world.store, kind, args, 'starting_after'),
      before: cursor(world.store, kind, args, 'ending_before'),
    };
    const { things, more } = world.store.page(page);
    const data =
      kind === 'event' ? things.map((thing) => withPending(world.store, thing as Event)) : things;
    return { object: 'list', data, has_more: more, url };
  };

function cursor(store: Store, kind: Kind, args: Args, name: string): string | undefined {
  const id = text(args, name);
  if (id && !store.get(kind, id)) throw missing(kind, id, name);
  return id;
}

function readParents(world: World, kind: Kind, args: Args): string[] | undefined {
  if (kind === 'event') {
    const type = text(args, 'type');
    return type ? [type] : texts(args, 'types');
  }
  const charge = text(args, 'charge');
  if (charge) {
    const parent = world.store.get('charge', charge)?.payment_intent;
    if (!parent) throw missing('charge', charge, 'charge');
    return [parent];
  }
  const intent = text(args, 'payment_intent');
  if (intent && !intentOf(world, intent)) throw missing('payment_intent', intent, 'payment_intent');
  return intent ? [intent] : undefined;
}

function readRange(args: Args): Page['created'] {
  const created = args['created'];
  if (created === undefined) return undefined;
  if (!isArgs(created)) {
    const at = integer(args, 'created');
    return at === undefined ? undefined : { gte: at, lte: at };
  }
  const range: NonNullable<Page['created']> = {};
  for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
    const at = integer(created, name, `created[${name}]`);
    if (at !== undefined) range[name] = at;
  }
  return range;
}

type Shown = Record<string, unknown>;
const isShown = (value: unknown): value is Shown => typeof value === 'object' && value !== null;

/** Replaces ids with their objects where `expand` asks for it. */
export function expand(store: Store, body: object, args: Args): object {
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
