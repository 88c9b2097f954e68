// The process that decodes and encodes pictures (decode.ts): one at a time, asked by messages.
// Metadata is dropped: a phone writes into its photos where they were taken.
import process from 'node:process';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { limits } from '../../contract/platform/limits.ts';
import type { PictureDone, PictureFile, PictureWork } from './decode.ts';

// Only these loaders exist here: no SVG, no PDF, no script of any kind.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
});
sharp.cache(false);

const tallest = 4_096;
const smallest = 16;
/** Of width and height. A picture of one column of 40 million pixels takes minutes to resize. */
const longest = 20_000;
/** What a column of the database holds. */
const mostBytes = 400_000;

/** Kilobytes of AVIF by width, as a page can afford them. */
const targets: [width: number, kilobytes: number][] = [
  [96, 8],
  [480, 24],
  [960, 58],
  [1_600, 140],
];

class Problem extends Error {}

const options = { limitInputPixels: limits.picture.pixels, failOn: 'error' } as const;

async function make({ bytes, widths }: PictureWork): Promise<PictureDone> {
  const known = await sharp(bytes, options).metadata().catch(asProblem);
  refuse(known);
  const widest = Math.max(...widths);
  const { data, info } = await sharp(bytes, options)
    .autoOrient()
    .resize({ width: widest, height: tallest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(asProblem);
  const { width, height, channels } = info;
  if (Math.min(width, height) < smallest)
    throw new Problem(`The picture must be at least ${smallest} pixels wide and high.`);
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  const sizes = [...widths.filter((each) => each < width), width];
  const isDrawing = known.hasAlpha;
  const files = await Promise.all(
    sizes.flatMap((size) => {
      const resized = () => (size === width ? pixels() : pixels().resize({ width: size }));
      return [avif(resized, size, isDrawing), webp(resized, size, isDrawing)];
    }),
  );
  return { made: { width, height, files } };
}

function refuse({ width, height, format, pages = 1 }: Metadata): void {
  const pixels = width * height;
  if (pixels > limits.picture.pixels)
    throw new Problem('The picture must have at most 40 megapixels.');
  if (format === 'heif' && pixels > limits.picture.avifPixels)
    throw new Problem('An AVIF picture must have at most 16 megapixels. Please send it as a JPEG.');
  if (Math.max(width, height) > longest)
    throw new Problem('The picture must be at most 20,000 pixels wide and high.');
  if (pages > 1) throw new Problem('The picture must not be animated. Please choose a still one.');
}

const tooFine = 'The picture has too much detail to be stored. Please choose another one.';

/** Until the file fits. Noise alone does not fit its column at any quality. */
async function fit(
  encode: (quality: number) => Promise<Buffer>,
  { quality, most }: { quality: number; most: number },
): Promise<Buffer> {
  for (let now = quality; ;) {
    const bytes = await encode(now);
    if (now <= 5 && bytes.length > mostBytes) throw new Problem(tooFine);
    if (bytes.length <= most || now <= 5) return bytes;
    now = Math.max(5, Math.floor(now * Math.max(0.4, Math.min(0.9, most / bytes.length))));
  }
}

async function avif(image: () => Sharp, width: number, isDrawing: boolean): Promise<PictureFile> {
  const most = (targets.find(([each]) => width <= each)?.[1] ?? 190) * 1_000;
  const chromaSubsampling = isDrawing ? '4:4:4' : '4:2:0';
  const bytes = await fit(
    (quality) => image().avif({ quality, effort: 1, chromaSubsampling }).toBuffer(),
    { quality: isDrawing ? 65 : 50, most },
  );
  return { width, type: 'image/avif', bytes };
}

async function webp(image: () => Sharp, width: number, isDrawing: boolean): Promise<PictureFile> {
  const bytes = await fit((quality) => image().webp({ quality, effort: 2 }).toBuffer(), {
    quality: isDrawing ? 88 : 76,
    most: mostBytes,
  });
  return { width, type: 'image/webp', bytes };
}

function asProblem(error: unknown): never {
  const words = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(words)) throw new Problem('The picture must have at most 40 megapixels.');
  if (/heif|unsupported compression|support for this compression/i.test(words))
    throw new Problem('Photos in this HEIC format cannot be read here. Please send it as a JPEG.');
  throw new Problem('The picture cannot be read. Please choose another one.');
}

const answer = (done: PictureDone) => process.send?.(done);

process.on('message', (work: PictureWork) => {
  make(work).then(answer, (error: unknown) => {
    if (error instanceof Problem) answer({ problem: error.message });
    else process.exit(1);
  });
});
// The app is gone.
process.on('disconnect', () => process.exit(0));
