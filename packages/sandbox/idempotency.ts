// Idempotency keys like Stripe's: the first response, also a failed one, for 24 hours; parameters
// are compared. Which errors are stored: errors.ts.
import { createHash } from 'node:crypto';
import { withoutCard } from './cards.ts';
import { badParam, keyMisused } from './errors.ts';
import { type Args, isArgs, type Value } from './form.ts';
import type { Answer, Store } from './store.ts';

const kept = 24 * 3600 * 1000;

export interface Slot {
  replay: Answer | undefined;
  remember(answer: Answer): void;
}

export type Idempotency = ReturnType<typeof openIdempotency>;

export function openIdempotency(store: Store, now: () => number) {
  return {
    /** Throws when another request used the key. `remember` in the transaction of the work. */
    enter(scope: string, key: string, work: { method: string; path: string; args: Args }): Slot {
      const { method, path, args } = work;
      if (key.length > 255) throw badParam('Idempotency keys have at most 255 characters.');
      const name = `${scope} ${key}`;
      const fingerprint = hash(`${method} ${path} ${canonical(withoutCard(args))}`);
      const found = store.answer(name);
      const live = found && now() - found.at < kept ? found : undefined;
      if (live && live.fingerprint !== fingerprint) throw keyMisused(key);
      return {
        replay: live?.answer,
        remember: (answer) => store.remember(name, fingerprint, answer, now()),
      };
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function canonical(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isArgs(value)) return `[${value.map(canonical).join()}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? '')}`).join()}}`;
}
