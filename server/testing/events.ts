// A reader of server-sent events, as far as the tests need one.
import { type ClientRequest, get, type IncomingMessage } from 'node:http';

export interface Event {
  event: string;
  data: unknown;
}

export interface Stream {
  status: number;
  headers: IncomingMessage['headers'];
  /** Everything that came, in bytes as they were sent. */
  text: () => string;
  events: () => Event[];
  /** The last number of free seats that was told of each class. */
  seats: Map<string, [free: number, dates: number]>;
  /** Whether the server has ended it. */
  ended: () => boolean;
  close: () => void;
}

const parsed = (block: string): Event[] => {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const event = line('event');
  return event ? [{ event, data: JSON.parse(line('data') ?? 'null') as unknown }] : [];
};

/** Resolves when the head has come. */
export function openStream(
  origin: string,
  told: (event: Event) => void = () => undefined,
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = get(`${origin}/api/live/seats`, { agent: false }, (response) => {
      let text = '';
      let rest = '';
      let ended = false;
      const events: Event[] = [];
      const seats: Stream['seats'] = new Map();
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const event of blocks.flatMap(parsed)) {
          events.push(event);
          if (event.event === 'seats')
            for (const [id, now] of Object.entries(event.data as object))
              seats.set(id, now as [number, number]);
          told(event);
        }
      });
      response.on('error', () => undefined);
      response.on('close', () => (ended = true));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events: () => events,
        seats,
        ended: () => ended,
        close: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}
