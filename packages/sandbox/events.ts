// Events: writing and reading them. Delivery: webhooks.ts.
import type { Event, Thing } from './objects.ts';
import type { Store } from './store.ts';
import { apiVersion, randomId } from './world.ts';

export interface Cause {
  id: string | null;
  idempotency_key: string | null;
}

export const noRequest: Cause = { id: null, idempotency_key: null };

export function recordEvent(
  store: Store,
  now: number,
  cause: Cause,
  type: string,
  object: Thing,
  previous: object | undefined,
): Event {
  const event: Event = {
    id: randomId('evt_3'),
    object: 'event',
    api_version: apiVersion,
    created: Math.floor(now / 1000),
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: 0,
    request: cause,
    type,
  };
  store.insert(event, type);
  return event;
}

export const withPending = (store: Store, event: Event): Event => ({
  ...event,
  pending_webhooks: store.delivery(event.id)?.state === 'pending' ? 1 : 0,
});
