// Uploaded pictures in real processes: what one process stored the other serves, a backup has it, and
// memory does not grow with the number of uploads. `npm run proofs -- pictures` sends two hundred.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Uploaded } from '../contract/pictures.ts';
import { BadPicture, createPictures } from '../server/outside/pictures.ts';
import { aNoise, aPhonePhoto, aPicture } from '../server/testing/pictures.ts';
import {
  aHome,
  embeddedUrl,
  environment,
  folder,
  lengthOf,
  people,
  type Person,
  type Rally,
  startRally,
  tellFigures,
} from '../server/testing/processes.ts';

const uploads = lengthOf(20);
const perPerson = 20;

const home = aHome('pictures');
const copy = join(folder('pictures-backup'), 'copy');

const command = (script: string) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts', script), copy], {
    env: environment({ DATA_DIR: home }),
  });

async function upload({ origin }: Rally, who: Person, bytes: Buffer): Promise<Uploaded> {
  const answer = await fetch(`${origin}/api/pictures?kind=person`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await who.token()}` },
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Uploaded;
}

const bytesOf = async ({ origin }: Rally, url: string) => {
  const answer = await fetch(origin + url);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

const megabytesOf = ({ child }: Rally) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

it(`${uploads} uploads in a row: served by both processes, kept by a backup, without growing memory`, async () => {
  const [one, two] = [await startRally({ DATA_DIR: home }), await startRally({ DATA_DIR: home })];
  const senders = await people(embeddedUrl(home), 'student', Math.ceil(uploads / perPerson) + 1);
  const owner = senders.at(-1) as Person;

  const photo = await aPhonePhoto();
  await upload(one, owner, await aPicture());
  const began = performance.now();
  const { url } = await upload(one, owner, photo);
  const ms = Math.round(performance.now() - began);
  const shown = url.replace(/\d+\.webp$/, '960.avif');
  const stored = await bytesOf(one, shown);
  expect(stored.bytes.length).toBeLessThanOrEqual(60_000);
  expect((await bytesOf(two, shown)).bytes.equals(stored.bytes)).toBe(true);

  const quarter = Math.max(1, Math.floor(uploads / 4));
  const seen: number[] = [];
  for (let n = 0; n < uploads; n++) {
    const bytes = await aPicture({ width: 1_200, height: 800 });
    await upload(one, senders[Math.floor(n / perPerson)] as Person, bytes);
    seen.push(megabytesOf(one));
  }
  const [first, last] = [seen.slice(quarter, 2 * quarter), seen.slice(-quarter)];
  tellFigures('pictures', {
    uploads,
    'photo ms': ms,
    'photo bytes': photo.length,
    'AVIF at 960': stored.bytes.length,
    'app MB, second quarter': Math.max(...first),
    'app MB, last quarter': Math.max(...last),
  });
  // The heap of Node breathes by some megabytes, and grows by more in a process that has just begun.
  const room = uploads >= 200 ? 20 : 100;
  expect(Math.max(...last)).toBeLessThan(Math.max(...first) * 1.25 + room);

  await command('backup.ts');
  expect([await one.end('SIGTERM'), await two.end('SIGTERM')]).toEqual([0, 0]);
  await command('restore.ts');
  const again = await startRally({ DATA_DIR: home });
  const restored = await bytesOf(again, shown);
  expect(restored.bytes.equals(stored.bytes)).toBe(true);
  expect(await again.end('SIGTERM')).toBe(0);
}, 900_000);

it('noise alone is refused: no file of it fits its column', async () => {
  const pictures = createPictures({ limitMs: 60_000 });
  const made = await pictures.make(await aNoise()).catch((error: unknown) => error);
  pictures.close();
  expect(made).toBeInstanceOf(BadPicture);
  expect(made).toMatchObject({ message: expect.stringContaining('too much detail') });
});
