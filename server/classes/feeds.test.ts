import { describe, expect, test } from 'vitest';
import { myCalendar } from '../../contract/classes/calendar.ts';
import { addDays } from '../../contract/platform/days.ts';
import {
  classCalendar,
  listFeeds,
  makeFeed,
  readFeed,
  removeFeed,
} from '../../contract/classes/feeds.ts';
import { recomputeMeetings } from '../platform/db/zone.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { readCalendar } from '../testing/icalendar.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aMeeting as meetingRow, aPlace, inDays } from '../testing/meetings.ts';

const app = await testApp({ logLevel: 'debug' });
const today = inDays(0);
/** Tomorrow at 16:00, for 90 minutes, unless given. */
const aMeeting = (...[to, klass, given]: Parameters<typeof meetingRow>) =>
  meetingRow(to, klass, { day: addDays(today, 1), minutes: 90, ...given });

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
  test('has its meetings, and is for everybody while the class is approved', async () => {
    const court = await aPlace(app, { name: 'Court 7', address: '1 Park Lane' });
    const klass = await aClass(app, { name: 'Tennis; doubles' });
    await app.db
      .updateTable('class')
      .set({ bring: 'A racket,\nwater' })
      .where('id', '=', klass.id)
      .execute();
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
    await app.db
      .updateTable('class')
      .set({ status: 'denied' })
      .where('id', '=', klass.id)
      .execute();
    expect((await app.send(classCalendar, { id: klass.id })).status).toBe(404);
  });

  test('does not exist for a class without dates', async () => {
    const { id } = await aClass(app);
    expect((await app.send(classCalendar, { id })).status).toBe(404);
  });
});

describe('a feed', () => {
  test('is made once per kind: a new one replaces the old one, whose address is unknown then', async () => {
    const who = await aUser(app);
    const first = await subscribe(who);
    expect(first.secret).toMatch(/^[\w-]{43}$/);
    expect(first.webcal).toBe(first.url.replace(/^http:/, 'webcal:'));
    expect(await stateOf(first.secret)).toBe(200);
    const second = await subscribe(who);
    expect(await stateOf(first.secret)).toBe(404);
    expect(await stateOf(second.secret)).toBe(200);
    const { body } = await app.send(listFeeds, {}, who.token);
    expect(body).toEqual([
      {
        _id: second.insertedId,
        participantId: null,
        name: null,
        createdAt: expect.any(String),
        readOn: today,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(second.secret);
  });

  test('is stored as a hash only', async () => {
    const { secret, insertedId } = await subscribe(await aUser(app));
    const row = await app.db
      .selectFrom('feed')
      .selectAll()
      .where('id', '=', insertedId)
      .executeTakeFirstOrThrow();
    expect(row.secretHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test('has the meetings of everyone in my care by first name, and what I teach', async () => {
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

  test('goes 60 days back, keeps cancelled meetings for 30, and shows no proposed ones', async () => {
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

  test('is answered with 304 until something changes', async () => {
    const who = await aUser(app);
    const { secret } = await subscribe(who);
    const { headers } = await read(secret);
    const again = () =>
      app.ask({
        method: 'GET',
        url: `/api/feeds/${secret}/rally.ics`,
        headers: { 'if-none-match': String(headers['etag']) },
      });
    expect((await again()).statusCode).toBe(304);
    await aMeeting(app, await aBookedClass(who));
    expect((await again()).statusCode).toBe(200);
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

  test('that is unknown, turned off, of a removed guardian or malformed gets the same bytes', async () => {
    const who = await aUser(app);
    const child = await aChild(app, [who], { name: 'Ida' });
    const [off, foreign] = [await subscribe(who), await subscribe(who, child.id)];
    expect((await app.send(removeFeed, { id: off.insertedId }, who.token)).body.deletedCount).toBe(
      1,
    );
    await app.db.deleteFrom('guardian').where('participantId', '=', child.id).execute();
    const wrong = [
      off.secret,
      foreign.secret,
      'A'.repeat(43),
      'x',
      'é'.repeat(43),
      "' or true --",
      'A'.repeat(300),
      foreign.insertedId,
    ];
    const answers = await Promise.all(
      wrong.map(async (secret) => {
        const { statusCode, body, headers } = await app.ask({
          method: 'GET',
          url: `/api/feeds/${encodeURIComponent(secret)}/rally.ics`,
        });
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

const pick = <T>(from: readonly T[], random: number): T =>
  from[Math.floor(random * from.length)] as T;
/** A seeded generator: a failure can be repeated. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe('what a feed says', () => {
  test('are the instants of the API, also around a change of the clocks, in any zone', async () => {
    // Ours is the last: other tests have it.
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Europe/Lisbon'];
    const who = await aUser(app);
    const random = randoms(7);
    const next = () => random.next().value;
    // The next change of the clocks in each half of the year, and days around it.
    const days = [
      `${Number(today.slice(0, 4)) + 1}-03-28`,
      `${Number(today.slice(0, 4)) + 1}-10-31`,
    ];
    for (const nth of Array.from({ length: 40 }).keys()) {
      const klass = await aBookedClass(who, `Class ${nth}`);
      const hour = String(Math.floor(next() * 24)).padStart(2, '0');
      await aMeeting(app, klass, {
        day: addDays(pick(days, next()), Math.floor(next() * 5) - 2),
        starts: `${hour}:${pick(['00', '15', '30'], next())}`,
        minutes: pick([45, 90, 240], next()),
      });
    }
    // The hour that exists twice, and one that ends after the clocks went forward.
    for (const [day, starts] of [
      [`${Number(today.slice(0, 4)) + 1}-10-31`, '01:30'],
      [`${Number(today.slice(0, 4)) + 1}-03-28`, '00:30'],
    ] as const)
      await aMeeting(app, await aBookedClass(who, `At ${day}`), { day, starts });
    const { secret } = await subscribe(who);
    for (const timeZone of zones) {
      await app.db.updateTable('academy').set({ timeZone }).execute();
      await recomputeMeetings(app.db);
      const events = await eventsOf(secret);
      expect(events).toHaveLength(42);
      const said = new Map(events.map(({ uid, startsAt }) => [uid.split('.')[0], startsAt]));
      for (const day of days) {
        const input = { from: addDays(day, -20), to: addDays(day, 20) };
        const { body } = await app.send(myCalendar, input, who.token);
        expect(body.length).toBeGreaterThan(5);
        for (const { _id, startsAt } of body) expect(said.get(_id)).toBe(startsAt);
      }
      const { rows } = await app.pool.query<{ id: string; ends: Date }>(
        'select id, upper(during) as ends from meeting where id = any ($1::uuid[])',
        [[...said.keys()]],
      );
      const ends = new Map(events.map(({ uid, endsAt }) => [uid.split('.')[0], endsAt]));
      for (const { id, ends: right } of rows) expect(ends.get(id)).toBe(right.toISOString());
    }
  });

  test('keeps its UIDs over any changes, and no SEQUENCE falls', async () => {
    const who = await aUser(app);
    const klass = await aBookedClass(who);
    for (const days of Array.from({ length: 12 }).keys())
      await aMeeting(app, klass, { day: addDays(today, days + 1) });
    const { secret } = await subscribe(who);
    const read = async () =>
      new Map((await eventsOf(secret)).map(({ uid, sequence }) => [uid, sequence]));
    let before = await read();
    const uids = [...before.keys()].toSorted();
    expect(uids).toHaveLength(12);
    const random = randoms(11);
    for (const nth of Array.from({ length: 100 }).keys()) {
      const id = pick(uids, random.next().value).split('.')[0] ?? '';
      const change = pick(
        [
          { day: addDays(today, 20 + nth) },
          { starts: '11:15' },
          { state: 'cancelled' },
          { state: 'on', day: addDays(today, 20 + nth) },
          { minutes: 30 + nth },
        ],
        random.next().value,
      );
      await app.db
        .updateTable('meeting')
        .set((of) => ({ ...change, sequence: of('sequence', '+', 1), changedAt: new Date() }))
        .where('id', '=', id)
        .execute();
      if (nth % 10 !== 9) continue;
      const after = await read();
      expect([...after.keys()].toSorted()).toEqual(uids);
      for (const [uid, sequence] of after)
        expect(sequence).toBeGreaterThanOrEqual(before.get(uid) ?? 0);
      before = after;
    }
    expect([...before.values()].some((sequence) => sequence > 5)).toBe(true);
    // Control: a meeting that is removed and made anew would be another event.
    await app.db.deleteFrom('meeting').where('classId', '=', klass.id).execute();
    await aMeeting(app, klass);
    expect([...(await read()).keys()]).not.toEqual(expect.arrayContaining(uids.slice(0, 1)));
  });
});
