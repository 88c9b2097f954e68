// Uploaded pictures: who may upload how many, what is stored, and what the chore forget-old deletes.
// Not for: decoding (outside/pictures.ts) or the headers of a picture (http/media.ts).
import { createHash, createHmac } from 'node:crypto';
import type { Services } from '../../services.ts';
import { limits } from '../../../contract/limits.ts';
import {
  type PictureKind,
  ticketForPicture,
  type Uploaded,
  uploadPicture,
  uploadWithTicket,
} from '../../../contract/pictures.ts';
import type { Role } from '../../../contract/users.ts';
import { type Db, sql } from '../../db/connection.ts';
import { hashOf, newSecret } from '../../db/hashed.ts';
import { own } from '../../db/write.ts';
import { fail, Refusal } from '../../http/fail.ts';
import { networkOf } from '../../http/limits.ts';
import type { PictureName, ReadPicture } from '../../http/media.ts';
import type { Asked } from '../../http/on.ts';
import { createTurnsBy } from '../../http/turns.ts';
import {
  BadPicture,
  type MadePicture,
  type Pictures,
  TooManyPictures,
} from '../../outside/pictures.ts';

interface Outside {
  serve: (read: ReadPicture) => void;
  decoder: Pick<Pictures, 'make'>;
}

const { perHour, ticketsPerHour, stored, daysUnused } = limits.picture;

const mayUpload: Record<PictureKind, readonly Role[]> = {
  person: ['student', 'instructor', 'admin'],
  class: ['instructor', 'admin'],
  academy: ['admin'],
};

export function pictures(services: Services, { serve, decoder }: Outside): void {
  const { on, db, prepare, write, system, config, ends } = services;
  // After the account, which shows no picture any more.
  ends.onErase(erasePictures);
  const turnsOf = createTurnsBy({ atOnce: 1, mostWaiting: 4, refusal: 'RATE_LIMITED' });
  /**
   * Of one network, one picture is with the decoder. A picture may keep it busy until it is ended, and
   * only a few may wait for it.
   */
  const decoded = (body: Buffer | undefined, kind: PictureKind, { ip }: Asked) => {
    const work = () => decode(decoder, body, kind);
    return config.rateLimit ? turnsOf(networkOf(ip), work) : work();
  };

  on(uploadPicture, async ({ kind }, { who, body, request }) => {
    if (!mayUpload[kind].includes(who.role)) fail('FORBIDDEN');
    const by = `account ${who.id}`;
    // Only counted: the act is to store it.
    await system([who.id], async (db) => {
      await oneAtATime(db, by);
      await refuseFull(db, who.id);
      if (config.rateLimit) await refuseOften(db, sql`user_id = ${who.id}`, perHour);
      await sql`insert into media_upload (user_id, used_at) values (${who.id}, now())`.execute(db);
    });
    const made = await decoded(body, kind, request);
    return write(who, async (db) => {
      await oneAtATime(db, by);
      await refuseFull(db, who.id);
      return own(await store(db, made, { kind, madeBy: who.id }));
    });
  });

  on(ticketForPicture, async (_input, { request }) => {
    const place = placeOf(config.secret, request);
    const ticket = newSecret();
    await system([], async (db) => {
      await oneAtATime(db, `place ${place}`);
      if (config.rateLimit) await refuseOften(db, sql`place = ${place}`, ticketsPerHour);
      await sql`insert into media_upload (place, ticket) values (${place}, ${hashOf(ticket)})`.execute(
        db,
      );
    });
    return { ticket };
  });

  on(
    uploadWithTicket,
    async ({ ticket }, { body, request }) => {
      const made = await decoded(body, 'person', request).catch(async (error: unknown) => {
        if (isBusy(error)) await giveBack(ticket);
        throw error;
      });
      return system([], (db) => store(db, made, { kind: 'person', madeBy: null }));
    },
    undefined,
    // Before the 8 MB of a stranger are kept in memory.
    ({ ticket }, request) => useTicket(ticket, request),
  );

  /** Who is refused because the decoder is busy has only a few tickets, and no account yet. */
  const giveBack = (ticket: string) =>
    sql`update media_upload set used_at = null where ticket = ${hashOf(ticket)}`.execute(db);

  async function useTicket(ticket: string, request: Asked): Promise<void> {
    const { numAffectedRows } = await sql`
      update media_upload set used_at = now()
      where ticket = ${hashOf(ticket)} and place = ${placeOf(config.secret, request)}
        and used_at is null and made_at > now() - interval '1 hour'`.execute(db);
    if (numAffectedRows !== 1n) fail('BAD_TICKET', { field: 'ticket' });
  }

  const fileOf = prepare(
    'picture',
    (sha256: Buffer, width: number, type: PictureName['type']) => sql<{ bytes: Buffer }>`
      select file.bytes from media join media_file file on file.media_id = media.id
      where media.sha256 = ${sha256} and file.width = ${width} and file.type = ${type}`,
  );
  serve(async ({ sha256, width, type }) => {
    const [file] = await fileOf(Buffer.from(sha256, 'hex'), width, type);
    return file?.bytes ?? null;
  });
}

/** A keyed hash of the network of the address. */
const placeOf = (secret: string, { ip }: Asked) =>
  createHmac('sha256', secret)
    .update(`picture ${networkOf(ip)}`)
    .digest('base64url');

/** Uploads of one account or one network are counted one after the other. */
const oneAtATime = (db: Db, by: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`pictures ${by}`}, 0))`.execute(db);

async function refuseOften(db: Db, by: ReturnType<typeof sql>, most: number): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select ceil(extract(epoch from made_at + interval '1 hour' - now()))::int as wait
    from media_upload where ${by} and made_at > now() - interval '1 hour'
    order by made_at desc offset ${most - 1} limit 1`.execute(db);
  if (rows[0]) fail('RATE_LIMITED', {}, Math.max(1, rows[0].wait));
}

async function refuseFull(db: Db, userId: string): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from media where made_by = ${userId}`.execute(db);
  if ((rows[0]?.n ?? 0) >= stored) fail('PICTURES_FULL');
}

const isBusy = (error: unknown) =>
  error instanceof Refusal && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);

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
  const { rows } = await sql<{ id: string }>`
    insert into media (sha256, kind, width, height, made_by)
    values (${sha256}, ${kind}, ${width}, ${height}, ${madeBy})
    on conflict (sha256) do update set kept_at = now() returning id`.execute(db);
  for (const file of files)
    await sql`insert into media_file (media_id, width, type, bytes)
      values (${rows[0]?.id}, ${file.width}, ${file.type}, ${Buffer.from(file.bytes)})
      on conflict do nothing`.execute(db);
  return { url: `/media/${sha256.toString('hex')}/${width}.webp`, width, height };
}

/**
 * Of the chore forget-old. A picture that is put to use at this moment is skipped, or its new
 * `kept_at` is seen (trigger keep_media).
 */
export async function forgetPictures(db: Db): Promise<void> {
  for (let deleted = most; deleted === most;) {
    const { numAffectedRows } = await sql`
      delete from media where id in (
        select id from media
        where kept_at < now() - ${daysUnused} * interval '1 day'
          and not exists (select from media_in_use used where used.sha256 = media.sha256)
        limit ${most} for update skip locked)`.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
  await sql`delete from media_upload where made_at < now() - interval '1 day'`.execute(db);
}

const most = 500;

/**
 * Of an account that is deleted: the photos of a person are erased at once, pictures of classes stay
 * with the class. Called when the profile no longer names its photo (`image` is what it named).
 */
async function erasePictures(
  db: Db,
  { id, image }: { id: string; image: string | null },
): Promise<void> {
  await sql`
    delete from media where kind = 'person'
      and (made_by = ${id} or sha256 in (select media_named(${image ?? ''})))
      and not exists (select from media_in_use used where used.sha256 = media.sha256)`.execute(db);
  await sql`update media set made_by = null where made_by = ${id}`.execute(db);
  await sql`delete from media_upload where user_id = ${id}`.execute(db);
}
