import { describe, expect, test } from 'vitest';
import { addDays } from '../../contract/platform/days.ts';
import {
  classCalendar,
  listFeeds,
  makeFeed,
  readFeed,
  removeFeed,
} from '../../contract/classes/feeds.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { readCalendar } from '../testing/icalendar.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aMeeting, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp({ logLevel: 'debug' });
const today = inDays(0);

const subscribe = async (who: TestUser, participantId?: string) => {
  const { body } = await app.send(makeFeed, participantId ? { participantId } : {}, who.token);
  return { ...body, secret: body.url?.split('/').at(-2) ?? '' };
};
const read = (secret: string) => app.send(readFeed, { secret });
const eventsOf = async (secret: string) => readCalendar((await read(secret)).body).events;
const stateOf = async (secret: string) => (await read(secret)).status;

async function aBookedClass(who: TestUser, name = 'Tennis', participant: { id: string } = who) {
  const klass = await aClass(app, { name });
  await enrol(app, klass.id, who, participant);
  return klass;
}

describe('the file of a class', () => {
  test('has its meetings, while the class is approved', async () => {
    const court = await aPlace(app, { name: 'Court 7', address: '1 Park Lane' });
    const klass = await aClass(app, { name: 'Tennis; doubles' });
    await app.pool.query(`update class set bring = E'A racket,\\nwater' where id = $1`, [klass.id]);
    const { id } = await aMeeting(app, klass, { placeId: court.id, told: 'New court' });
    await aMeeting(app, klass, { starts: '09:00', state: 'proposed' });
    const { status, body } = await app.send(classCalendar, { id: klass.id });
    expect(status).toBe(200);
    expect(readCalendar(body)).toMatchObject({
      name: 'Tennis; doubles',
      events: [
        {
          uid: `${id}@localhost:3000`,
          sequence: 0,
          status: 'CONFIRMED',
          summary: 'Tennis; doubles',
          location: 'Court 7, 1 Park Lane',
          description: `Instructor: ${klass.instructor}\nBring: A racket,\nwater\nNew court`,
          url: `${app.config.publicUrl}/classes/${klass.id}`,
        },
      ],
    });
    const [event] = readCalendar(body).events;
    const minutes = (Date.parse(event?.endsAt ?? '') - Date.parse(event?.startsAt ?? '')) / 60_000;
    expect(minutes).toBe(60);
    await app.pool.query(`update class set status = 'denied' where id = $1`, [klass.id]);
    expect((await app.send(classCalendar, { id: klass.id })).status).toBe(404);
  });

  test('does not exist for a class without dates', async () => {
    const { id } = await aClass(app);
    expect((await app.send(classCalendar, { id })).status).toBe(404);
  });
});

describe('a feed', () => {
  test('is made once per kind: a new one replaces the old one', async () => {
    const who = await aUser(app);
    const first = await subscribe(who);
    expect(first.secret).toMatch(/^[\w-]{43}$/);
    expect(first.webcal).toBe(first.url.replace(/^http:/, 'webcal:'));
    expect(await stateOf(first.secret)).toBe(200);
    const second = await subscribe(who);
    expect(await stateOf(first.secret)).toBe(404);
    expect(await stateOf(second.secret)).toBe(200);
    const { body } = await app.send(listFeeds, {}, who.token);
    const mine = { _id: second.insertedId, participantId: null, name: null, readOn: today };
    expect(body).toEqual([{ ...mine, createdAt: expect.any(String) }]);
    const { rows } = await app.pool.query('select * from feed where user_id = $1', [who.id]);
    expect(rows).toMatchObject([{ secret_hash: { length: 32 } }]);
    expect(JSON.stringify([body, rows])).not.toContain(second.secret);
  });

  test('has meetings of all in my care, and what I teach', async () => {
    const coach = await anInstructor(app);
    const mia = await aChild(app, [coach], { name: 'Mia Maria Lopes' });
    const day = addDays(today, 2);
    const own = await aBookedClass(coach, 'Yoga');
    const hers = await aBookedClass(coach, 'Judo', mia);
    const taught = await aClass(app, { instructor: coach, name: 'Tennis' });
    const first = await aMeeting(app, own, { day, starts: '08:00' });
    const second = await aMeeting(app, hers, { day, starts: '10:00' });
    const third = await aMeeting(app, taught, { day, starts: '12:00' });
    const all = await subscribe(coach);
    expect((await eventsOf(all.secret)).map(({ uid, summary }) => [uid, summary])).toEqual([
      [`${first.id}.${coach.id}@localhost:3000`, 'Yoga'],
      [`${second.id}.${mia.id}@localhost:3000`, 'Mia: Judo'],
      [`${third.id}.teach@localhost:3000`, 'Tennis'],
    ]);
    const one = await subscribe(coach, mia.id);
    expect((await eventsOf(one.secret)).map(({ summary }) => summary)).toEqual(['Mia: Judo']);
    expect((await read(one.secret)).body).not.toContain('Lopes');
  });

  test('goes 60 days back, 30 for cancelled ones; none is proposed', async () => {
    const who = await aUser(app);
    const klass = await aBookedClass(who);
    const at = (days: number, state: 'on' | 'proposed' | 'cancelled' = 'on') =>
      aMeeting(app, klass, { day: addDays(today, days), state });
    await at(-61);
    await at(-60);
    await at(-31, 'cancelled');
    await at(-30, 'cancelled');
    await at(5, 'proposed');
    await at(300);
    const { secret } = await subscribe(who);
    const events = await eventsOf(secret);
    expect(events.map(({ startsAt, status }) => [startsAt.slice(0, 10), status])).toEqual([
      [addDays(today, -60), 'CONFIRMED'],
      [addDays(today, -30), 'CANCELLED'],
      [addDays(today, 300), 'CONFIRMED'],
    ]);
  });

  test('shows nothing of a child to a guardian who was removed', async () => {
    const [parent, other] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [parent, other], { name: 'Noa' });
    await aMeeting(app, await aBookedClass(parent, 'Judo', child));
    const [all, one] = [await subscribe(other), await subscribe(other, child.id)];
    expect(await eventsOf(all.secret)).toHaveLength(1);
    expect(await eventsOf(one.secret)).toHaveLength(1);
    await app.db.deleteFrom('guardian').where('userId', '=', other.id).execute();
    expect(await eventsOf(all.secret)).toEqual([]);
    expect(await stateOf(one.secret)).toBe(404);
    expect((await app.send(listFeeds, {}, other.token)).body).toMatchObject([{ name: null }]);
    expect((await app.send(makeFeed, { participantId: child.id }, other.token)).status).toBe(404);
  });

  test('that is unknown, turned off or malformed gets the same bytes', async () => {
    const who = await aUser(app);
    const off = await subscribe(who);
    const { body } = await app.send(removeFeed, { id: off.insertedId }, who.token);
    expect(body.deletedCount).toBe(1);
    const wrong = [off.secret, 'A'.repeat(43), 'x', 'é'.repeat(43), "' or true --", off.insertedId];
    const answers = await Promise.all(
      wrong.map(async (secret) => {
        const url = `/api/feeds/${encodeURIComponent(secret)}/rally.ics`;
        const { statusCode, body, headers } = await app.ask({ method: 'GET', url });
        const { date: _date, ...rest } = headers;
        const said = body.replace(/"requestId":"[\da-f-]{36}"/, '');
        return JSON.stringify([statusCode, said, rest]);
      }),
    );
    expect([...new Set(answers)]).toHaveLength(1);
    expect(answers[0]).toContain('[404,');
    // Control: an address that is right is told apart.
    expect(await stateOf((await subscribe(who)).secret)).toBe(200);
  });

  test('is in no log', async () => {
    const { secret } = await subscribe(await aUser(app));
    await read(secret);
    const logs = app.logs.join('');
    expect(logs).toContain('/feeds/:secret/rally.ics');
    expect(logs).not.toContain(secret);
  });

  test('of another account cannot be turned off', async () => {
    const { insertedId, secret } = await subscribe(await aUser(app));
    const stranger = await aUser(app);
    expect((await app.send(removeFeed, { id: insertedId }, stranger.token)).status).toBe(404);
    expect(await stateOf(secret)).toBe(200);
  });
});
