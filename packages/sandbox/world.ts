// What every resource uses: the store, the clock, ids, and the sending of events.
import { randomBytes } from 'node:crypto';
import type { Args } from './form.ts';
import type { Event, Thing } from './objects.ts';
import type { Store } from './store.ts';

export interface Call {
  /** The id in the path, or '' if the path has none. */
  id: string;
  args: Args;
  /** The publishable key allows little, and only with a client secret. */
  key: 'secret' | 'publishable';
  /** Set by a fault: the payment stays `processing` for so long and then ends like this. */
  slowly?: { ms: number; outcome: 'succeed' | 'fail' } | undefined;
}

export interface World {
  store: Store;
  /** Milliseconds by the sandbox's own clock, which tests may advance. */
  now(): number;
  /** The request that causes the following events. */
  cause: Event['request'];
  emit(type: string, object: Thing, previous?: object): void;
  /** Does `work` (a name in sandbox.ts) to an object later, also after a restart. */
  later(ms: number, work: string, object: string): void;
}

export const noRequest: Event['request'] = { id: null, idempotency_key: null };

export const apiVersion = '2026-10-28.endive';

export const seconds = (world: World): number => Math.floor(world.now() / 1000);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomId(prefix: string, length = 24): string {
  let id = prefix;
  // The largest multiple of 62 in a byte: above it the first characters would be favoured.
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && id.length < prefix.length + length) id += letters[byte % 62];
    }
  }
  return id;
}
