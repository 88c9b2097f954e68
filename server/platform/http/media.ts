// Serves uploaded pictures at /media/{sha256}/{width}.{avif|webp}. The address names the content,
// so a browser keeps it for a year.
import type { FastifyInstance } from 'fastify';
import { fail } from './fail.ts';
import { dataPolicy } from './protection.ts';

export type ReadPicture = (name: {
  sha256: string;
  width: number;
  type: 'image/avif' | 'image/webp';
}) => Promise<Buffer | null>;

export function servePictures(app: FastifyInstance, read: ReadPicture): void {
  // Other names under /media are files of the build.
  const url = '/media/:sha256(^[0-9a-f]{64}$)/:file(^[1-9]\\d{1,3}\\.(?:avif|webp)$)';
  app.get<{ Params: { sha256: string; file: string } }>(url, async (request, reply) => {
    const { sha256, file } = request.params;
    const [width, ending] = file.split('.');
    const type = ending === 'avif' ? 'image/avif' : 'image/webp';
    const bytes = await read({ sha256, width: Number(width), type });
    if (!bytes) fail('NOT_FOUND');
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
