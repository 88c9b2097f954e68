// Uploading: who may, how often, what is stored, who serves it, and what is deleted when. Decoding:
// server/academy/decode.test.ts.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { limits } from '../../contract/platform/limits.ts';
import { uploadAtSignUp, uploadPicture } from '../../contract/platform/pictures.ts';
import { appOn, type TestApp, testApp } from '../testing/app.ts';
import { execute, query, queryOne } from '../platform/db/connection.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { anSvg, aPicture, sendPicture } from '../testing/pictures.ts';
import { aConfirmedMember, goodPassword } from '../testing/visitor.ts';
import { forgetPictures } from './pictures.ts';

const app = await testApp();

const upload = async (
  { token }: TestUser,
  { bytes, kind = 'person', on = app }: { bytes?: Buffer; kind?: string; on?: TestApp } = {},
) => {
  const sent = bytes ?? (await aPicture());
  return sendPicture(on, uploadPicture, { kind: kind as 'person' }, { bytes: sent, token });
};
const hashIn = (url: string) => url.split('/')[2] ?? '';
const isStored = async (url: string) =>
  (await query(app.db)`select from media where encode(sha256, 'hex') = ${hashIn(url)}`).length ===
  1;
const get = (url: string, on = app) => on.ask({ url });

let rows = 0;
/** As if it had been uploaded. */
async function made(kind = 'academy', by: string | null = null) {
  const sha256 = (rows += 1).toString(16).padStart(64, '0');
  await execute(app.db)`
    with row as (insert into media (sha256, kind, width, height, made_by)
      values (decode(${sha256}, 'hex'), ${kind}, 40, 30, ${by}) returning id)
    insert into media_file (media_id, width, type, bytes) select id, 40, 'image/webp', 'x' from row`;
  return `/media/${sha256}/40.webp`;
}
const age = (days: number) =>
  execute(app.db)`update media set kept_at = now() - make_interval(days => ${days})`;
const wears = ({ id }: { id: string }, img: string) =>
  execute(app.db)`update class set img = ${img} where id = ${id}`;
const klassWith = async (img: string) => {
  const klass = await aClass(app);
  await wears(klass, img);
  return klass;
};

/** The chore looks while a class that shows the picture is not committed yet. */
const raced = async () => {
  const url = await made();
  const { id } = await aClass(app);
  await age(8);
  const writer = await app.pool.connect();
  await writer.query('begin');
  await writer.query('update class set img = $1 where id = $2', [url, id]);
  await forgetPictures(app.db);
  await writer.query('commit');
  writer.release();
  return isStored(url);
};

describe('an upload', () => {
  it('answers its address, which every process serves', async () => {
    const who = await aUser(app);
    const bytes = await aPicture({ width: 100, height: 60 });
    const { status, body } = await upload(who, { bytes });
    expect([status, body]).toEqual([
      201,
      { url: expect.stringMatching(/^\/media\/[0-9a-f]{64}\/100\.webp$/), width: 100, height: 60 },
    ]);
    const other = await appOn(app.url);
    try {
      for (const file of ['96.avif', '96.webp', '100.avif', '100.webp']) {
        const served = await get(body.url.replace('100.webp', file), other);
        expect([served.statusCode, served.headers['content-type']]).toEqual([
          200,
          `image/${file.split('.')[1]}`,
        ]);
        expect(served.headers['x-content-type-options']).toBe('nosniff');
      }
      expect((await get(body.url.replace('100', '960'), other)).statusCode).toBe(404);
    } finally {
      await other.close();
    }
    expect((await upload(await aUser(app), { bytes })).body.url).toBe(body.url);
  });

  it.each([
    ['9 MB', Buffer.alloc(9 * 1024 * 1024, 'x'), 413, 'The picture must have at most 8 MB.'],
    ['nothing', Buffer.alloc(0), 400, 'A picture is required.'],
  ])('of %s is refused, with a sentence and the field', async (_what, bytes, status, words) => {
    const refused = await upload(await aUser(app), { bytes });
    expect(refused).toMatchObject({
      status,
      body: { field: 'picture', message: expect.stringContaining(words) },
    });
  });

  it('of a class is for staff, one of the academy for admins', async () => {
    const people = [await aUser(app), await anInstructor(app), await anAdmin(app)];
    const answers = (kind: string) =>
      Promise.all(
        people.map(async (who) => {
          const { body } = await upload(who, { kind, bytes: anSvg });
          return body.field ?? body.code;
        }),
      );
    // Refused only for what it is.
    expect(await answers('person')).toEqual(['picture', 'picture', 'picture']);
    expect(await answers('class')).toEqual(['FORBIDDEN', 'picture', 'picture']);
    expect(await answers('academy')).toEqual(['FORBIDDEN', 'FORBIDDEN', 'picture']);
    expect(await answers('cat')).toEqual(['kind', 'kind', 'kind']);
  });

  it('of the academy may be as wide as a screen', async () => {
    const bytes = await aPicture({ width: 2_000, height: 20 });
    const { body } = await upload(await anAdmin(app), { kind: 'academy', bytes });
    expect(body.width).toBe(limits.picture.widest);
  });
});

it('an account stores 200 pictures', async () => {
  const who = await aUser(app);
  await execute(app.db)`
    insert into media (sha256, kind, width, height, made_by)
    select sha256(convert_to(u.id::text || n, 'UTF8')), 'person', 16, 16, u.id
    from generate_series(1, 200) n, "user" u where u.id = ${who.id}`;
  expect((await upload(who, { bytes: anSvg })).body.code).toBe('PICTURES_FULL');
  await execute(app.db)`
    delete from media where id in (select id from media where made_by = ${who.id} limit 1)`;
  expect((await upload(who, { bytes: anSvg })).body.field).toBe('picture');
});

const atSignUp = (bytes: Buffer) => sendPicture(app, uploadAtSignUp, {}, { bytes });

it('who signs up stores a photo without an account', async () => {
  const { status, body } = await atSignUp(await aPicture());
  expect([status, (await get(body.url)).statusCode]).toEqual([201, 200]);
  expect(await atSignUp(anSvg)).toMatchObject({ status: 400, body: { field: 'picture' } });
});

describe('a picture that nothing shows', () => {
  it('is deleted after 7 days, one that is shown stays', async () => {
    const [unused, fresh, ofClass, reviewed, ofPerson, ofAcademy] = (await Promise.all(
      Array.from({ length: 6 }, () => made()),
    )) as [string, string, string, string, string, string];
    await klassWith(ofClass);
    const { id } = await aClass(app);
    const { db } = app;
    await execute(db)`update class set proposed_at = now(),
      proposal = jsonb_build_object('img', jsonb_build_object('from', img, 'to', ${reviewed}::text))
      where id = ${id}`;
    const { id: userId } = await aUser(app);
    await execute(db)`update "user" set image = ${ofPerson} where id = ${userId}`;
    // Whatever column of the academy names it.
    await execute(db)`alter table academy add column picture_of_test jsonb`;
    await execute(db)`update academy set picture_of_test = to_jsonb(${ofAcademy}::text)`;
    await age(8);
    await execute(db)`update media set kept_at = now() - interval '6 days'
      where encode(sha256, 'hex') = ${hashIn(fresh)}`;
    await forgetPictures(app.db);
    const all = [unused, fresh, ofClass, reviewed, ofPerson, ofAcademy];
    const kept = await Promise.all(all.map(isStored));
    expect(kept).toEqual([false, true, true, true, true, true]);
    await execute(db)`alter table academy drop column picture_of_test`;
  });

  it('has 7 days from the moment when it was taken out of use', async () => {
    const [old, next] = [await made(), await made()];
    const klass = await klassWith(old);
    await age(100);
    await wears(klass, next);
    await forgetPictures(app.db);
    expect(await isStored(old)).toBe(true);
    await age(8);
    await forgetPictures(app.db);
    expect([await isStored(old), await isStored(next)]).toEqual([false, true]);
  });

  it('is not deleted while it is put to use', async () => {
    expect(await raced()).toBe(true);
  });

  it('would be, without the trigger (control)', async () => {
    await execute(app.db)`alter table class disable trigger keep_media`;
    expect(await raced()).toBe(false);
    await execute(app.db)`alter table class enable trigger keep_media`;
  });

  it('exchanged by two writers at once ends in no deadlock', async () => {
    const pair = [await made(), await made()] as const;
    const classes = await Promise.all(pair.map(klassWith));
    for (let round = 0; round < 10; round++)
      await Promise.all(classes.map((klass, n) => wears(klass, pair[(n + round) % 2] ?? '')));
    expect(await Promise.all(pair.map(isStored))).toEqual([true, true]);
  });
});

it('photos go with the account, pictures of a class stay', async () => {
  const { email, visitor } = await aConfirmedMember(app);
  const token = await visitor.token(email);
  const first = await made('person');
  const user = await queryOne<{ id: string }>(app.db)`
    update "user" set role = 'instructor', image = ${first} where email = ${email} returning id`;
  const id = user?.id ?? null;
  const [tried, ofClass] = [await made('person', id), await made('class', id)];
  await klassWith(ofClass);
  const { body } = await app.send(exportAccount, {}, token);
  expect(body.pictures.map(({ url }) => url)).toEqual([tried, ofClass]);

  expect((await get(tried)).statusCode).toBe(200);
  expect((await app.send(deleteAccount, { password: goodPassword }, token)).status).toBe(200);
  await expect.poll(async () => (await get(tried)).statusCode).toBe(404);
  expect(await Promise.all([first, tried, ofClass].map(isStored))).toEqual([false, false, true]);
  expect(await query(app.db)`select from media where made_by = ${id}`).toEqual([]);
});
