import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import {
  aHugePng,
  aLyingPhoto,
  anAnimation,
  aHugeAvif,
  aNoise,
  anSvg,
  aPhonePhoto,
  aPicture,
} from '../testing/pictures.ts';
import { BadPicture, createPictures, TooManyPictures } from './decode.ts';

const pictures = createPictures({ limitMs: 60_000 });
const cut = (await aPhonePhoto({ width: 400, height: 300 })).subarray(0, 9_000);
const animation = await anAnimation(3);
const hugeAvif = await aHugeAvif();
const flat = await aPicture({ height: 15 });
afterAll(() => pictures.close());

const isAlive = (pid: number | undefined) => {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
};

describe('a picture', () => {
  it('is made upright, in every width, without any metadata', async () => {
    const photo = await aLyingPhoto();
    const before = await sharp(photo).metadata();
    expect(before.exif?.toString('latin1')).toContain('Secret model');
    expect(before.orientation).toBe(6);

    const { width, height, files } = await pictures.make(photo);
    expect([width, height]).toEqual([60, 90]);
    expect(files.map((file) => [file.width, file.type])).toEqual([
      [60, 'image/avif'],
      [60, 'image/webp'],
    ]);
    for (const { bytes } of files) {
      const after = await sharp(bytes).metadata();
      expect([after.exif, after.icc, after.xmp, after.iptc, after.orientation]).toEqual(
        Array(5).fill(undefined),
      );
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/Secret model|GPS|Exif/);
      // Upright, the red half is at the top.
      const top = await sharp(bytes).extract({ left: 20, top: 5, width: 9, height: 9 }).stats();
      expect(top.dominant.r).toBeGreaterThan(top.dominant.b);
    }
  });

  it('of a phone has at most 60 kB as AVIF at 960 px', async () => {
    const { files } = await pictures.make(await aPhonePhoto({ width: 1_000, height: 750 }));
    expect(files.map(({ width }) => width)).toEqual([96, 96, 480, 480, 960, 960, 1000, 1000]);
    const shown = files.find(({ width, type }) => width === 960 && type === 'image/avif');
    expect(shown?.bytes.length).toBeLessThanOrEqual(60_000);
    expect(files.every(({ bytes }) => bytes.length <= 400_000)).toBe(true);
  });

  it.each([
    ['41 megapixels', aHugePng(6_404), '40 megapixels'],
    ['one column of 40 megapixels', aHugePng(1, 40_000_000), '20,000 pixels wide and high'],
    ['16.4 megapixels as AVIF', hugeAvif, 'An AVIF picture must have at most 16 megapixels'],
    ['three frames', animation, 'must not be animated'],
    ['the bytes of an SVG', anSvg, 'no picture that we can read'],
    ['nothing', Buffer.alloc(0), 'no picture that we can read'],
    ['half of its bytes', cut, 'cannot be read'],
    ['15 pixels of height', flat, 'at least 16 pixels'],
    [
      'an SVG behind the head of a PNG',
      Buffer.concat([aHugePng().subarray(0, 8), anSvg]),
      'cannot be read',
    ],
  ])('with %s is refused with a sentence', async (_what, bytes, words) => {
    const refused: unknown = await pictures.make(bytes).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadPicture);
    expect(String(refused)).toContain(words);
  });

  it('of noise is refused: no file of it fits its column', async () => {
    await expect(pictures.make(await aNoise())).rejects.toThrow('too much detail');
  });
});

/** As server/testing/stuckdecoder.ts reads it. */
const jpeg = (wish: number) => Buffer.from([255, 216, 255, wish]);

describe('the process that decodes', () => {
  const program = join(import.meta.dirname, '../testing/stuckdecoder.ts');
  const [hang, crash, fine] = [0, 1, 2].map(jpeg) as [Buffer, Buffer, Buffer];

  it('ends with its picture, or when that keeps it busy too long', async () => {
    const { width: pid } = await createPictures({ program }).make(fine);
    await expect.poll(() => isAlive(pid)).toBe(false);
    const stuck = createPictures({ program, limitMs: 300 });
    await expect(stuck.make(hang)).rejects.toThrow('too long');
  });

  it('may crash: that picture is refused, the next one is not', async () => {
    const stuck = createPictures({ program });
    const [crashed, next] = await Promise.allSettled([stuck.make(crash), stuck.make(fine)]);
    expect(crashed).toMatchObject({
      reason: { message: expect.stringContaining('cannot be read') },
    });
    expect(next).toMatchObject({ status: 'fulfilled' });
  });

  it('lets only so many wait: each is in memory', async () => {
    const full = createPictures({ program, waiting: 2 });
    const asked = [1, 2, 3].map(() => full.make(hang).catch((error: Error) => error));
    await expect(full.make(fine)).rejects.toBeInstanceOf(TooManyPictures);
    full.close();
    const ended = await Promise.all(asked);
    expect(ended.every((error) => error instanceof TooManyPictures)).toBe(true);
  });
});
