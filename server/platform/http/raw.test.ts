// Pictures that arrive at the same moment: how many bytes of them a process keeps.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { limits } from '../../../contract/platform/limits.ts';
import { uploadPicture } from '../../../contract/platform/pictures.ts';
import { createBudget } from './raw.ts';
import { testApp } from '../../testing/app.ts';
import { aUser } from '../../testing/factories.ts';

/** Its body does not end until it is told to. */
function anUpload(app: Awaited<ReturnType<typeof testApp>>, token: string) {
  let isRead = false;
  const payload = new Readable({ read: () => void (isRead = true) });
  const answer = app.ask({
    method: 'POST',
    url: `/api${uploadPicture.path}?kind=person`,
    headers: {
      'content-type': 'image/png',
      'content-length': String(limits.picture.bytes),
      authorization: `Bearer ${token}`,
    },
    payload,
  });
  return { answer, isRead: () => isRead, end: () => payload.push(null) };
}

it('16 pictures of 8 MB are read at a time, no more', async () => {
  const app = await testApp();
  const pia = await aUser(app);
  const open = Array.from({ length: 16 }, () => anUpload(app, pia.token));
  await expect.poll(() => open.every(({ isRead }) => isRead())).toBe(true);
  const refused = anUpload(app, pia.token);
  expect((await refused.answer).statusCode).toBe(503);
  expect(refused.isRead()).toBe(false);
  for (const { end, answer } of open) {
    end();
    expect((await answer).statusCode).toBe(400);
  }
  const again = anUpload(app, pia.token);
  await expect.poll(again.isRead).toBe(true);
  again.end();
  await again.answer;
});

it('a client who leaves before its body is read takes no room', async () => {
  const budget = createBudget(limits.picture.bytes);
  const request = { headers: {} } as Parameters<typeof budget>[0];
  // Its `close` was emitted already.
  const left = { raw: { destroyed: true, once: () => undefined } };
  for (let times = 0; times < 3; times++)
    await expect(budget(request, left as never)).resolves.toBeUndefined();
});
