// Uploads while the decoder works for others of the same network.
import { expect, it } from 'vitest';
import { ticketForPicture, uploadPicture, uploadWithTicket } from '../../../contract/pictures.ts';
import { testApp } from '../../testing/app.ts';
import { aUser, type TestUser } from '../../testing/factories.ts';
import { aPhonePhoto, sendPicture } from '../../testing/pictures.ts';

const app = await testApp({ rateLimit: true });
const bytes = await aPhonePhoto({ width: 500, height: 375 });
const upload = ({ token }: TestUser, ip: string) =>
  sendPicture(app, uploadPicture, { kind: 'person' }, { bytes, token, ip });

/** Uploads of one network. The first answer is a refusal: the decoder is busy. */
async function manyAtOnce(ip: string) {
  const who = await aUser(app);
  const asked = Array.from({ length: 12 }, () => upload(who, ip));
  await Promise.race(asked);
  return asked;
}

it('one upload of a network is with the decoder, so that others find room there', async () => {
  const other = await aUser(app);
  const asked = await manyAtOnce('198.51.100.6');
  expect((await upload(other, '198.51.100.7')).status).toBe(201);
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 429]));
});

it('a ticket is not used up when its upload is refused for that', async () => {
  const ip = '198.51.100.8';
  const answer = await app.ask({
    method: 'POST',
    url: `/api${ticketForPicture.path}`,
    payload: {},
    remoteAddress: ip,
  });
  const { ticket } = answer.json<{ ticket: string }>();
  const use = () => sendPicture(app, uploadWithTicket, { ticket }, { bytes, ip });
  const asked = await manyAtOnce(ip);
  expect((await use()).status).toBe(429);
  await Promise.all(asked);
  expect((await use()).status).toBe(201);
  expect((await use()).body.code).toBe('BAD_TICKET');
});
