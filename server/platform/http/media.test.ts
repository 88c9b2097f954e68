import fastify from 'fastify';
import { afterAll, expect, it, vi } from 'vitest';
import { answerError } from './fail.ts';
import { type ReadPicture, servePictures } from './media.ts';

const sha256 = 'a'.repeat(64);
const read = vi.fn<ReadPicture>(async ({ width }) =>
  width === 96 ? Buffer.from('a picture') : null,
);
const app = fastify();
afterAll(() => app.close());
app.setErrorHandler(answerError);
// As the pictures of the build (pages.ts).
app.get('/media/*', async () => 'a file of the build');
servePictures(app, read);

const get = (url: string, headers = {}) => app.inject({ url, headers });

it('serves a picture for a year', async () => {
  const url = `/media/${sha256}/96.avif`;
  const { body, headers } = await get(url);
  expect(body).toBe('a picture');
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'image/avif',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(read).toHaveBeenCalledWith({ sha256, width: 96, type: 'image/avif' });
  expect((await get(url, { 'if-none-match': headers.etag })).statusCode).toBe(304);
  expect((await get(`/media/${sha256}/480.webp`)).statusCode).toBe(404);
});

it.each([
  '/media/class/learn-to-swim.webp',
  '/media/people/ben.svg',
  `/media/${sha256.slice(1)}/96.webp`,
  `/media/${sha256}a/96.webp`,
  `/media/${sha256.toUpperCase()}/96.webp`,
  `/media/${sha256}/96.png`,
  `/media/${sha256}/9600000.webp`,
  `/media/${sha256}/x/96.webp`,
])('leaves %s to the files of the build', async (url) => {
  expect((await get(url)).body).toBe('a file of the build');
});
