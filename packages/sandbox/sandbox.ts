// Connects the parts: createSandbox() starts a substitute for Stripe in this process. Command line:
// main.ts.
import type { AddressInfo } from 'node:net';
import { type Keys, openApi } from './api.ts';
import { openFaults } from './faults.ts';
import { openServer } from './http.ts';
import { openIdempotency } from './idempotency.ts';
import { openKnobs } from './knobs.ts';
import type { Event } from './objects.ts';
import { openPages } from './pages.ts';
import { openStore } from './store.ts';
import { type Endpoint, openWebhooks } from './webhooks.ts';
import { apiVersion, noRequest, randomId, seconds, type World } from './world.ts';
import { endProcessing } from './charging.ts';
import { endRefund } from './refunds.ts';
import { Refusal } from './errors.ts';

export interface SandboxOptions {
  /** 0 takes a free port. */
  port?: number;
  /** A file that outlives the process; without it, memory. */
  state?: string;
  secretKey?: string;
  publishableKey?: string;
}

export const defaultKeys: Keys = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox' };

export async function createSandbox(options: SandboxOptions = {}) {
  const { port = 0, state = ':memory:' } = options;
  const store = openStore(state);
  const keys: Keys = {
    secret: options.secretKey ?? defaultKeys.secret,
    publishable: options.publishableKey ?? defaultKeys.publishable,
  };
  const faults = openFaults();

  let ahead = Number(store.setting('clock_ahead') ?? 0);
  const now = () => Date.now() + ahead;

  const saved = store.setting('webhook');
  let endpoint = saved ? (JSON.parse(saved) as Endpoint) : undefined;
  const webhooks = openWebhooks(store, now, faults, () => endpoint);

  const world: World = {
    store,
    now,
    cause: noRequest,
    emit(type, object, previous) {
      const event: Event = {
        id: randomId('evt_3'),
        object: 'event',
        api_version: apiVersion,
        created: seconds(world),
        data: { object, ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 0,
        request: world.cause,
        type,
      };
      store.insert(event, type);
      webhooks.enqueue(event);
    },
    later(ms, work, object) {
      store.addTask(now() + ms, work, object);
      setImmediate(due.look);
    },
  };
  const due = openDue(world);
  const api = openApi(world, keys, faults, openIdempotency(store, now));
  const knobs = openKnobs(world, keys, faults, {
    advance(ms) {
      ahead += ms;
      store.set('clock_ahead', String(ahead));
      due.look();
      webhooks.pump();
    },
    pointTo(next) {
      endpoint = next;
      store.set('webhook', JSON.stringify(next));
      webhooks.pump();
    },
  });

  const server = openServer(api, knobs, openPages());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      store.close();
      reject(error);
    });
    server.listen(port, '127.0.0.1', 1024, resolve);
  });
  due.look();
  webhooks.pump();

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      due.stop();
      webhooks.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      store.close();
    },
  };
}

const works: Record<string, (world: World, object: string) => void> = {
  charge: (world, id) => endProcessing(world, id, 'charge'),
  decline: (world, id) => endProcessing(world, id, 'decline'),
  refund_succeeds: (world, id) => void endRefund(world, id, 'succeeded'),
};

function openDue(world: World) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function look(): void {
    if (stopped) return;
    clearTimeout(timer);
    for (const { seq, work, object } of world.store.dueTasks(world.now())) {
      world.store.together(() => {
        world.store.dropTask(seq);
        try {
          works[work]?.(world, object);
        } catch (error) {
          // The object has changed meanwhile (refunded twice, for example): nothing to do.
          if (!(error instanceof Refusal)) throw error;
        }
      });
    }
    const next = world.store.nextTaskAt();
    if (!next) return;
    timer = setTimeout(look, Math.min(Math.max(next - world.now(), 1), 3_600_000));
    timer.unref();
  }

  return {
    look,
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
