// Dates that cannot be: each is refused with 400 and the name of its field, and nothing is stored.
import { describe, expect, it } from 'vitest';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor } from '../testing/factories.ts';
import { aMeeting, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp();
const [coach, admin] = [await anInstructor(app), await anAdmin(app)];
const { id } = await aClass(app, { instructor: coach, status: 'pending' });

const good: MeetingInput = { day: inDays(10), starts: '16:00', minutes: 60 };
const asked = async (meetings: unknown, who = coach) => {
  const input = { id, version: 0, meetings: meetings as MeetingInput[] };
  const { status, body } = await app.send(setDates, input, who.token);
  return [status, body.field];
};
const unknown = '00000000-0000-4000-8000-000000000000';

/** The next night in which the clocks of Lisbon go forward: 01:30 does not exist. */
function nextGap(): string {
  for (let n = 1; ; n++) {
    const day = inDays(n);
    const hour = (time: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', hour: '2-digit' }).format(
        new Date(`${day}T${time}Z`),
      );
    if (hour('00:30') === '00' && hour('01:30') === '02') return day;
  }
}

describe('a date is refused by its field', () => {
  it.each([
    ['a day in the past', { day: inDays(-1) }, 'day'],
    ['a day after three years', { day: inDays(365 * 3 + 3) }, 'day'],
    ['30 February', { day: '2028-02-30' }, 'day'],
    ['a time with seconds', { starts: '09:00:00' }, 'starts'],
    ['a time that the clocks jump over', { day: nextGap(), starts: '01:30' }, 'starts'],
    ['more than a day', { minutes: 1_441 }, 'minutes'],
    ['an unknown place', { placeId: unknown }, 'placeId'],
    ['an unknown meeting', { _id: unknown }, '_id'],
    ['a new one that is cancelled', { cancelled: true }, 'cancelled'],
  ])('%s', async (_name, wrong, field) => {
    expect(await asked([good, { ...good, day: inDays(11), ...wrong }])).toEqual([
      400,
      `meetings.1.${field}`,
    ]);
  });

  it('a meeting of another class, a closed place, a substitute', async () => {
    const other = await aClass(app);
    const { id: _id } = await aMeeting(app, other);
    expect(await asked([{ ...good, _id }])).toEqual([400, 'meetings.0._id']);
    const { id: placeId } = await aPlace(app, { closed: true });
    expect(await asked([{ ...good, placeId }])).toEqual([400, 'meetings.0.placeId']);
    const { id: instructorId } = await anInstructor(app);
    expect(await asked([{ ...good, instructorId }])).toEqual([400, 'meetings.0.instructorId']);
    const byAdmin = await asked([{ ...good, instructorId: admin.id }], admin);
    expect(byAdmin).toEqual([400, 'meetings.0.instructorId']);
  });

  it('two that overlap, also past midnight', async () => {
    expect(await asked([good, { ...good, starts: '16:59' }])).toEqual([400, 'meetings.1.starts']);
    const night = { ...good, starts: '23:30' };
    const next = { ...good, day: inDays(11), starts: '00:15' };
    expect(await asked([next, night])).toEqual([400, 'meetings.1.starts']);
  });

  it('two that overlap only because an hour is left out that night', async () => {
    const day = nextGap();
    const before = { ...good, day, starts: '00:30', minutes: 60 };
    const after = { ...good, day, starts: '02:15', minutes: 60 };
    expect(await asked([before, after])).toEqual([400, 'meetings.1.starts']);
  });

  it('one that has ended stays when it is sent as it is', async () => {
    const klass = await aClass(app, { instructor: coach, status: 'pending' });
    const { id: _id, day } = await aMeeting(app, klass, { day: inDays(-3), state: 'proposed' });
    await aMeeting(app, klass, { day: inDays(40), state: 'proposed' });
    const { dates } = await app.db
      .selectFrom('class')
      .select('dates')
      .where('id', '=', klass.id)
      .executeTakeFirstOrThrow();
    const send = (starts: string) => {
      const meetings = [{ _id, day, starts, minutes: 60 }, good];
      return app.send(setDates, { id: klass.id, version: dates, meetings }, coach.token);
    };
    expect((await send('17:00')).body.field).toBe('meetings.0.day');
    expect((await send('16:00')).status).toBe(200);
  });

  it('and nothing of all this was stored', async () => {
    const { rows } = await app.pool.query('select from meeting where class_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});
