// Cached responses: public GETs and pages, whose bytes do not depend on the caller, are kept with
// ETag and compressed forms until a change is notified. They are served before Fastify runs.
import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Changes, Channel } from '../db/changes.ts';

interface Kept {
  channels: readonly Channel[];
  /** Also for requests with a token: the response does not depend on it. */
  forSignedIn: boolean;
  etag: string;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  compressed: Partial<Record<Coding, Buffer | null>>;
}

export type Memory = ReturnType<typeof createMemory>;

interface About {
  channels: readonly Channel[];
  generation: number;
  forSignedIn: boolean;
  protection: OutgoingHttpHeaders;
  total?: string;
  type?: string;
}

/** Enough for every filter in use; beyond either of them the oldest is dropped. */
const places = 1_000;
const mostBytes = 48 * 1024 * 1024;

export const json = 'application/json; charset=utf-8';

/** Of a kept answer, and of the same answer while it is made. */
export const ofKept = { 'cache-control': 'no-cache', vary: 'accept-encoding, authorization' };

/** Listed in Accept-Encoding as a word of its own, and not with the weight 0, which means never. */
const named = (coding: string) =>
  new RegExp(String.raw`(?:^|,)\s*${coding}\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))`, 'i');
const wants = { br: named('br'), gzip: named('gzip') };
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, quality),
  gzip: (body: Buffer) => promisify(gzip)(body),
};
type Coding = keyof typeof wants;
const codings: readonly Coding[] = ['br', 'gzip'];

/** Not a matter of security, and SHA-1 takes half the time of SHA-256. */
export const etagOf = (body: string | Buffer) =>
  `"${createHash('sha1').update(body).digest('base64url').slice(0, 22)}"`;

export function createMemory(changes: Pick<Changes, 'on' | 'seatsWait'>) {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (url: string) => {
    bytes -= kept.get(url)?.body.length ?? 0;
    kept.delete(url);
  };
  const generations: Record<Channel, number> = { classes: 0, people: 0, seats: 0 };
  for (const channel of ['classes', 'people', 'seats'] as const) {
    changes.on(channel, () => {
      generations[channel]++;
      for (const [url, answer] of kept) if (answer.channels.includes(channel)) drop(url);
    });
  }

  /** Only signed-in users claim seats. Each must see their own claim at once. */
  const isForSignedIn = ({ forSignedIn, channels }: Kept) =>
    forSignedIn && !(channels.includes('seats') && changes.seatsWait());

  /** How many changes were notified. What was read before a change is not kept after it. */
  const generation = (channels: readonly Channel[]) =>
    channels.reduce((sum, channel) => sum + generations[channel], 0);
  const underWay = new Map<string, Promise<unknown>>();

  return {
    /** Serves what is kept for the URL, or returns false and leaves the request to Fastify. */
    serve(request: IncomingMessage, response: ServerResponse, url = request.url ?? '') {
      const answer = kept.get(url);
      if (!answer || request.method !== 'GET') return false;
      if (request.headers.authorization !== undefined && !isForSignedIn(answer)) return false;
      if (request.headers['if-none-match'] === answer.etag) {
        response.writeHead(304, answer.headers).end();
        return true;
      }
      const accepted = request.headers['accept-encoding'] ?? '';
      const wanted = codings.filter((coding) => wants[coding].test(accepted));
      const coding = wanted.find((each) => answer.compressed[each]);
      if (wanted[0]) compress(answer, wanted[0]);
      send(response, answer, (coding && answer.compressed[coding]) ?? answer.body, coding);
      return true;
    },

    generation,

    /** Who asks for the same at once waits for one answer, none that was begun before a change. */
    share<T>(url: string, channels: readonly Channel[], make: (generation: number) => Promise<T>) {
      const now = generation(channels);
      const key = `${now} ${url}`;
      // Of one address, so of one type.
      const begun = underWay.get(key) as Promise<T> | undefined;
      if (begun) return begun;
      const made = make(now).finally(() => underWay.delete(key));
      underWay.set(key, made);
      return made;
    },

    keep(url: string, text: string, about: About) {
      const { channels, generation: read, forSignedIn, protection, total, type = json } = about;
      const body = Buffer.from(text);
      const etag = etagOf(body);
      if (read !== generation(channels)) return etag;
      drop(url);
      for (const oldest of kept.keys()) {
        if (kept.size < places && bytes + body.length <= mostBytes) break;
        drop(oldest);
      }
      const headers = {
        ...protection,
        ...ofKept,
        'content-type': type,
        etag,
        ...(total === undefined ? {} : { 'x-total-count': total }),
      };
      const answer: Kept = { channels, forSignedIn, etag, body, headers, compressed: {} };
      kept.set(url, answer);
      bytes += body.length;
      // What nearly every browser takes; another form when it is asked for.
      compress(answer, 'br');
      return etag;
    },
  };
}

function send(response: ServerResponse, { headers }: Kept, body: Buffer, encoding?: string) {
  response.writeHead(200, {
    ...headers,
    'content-length': body.length,
    ...(encoding ? { 'content-encoding': encoding } : {}),
  });
  response.end(body);
}

/** Once per change and off the event loop; until then the plain bytes are sent. */
function compress({ body, compressed }: Kept, coding: Coding): void {
  if (body.length <= 1_024 || coding in compressed) return;
  compressed[coding] = null;
  void compressors[coding](body).then((bytes) => (compressed[coding] = bytes));
}
