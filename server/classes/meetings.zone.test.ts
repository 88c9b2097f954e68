// A new time zone of the academy, and the meetings to come.
import { beforeEach, expect, it } from 'vitest';
import { changeAcademy, readAcademy } from '../../contract/academy/academy.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin } from '../testing/factories.ts';
import { aMeetingRow } from '../testing/family.ts';
import { aMeeting, aPlace } from '../testing/meetings.ts';

const app = await testApp();
const admin = await anAdmin(app);

const move = async (timeZone: string, meetings?: 'clocks' | 'instants') => {
  const { version } = (await app.send(readAcademy, {}, admin.token)).body;
  const wanted = { version, timeZone, ...(meetings && { meetings }) };
  return app.send(changeAcademy, wanted, admin.token);
};
const shown = async () => {
  const { rows } = await app.pool.query(`
    select concat_ws(' ', day, to_char(starts, 'HH24:MI'), to_char(lower(during), 'DD/HH24:MI')) as moment
    from meeting order by 1`);
  return rows.map((row) => row['moment']);
};
const zone = async () => (await app.send(readAcademy, {}, admin.token)).body.timeZone;

/** In one court, five hours apart: each moves to where the other was. The third one is over. */
const asMade = [
  '2020-01-05 16:00 05/16:00',
  '2090-01-05 16:00 05/16:00',
  '2090-01-05 21:00 05/21:00',
];

beforeEach(async () => {
  await app.pool.query(`delete from meeting; update academy set time_zone = 'Europe/Lisbon'`);
  const [klass, { id: placeId }] = [await aClass(app), await aPlace(app)];
  for (const starts of ['16:00', '21:00'])
    await aMeeting(app, klass, { day: '2090-01-05', starts, placeId });
  await aMeeting(app, klass, { day: '2020-01-05', starts: '16:00' });
});

it.each([
  ['clocks', 'clock times', ['05 16:00 05/21:00', '05 21:00 06/02:00'], 'America/New_York'],
  ['instants', 'instants', ['06 01:00 05/16:00', '06 06:00 05/21:00'], 'Asia/Tokyo'],
] as const)('a new zone: meetings to come keep %s', async (keep, words, moments, timeZone) => {
  expect((await app.send(readAcademy, {}, admin.token)).body.meetingsToCome).toBe(2);
  expect((await move(timeZone, keep)).status).toBe(200);
  expect(await shown()).toEqual([asMade[0], ...moments.map((moment) => `2090-01-${moment}`)]);
  const { rows } = await app.pool.query('select detail from audit order by id desc limit 1');
  const detail = `timeZone: Europe/Lisbon → ${timeZone}; 2 meetings keep their ${words}`;
  expect(rows[0]?.['detail']).toBe(detail);
});

it('a new zone asks what the meetings to come keep', async () => {
  const { status, body } = await move('Asia/Tokyo');
  expect([status, body.field]).toEqual([400, 'meetings']);
  expect([await zone(), await shown()]).toEqual(['Europe/Lisbon', asMade]);
});

it('a new zone moves no meeting into one under way', async () => {
  const klass = await aClass(app);
  await aMeetingRow(app, klass, { inMinutes: -30 });
  await aMeetingRow(app, klass, { inMinutes: 60 });
  const before = await shown();
  const { status, body } = await move('Europe/Berlin', 'clocks');
  expect([status, body.field]).toEqual([400, 'timeZone']);
  expect([await zone(), await shown()]).toEqual(['Europe/Lisbon', before]);
});
