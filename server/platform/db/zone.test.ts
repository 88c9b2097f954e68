// The academy's time zone at the start.
import { expect, it } from 'vitest';
import { ConfigError } from '../config.ts';
import { testApp } from '../../testing/app.ts';
import { settleTimeZone } from './zone.ts';

const app = await testApp();
const stored = async () =>
  (await app.db.selectFrom('academy').select('timeZone').executeTakeFirstOrThrow()).timeZone;
const start = (timeZone: string | null, production: boolean) =>
  settleTimeZone(app, { timeZone, production });
const forget = () => app.db.updateTable('academy').set({ timeZone: null }).execute();

it('TIME_ZONE fills the setting once, then the stored one counts', async () => {
  await forget();
  expect(await start('Asia/Tokyo', true)).toBe('Asia/Tokyo');
  expect(await start('Europe/Paris', true)).toBe('Asia/Tokyo');
  expect(await stored()).toBe('Asia/Tokyo');
});

it('without TIME_ZONE only a demo starts, in Lisbon', async () => {
  await forget();
  await expect(start(null, true)).rejects.toThrow(ConfigError);
  expect(await start(null, false)).toBe('Europe/Lisbon');
  expect(await start(null, true)).toBe('Europe/Lisbon');
});

it('a zone that PostgreSQL does not know is refused', async () => {
  await forget();
  await expect(start('Mars/Olympus', true)).rejects.toThrow('the database does not know');
  expect(await stored()).toBeNull();
});
