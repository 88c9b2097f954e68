// Tells this process what any process changed, through PostgreSQL's LISTEN/NOTIFY. The triggers
// that notify stand in the migrations.
// Not for: work that must not be lost (that is a job); a missed note only means that a memory is
// dropped a little later.
import { Client } from 'pg';

export type Channel = 'classes' | 'people';
type Listener = () => void;

export interface Changes {
  on(channel: Channel, listener: Listener): void;
  close(): Promise<void>;
}

export async function listenForChanges(url: string): Promise<Changes> {
  const listeners: Record<Channel, Listener[]> = { classes: [], people: [] };
  const tell = (channel: Channel) => listeners[channel].forEach((listener) => listener());
  let closed = false;
  let client: Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  async function listen() {
    const next = new Client({
      connectionString: url,
      application_name: 'rally-changes',
      connectionTimeoutMillis: 5_000,
      // Nothing is ever asked here, so only this tells that the other end has vanished (within half
      // a minute, not two hours).
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    next.on('notification', ({ channel }) => {
      if (channel === 'classes' || channel === 'people') tell(channel);
    });
    next.on('error', () => {});
    next.on('end', () => {
      client = null;
      if (!closed) again();
    });
    await next.connect();
    try {
      // A standby refuses this (25006), so we never listen to a server that will not notify.
      await next.query('listen classes; listen people');
    } catch (error) {
      // Another try opens another connection.
      next.removeAllListeners('end');
      await next.end();
      throw error;
    }
    client = next;
    // Whatever was said while nobody listened is unknown: forget everything.
    tell('classes');
    tell('people');
  }

  function again() {
    tell('classes');
    tell('people');
    clearTimeout(retry);
    retry = setTimeout(() => void listen().catch(() => again()), 500);
  }

  await listen();
  return {
    on: (channel, listener) => void listeners[channel].push(listener),
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
