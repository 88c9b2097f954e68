// Uploaded pictures: who may upload what, what is stored, and what the chore forget-old deletes.
import { createHash } from 'node:crypto';
import type { Services } from '../platform/services.ts';
import { limits } from '../../contract/platform/limits.ts';
import {
  type PictureKind,
  type Uploaded,
  uploadAtSignUp,
  uploadPicture,
} from '../../contract/platform/pictures.ts';
import type { Role } from '../../contract/platform/call.ts';
import { type Db, execute, query, queryOne } from '../platform/db/connection.ts';
import { own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { ReadPicture } from '../platform/http/media.ts';
import { BadPicture, type MadePicture, type Pictures, TooManyPictures } from './decode.ts';

interface Outside {
  serve: (read: ReadPicture) => void;
  decoder: Pick<Pictures, 'make'>;
}

const { stored, daysUnused } = limits.picture;

const mayUpload: Record<PictureKind, readonly Role[]> = {
  person: ['student', 'instructor', 'admin'],
  class: ['instructor', 'admin'],
  academy: ['admin'],
};

export function pictures(services: Services, { serve, decoder }: Outside): void {
  const { on, db, write, system, ends } = services;
  // After the account, which shows no picture any more.
  ends.onErase(erasePictures);

  on(uploadPicture, async ({ kind }, { who, body }) => {
    if (!mayUpload[kind].includes(who.role)) fail('FORBIDDEN');
    const full = await query(db)`select from media where made_by = ${who.id} offset ${stored - 1}`;
    if (full.length > 0) fail('PICTURES_FULL');
    const made = await decode(decoder, body, kind);
    return write(who, async (db) => own(await store(db, made, { kind, madeBy: who.id })));
  });

  on(uploadAtSignUp, async (_input, { body }) => {
    const made = await decode(decoder, body, 'person');
    return system([], (db) => store(db, made, { kind: 'person', madeBy: null }));
  });

  serve(async ({ sha256, width, type }) => {
    const found = await queryOne<{ bytes: Buffer }>(db)`
      select file.bytes from media join media_file file on file.media_id = media.id
      where media.sha256 = ${Buffer.from(sha256, 'hex')} and file.width = ${width}
        and file.type = ${type}`;
    return found?.bytes ?? null;
  });
}

async function decode(
  decoder: Outside['decoder'],
  body: Buffer | undefined,
  kind: PictureKind,
): Promise<MadePicture> {
  if (!body?.length) fail('INVALID_INPUT', { field: 'picture', message: 'A picture is required.' });
  try {
    return await decoder.make(body, { wide: kind === 'academy' });
  } catch (error) {
    if (error instanceof BadPicture)
      fail('INVALID_INPUT', { field: 'picture', message: error.message });
    if (error instanceof TooManyPictures) fail('UNAVAILABLE', {}, 5);
    throw error;
  }
}

/** The same picture again is the same row, kept for another week. */
async function store(
  db: Db,
  { width, height, files }: MadePicture,
  { kind, madeBy }: { kind: PictureKind; madeBy: string | null },
): Promise<Uploaded> {
  const largest = files.find((file) => file.width === width && file.type === 'image/webp');
  const sha256 = createHash('sha256')
    .update(largest?.bytes ?? '')
    .digest();
  const rows = await query<{ id: string }>(db)`
    insert into media (sha256, kind, width, height, made_by)
    values (${sha256}, ${kind}, ${width}, ${height}, ${madeBy})
    on conflict (sha256) do update set kept_at = now() returning id`;
  for (const file of files)
    await execute(db)`insert into media_file (media_id, width, type, bytes)
      values (${rows[0]?.id}, ${file.width}, ${file.type}, ${Buffer.from(file.bytes)})
      on conflict do nothing`;
  return { url: `/media/${sha256.toString('hex')}/${width}.webp`, width, height };
}

/** A picture put to use at this moment is skipped, or its new `kept_at` is seen (keep_media). */
export async function forgetPictures(db: Db): Promise<void> {
  for (let deleted = most; deleted === most;)
    deleted = await execute(db)`
      delete from media where id in (
        select id from media
        where kept_at < now() - ${daysUnused} * interval '1 day'
          and not exists (select from media_in_use used where used.sha256 = media.sha256)
        limit ${most} for update skip locked)`;
}

const most = 500;

/** Of a deleted account: photos of the person go at once, pictures of classes stay with the class. */
async function erasePictures(
  db: Db,
  { id, image }: { id: string; image: string | null },
): Promise<void> {
  await execute(db)`
    delete from media where kind = 'person'
      and (made_by = ${id} or sha256 in (select media_named(${image ?? ''})))
      and not exists (select from media_in_use used where used.sha256 = media.sha256)`;
  await execute(db)`update media set made_by = null where made_by = ${id}`;
}
