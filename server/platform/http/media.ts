// Serves uploaded pictures at /media/{sha256}/{width}.{avif|webp}. The address names the content,
// so a browser keeps it for a year. A small memory is in front of the database.
import type { FastifyInstance } from 'fastify';
import type { Changes } from '../db/changes.ts';
import { fail } from './fail.ts';
import { dataPolicy } from './protection.ts';

export interface PictureName {
  sha256: string;
  width: number;
  type: 'image/avif' | 'image/webp';
}

export type ReadPicture = (name: PictureName) => Promise<Buffer | null>;

const mostBytes = 16 * 1024 * 1024;

export function createKept(most = mostBytes) {
  const kept = new Map<string, Buffer>();
  let bytes = 0;
  return {
    bytes: () => bytes,
    get(name: string): Buffer | undefined {
      const found = kept.get(name);
      if (!found) return undefined;
      kept.delete(name);
      kept.set(name, found);
      return found;
    },
    forget(): void {
      kept.clear();
      bytes = 0;
    },
    keep(name: string, file: Buffer): void {
      if (kept.has(name)) return;
      kept.set(name, file);
      bytes += file.length;
      for (const [oldest, old] of kept) {
        if (bytes <= most) break;
        kept.delete(oldest);
        bytes -= old.length;
      }
    },
  };
}

/** A photo is erased with its account, which is a change of people. The memory forgets it, too. */
export function servePictures(
  app: FastifyInstance,
  changes: Pick<Changes, 'on'>,
  read: ReadPicture,
): void {
  const kept = createKept();
  let generation = 0;
  changes.on('people', () => {
    generation += 1;
    kept.forget();
  });
  // Other names under /media are files of the build.
  const url = '/media/:sha256(^[0-9a-f]{64}$)/:file(^[1-9]\\d{1,3}\\.(?:avif|webp)$)';
  app.get<{ Params: { sha256: string; file: string } }>(url, async (request, reply) => {
    const { sha256, file } = request.params;
    const [width, ending] = file.split('.');
    const type = ending === 'avif' ? 'image/avif' : 'image/webp';
    const name = `${sha256}/${file}`;
    const before = generation;
    const bytes = kept.get(name) ?? (await read({ sha256, width: Number(width), type }));
    if (!bytes) fail('NOT_FOUND');
    // What was read before a change may be erased by now.
    if (before === generation) kept.keep(name, bytes);
    const etag = `"${sha256.slice(0, 22)}-${file}"`;
    reply.headers({
      ...dataPolicy,
      'cache-control': 'public, max-age=31536000, immutable',
      // Programs that read mails show the logo on a page of theirs.
      'cross-origin-resource-policy': 'cross-origin',
      etag,
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(bytes);
  });
}
