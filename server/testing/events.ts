// A reader of server-sent events, as far as the tests need one.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface Event {
  event: string;
  data: unknown;
}

export type Stream = Awaited<ReturnType<typeof openStream>>;

const parsed = (block: string): Event[] => {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const event = line('event');
  return event ? [{ event, data: JSON.parse(line('data') ?? 'null') as unknown }] : [];
};

/** Resolves when the head has come. */
export async function openStream(origin: string, told: (event: Event) => void = () => undefined) {
  const request = get(`${origin}/api/live/seats`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  let rest = '';
  let ended = false;
  const events: Event[] = [];
  /** The last number of free seats that was told of each class. */
  const seats = new Map<string, [free: number, dates: number]>();
  request.on('error', () => undefined);
  response.on('error', () => undefined).on('close', () => (ended = true));
  response.setEncoding('utf8').on('data', (chunk: string) => {
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
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    /** Everything that came, in bytes as they were sent. */
    text: () => text,
    events: () => events,
    seats,
    /** Whether the server has ended it. */
    ended: () => ended,
    close: () => void request.destroy(),
  };
}
