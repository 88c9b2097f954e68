// Webhook events of the card provider. POST /webhooks/stripe stores the event and answers; a worker
// handles it. Only an event that is `done` counts as a duplicate. What an event means for a
// payment: provider/sync.ts, refunds/disputes.ts.
import type { Services } from '../../platform/services.ts';
import { type Db, type RowOf, execute, queryOne, sql } from '../../platform/db/connection.ts';
import { backOff, lease } from '../../platform/db/lease.ts';
import { fail } from '../../platform/http/fail.ts';
import { type CardEvent, isKnownType } from '../../platform/cards.ts';
import type { Sync } from './sync.ts';
import type { SyncRefunds } from '../refunds/disputes.ts';

export type Events = ReturnType<typeof createEvents>;

export function createEvents({
  onRaw,
  db,
  system,
  cards,
  jobs,
  sync,
  syncRefunds,
  log,
}: Services & { sync: Sync; syncRefunds: SyncRefunds }) {
  onRaw('/api/webhooks/stripe', async ({ body, header }) => {
    const event = cards.readEvent(body, header('stripe-signature'));
    if (!event) fail('BAD_SIGNATURE');
    if (event.foreign)
      log.warn({ eventId: event.id }, 'an event of another mode or account was ignored');
    else await note(event);
    return { received: true };
  });

  async function note(event: CardEvent): Promise<void> {
    if (!isKnownType(event.type) || event.intentId === null) return;
    await system([], async (db) => {
      if (await writeDown(db, event)) await jobs.send(db, 'settle-event', { eventId: event.id });
    });
  }

  /** Handles the events that are due, or one of them. Returns how many were leased. */
  async function work(eventId?: string): Promise<number> {
    const events = await takeEvents(db, 20, eventId);
    for (const event of events) {
      try {
        await sync(event.objectId);
        if (!event.type.startsWith('payment_intent.')) await syncRefunds(event.objectId);
        await execute(db)`
          update stripe_event set state = 'done', done_at = now(), last_error = null where event_id = ${event.eventId}`;
      } catch (error) {
        await failed(event, error);
      }
    }
    return events.length;
  }

  async function failed(event: Taken, error: unknown): Promise<void> {
    const said = error instanceof Error ? error.message : String(error);
    if (event.old)
      log.error({ eventId: event.eventId, err: error }, 'ALARM: an event cannot be handled');
    await execute(db)`
      update stripe_event set state = 'failed', last_error = ${said.slice(0, 500)}, attempts = attempts + 1,
        next_try = ${backOff('attempts', '1 hour')}
      where event_id = ${event.eventId}`;
  }

  return { work, note };
}

/**
 * False for an event that is already stored. A failed event becomes due at once, because the
 * provider just sent it again.
 */
async function writeDown(db: Db, event: CardEvent): Promise<boolean> {
  const added = await execute(db)`
    insert into stripe_event (event_id, type, object_id) values (${event.id}, ${event.type}, ${event.intentId})
    on conflict do nothing`;
  if (added === 1) return true;
  // No ON CONFLICT DO UPDATE: it always locks the row, and the worker would skip it.
  return dueAgain(db, event.id);
}

async function dueAgain(db: Db, eventId: string): Promise<boolean> {
  const due = await execute(db)`
    update stripe_event set next_try = least(next_try, now()) where event_id = ${eventId} and state = 'failed'`;
  return due === 1;
}

/** An admin asks for another try. Null: there is no such event. */
export async function tryEventAgain(db: Db, eventId: string): Promise<'due' | 'not failed' | null> {
  if (!(await queryOne(db)`select from stripe_event where event_id = ${eventId}`)) return null;
  return (await dueAgain(db, eventId)) ? 'due' : 'not failed';
}

interface Taken extends RowOf<'stripeEvent', 'eventId' | 'type' | 'objectId'> {
  old: boolean;
}

/** Only a failure delays an event longer than the lease (decision 22). */
const takeEvents = (db: Db, most: number, eventId?: string): Promise<Taken[]> =>
  lease<Taken>(db, {
    table: 'stripe_event',
    key: 'event_id',
    where: sql`state <> 'done'`,
    clock: 'next_try',
    leaseSeconds: 30,
    most,
    only: eventId,
    returning: sql`stripe_event.event_id, type, object_id, received_at < now() - interval '5 minutes' as old`,
  });

/** The provider repeats an event for three days and shows it for thirty. */
export const forgetEvents = (db: Db) =>
  execute(db)`
      delete from stripe_event where state = 'done' and done_at < now() - interval '60 days'`;
