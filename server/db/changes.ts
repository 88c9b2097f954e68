// Notifies this process of changes made by any process, with PostgreSQL's LISTEN/NOTIFY. The
// triggers that notify are in the migrations.
// Notifications can be missed; then a cached response is dropped later. Work that must not be lost
// is a job (jobs.ts).
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
      // No query is ever sent here, so only keepalive detects a lost server (within half a minute,
      // not two hours).
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
      // A standby refuses LISTEN (25006), so we never listen to a server that does not notify.
      await next.query('listen classes; listen people');
    } catch (error) {
      // The next try opens a new connection.
      next.removeAllListeners('end');
      await next.end();
      throw error;
    }
    client = next;
    // Changes during the gap are unknown: drop everything.
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
