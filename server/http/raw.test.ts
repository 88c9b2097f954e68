// Pictures, and events of the card provider, that arrive at the same moment: how many bytes of them a
// process keeps.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { uploadPicture } from '../../contract/pictures.ts';
import { createRoom, roomOfPictures } from './raw.ts';
import { testApp } from '../testing/app.ts';
import { aUser } from '../testing/factories.ts';

const app = await testApp();

/** Its body does not end until it is told to. */
const slowly = (url: string, remoteAddress: string, headers: Record<string, string>) => {
  let isRead = false;
  const payload = new Readable({
    read() {
      isRead = true;
    },
  });
  const answer = app.ask({ method: 'POST', url, remoteAddress, headers, payload });
  const reads = async () => {
    await expect.poll(() => isRead).toBe(true);
  };
  return { answer, reads, isRead: () => isRead, end: () => payload.push(null) };
};
const slow = (token: string, ip: string) =>
  slowly(`/api${uploadPicture.path}?kind=person`, ip, {
    'content-type': 'image/png',
    'content-length': String(limits.picture.bytes),
    authorization: `Bearer ${token}`,
  });
const begun = async (count: number, token: string, ip: string) => {
  const asked = Array.from({ length: count }, () => slow(token, ip));
  for (const { reads } of asked) await reads();
  return asked;
};
const expectRefused = async ({ answer, isRead }: ReturnType<typeof slow>, status: number) => {
  expect((await answer).statusCode).toBe(status);
  expect(isRead()).toBe(false);
};

describe('uploads that arrive at the same moment', () => {
  it('16 MB of an account and 32 MB of a network are read, no more', async () => {
    const [ada, eve, joe] = [await aUser(app), await aUser(app), await aUser(app)];
    const ip = '203.0.113.7';
    const ofAda = await begun(2, ada.token, ip);
    await expectRefused(slow(ada.token, '203.0.113.8'), 429);
    const ofEve = await begun(2, eve.token, ip);
    await expectRefused(slow(joe.token, ip), 429);
    const elsewhere = await begun(1, joe.token, '203.0.113.8');
    for (const { end, answer } of ofAda) {
      end();
      expect((await answer).statusCode).toBe(400);
    }
    const again = await begun(2, ada.token, ip);
    for (const { end, answer } of [...ofEve, ...elsewhere, ...again]) {
      end();
      await answer;
    }
  });

  it('128 MB of all are read, no more', async () => {
    const open: ReturnType<typeof slow>[] = [];
    for (let n = 0; n < 8; n++)
      open.push(...(await begun(2, (await aUser(app)).token, `203.0.113.${20 + n}`)));
    const { token } = await aUser(app);
    await expectRefused(slow(token, '203.0.113.40'), 503);
    for (const { end, answer } of open) {
      end();
      await answer;
    }
    const [last] = await begun(1, token, '203.0.113.40');
    last?.end();
    expect((await last?.answer)?.statusCode).toBe(400);
  });
});

const event = (ip: string) =>
  slowly('/api/webhooks/stripe', ip, { 'content-length': String(256 * 1024) });

it('2 MB of events of one network are read, no more; another network does not wait', async () => {
  const open = Array.from({ length: 8 }, () => event('203.0.113.50'));
  for (const { reads } of open) await reads();
  await expectRefused(event('203.0.113.50'), 429);
  const other = event('203.0.113.51');
  await other.reads();
  for (const { end, answer } of [...open, other]) {
    end();
    expect((await answer).statusCode).toBe(400);
  }
  const again = event('203.0.113.50');
  await again.reads();
  again.end();
  await again.answer;
});

it('a client who leaves before its body is read takes no room', () => {
  const take = createRoom(roomOfPictures, () => 'someone');
  const request = { ip: '192.0.2.9', headers: {} } as FastifyRequest;
  // Its `close` was emitted already.
  const left = { raw: { destroyed: true, once: () => undefined } } as unknown as FastifyReply;
  for (let times = 0; times < 20; times++) expect(() => take(request, left)).not.toThrow();
});
