// Pictures for tests: as a phone takes them, and as attackers make them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { AnyCall, Input } from '../../contract/platform/call.ts';
import { address } from '../../contract/platform/call.ts';
import type { ErrorBody } from '../../contract/platform/errors.ts';
import type { Uploaded } from '../../contract/platform/pictures.ts';
import type { TestApp } from './app.ts';

const banner = join(import.meta.dirname, '../../web/public/media/banner/court-1920.webp');

/** Every one is another picture. */
let made = 0;

/** A small JPEG of one colour. */
export function aPicture({ width = 40, height = 30 } = {}): Promise<Buffer> {
  made += 1;
  // Colours that stay different when they are encoded.
  const background = { r: (made % 32) * 8, g: ((made >> 5) % 32) * 8, b: (process.pid % 32) * 8 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** A few hundred bytes that say they have 4,100 × 4,000 pixels. */
export async function aHugeAvif(): Promise<Buffer> {
  const bytes = await sharp(await aPicture())
    .avif({ effort: 0 })
    .toBuffer();
  const size = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(4_100, size);
  bytes.writeUInt32BE(4_000, size + 4);
  return bytes;
}

/** Where and with what it was taken: Lisbon. */
const exif = {
  IFD0: { Make: 'Phone', Model: 'Secret model' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '38/1 43/1 1824/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '9/1 8/1 0/1',
  },
};

/** Upright it is 60 wide and 90 high: the left half of the stored rows is red, the rest is blue. */
export async function aLyingPhoto(): Promise<Buffer> {
  const red = await sharp({ create: { width: 45, height: 60, channels: 3, background: '#d00' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 90, height: 60, channels: 3, background: '#00d' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .withExif(exif)
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** 12 megapixels with the noise of a sensor, about 6 MB, with the place where it was taken. */
export async function aPhonePhoto({ width = 4_032, height = 3_024 } = {}): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const side = 256;
  const grain = await sharp({
    create: { width: side, height: side, channels: 3, background: '#000', noise },
  })
    .png()
    .toBuffer();
  return sharp(banner)
    .resize(width, height, { fit: 'cover' })
    .composite([{ input: grain, tile: true, blend: 'overlay' }])
    .withExif(exif)
    .jpeg({ quality: 93 })
    .toBuffer();
}

/** Pure noise as PNG, 5 MB: no encoder makes it small. */
export function aNoise({ width = 400, height = 4_000 } = {}): Promise<Buffer> {
  const pixels = randomBytes(width * height * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A part of a PNG. */
const part = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A few hundred bytes that say they have 60,000 × 60,000 pixels. */
export function aHugePng(width = 60_000, height = width): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.alloc(64))),
    part('IEND', Buffer.alloc(0)),
  ]);
}

/** A WebP of this many pictures, each of another colour. */
export function anAnimation(frames = 500): Promise<Buffer> {
  const [width, pageHeight] = [20, 20];
  const pixels = Buffer.alloc(width * pageHeight * frames * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const frame = Math.floor(at / (width * pageHeight * 3));
    pixels[at] = frame % 256;
    pixels[at + 1] = (frame * 7) % 256;
  }
  const raw = { width, height: pageHeight * frames, channels: 3 as const, pageHeight };
  return sharp(pixels, { raw })
    .webp({ loop: 0, delay: Array<number>(frames).fill(20) })
    .toBuffer();
}

export const anSvg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><script>alert(1)</script></svg>',
);

/** Sends a picture as the browser would. */
export async function sendPicture<C extends AnyCall>(
  app: Pick<TestApp, 'ask'>,
  call: C,
  input: Input<C>,
  { bytes, token, ip }: { bytes: Buffer; token?: string; ip?: string },
) {
  const { path, rest } = address(call, input as object);
  const answer = await app.ask({
    method: 'POST',
    url: path,
    query: rest as Record<string, string>,
    payload: bytes,
    headers: {
      'content-type': 'image/jpeg',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(ip && { remoteAddress: ip }),
  });
  return { status: answer.statusCode, body: answer.json<Uploaded & Partial<ErrorBody>>() };
}
