import { describe, expect, it } from 'vitest';
import { listClasses } from '../../contract/classes/classes.ts';
import { testApp } from '../testing/app.ts';
import { addDays } from '../../contract/platform/days.ts';
import { aClass, aUser } from '../testing/factories.ts';
import { aMeeting, aPlace } from '../testing/meetings.ts';

const app = await testApp();

interface Given {
  name: string;
  sport?: 'Soccer' | 'Tennis' | 'Yoga' | 'Swimming';
  /** Of each meeting the days after a Monday far ahead, and its start. */
  meets?: string[];
  ages?: [min: number | null, max: number | null];
  level?: 'all' | 'beginner' | 'intermediate' | 'advanced';
  at?: string;
}

async function add({ name, sport = 'Yoga', meets = [], ages = [null, null], level, at }: Given) {
  // A random name could be what a test searches for.
  const instructor = await aUser(app, { role: 'instructor', name: 'Coach' });
  const klass = await aClass(app, { name, sport, instructor });
  const { id } = klass;
  const [minAge, maxAge] = ages;
  await app.db
    .updateTable('class')
    .set({ minAge, maxAge, ...(level && { level }) })
    .where('id', '=', id)
    .execute();
  for (const meeting of meets) {
    const [after, starts = ''] = meeting.split(' ');
    const day = addDays('2090-01-02', Number(after));
    await aMeeting(app, klass, { day, starts, placeId: at ?? null });
  }
  return id;
}

const hall = (await aPlace(app, { name: 'Hall' })).id;
const pool = (await aPlace(app, { name: 'Old Pool' })).id;
await add({
  name: 'Saturday Kicks',
  sport: 'Soccer',
  meets: ['5 11:59', '12 11:59'],
  ages: [6, 8],
  level: 'beginner',
  at: hall,
});
await add({
  name: 'Weekday Racket',
  sport: 'Tennis',
  meets: ['0 12:00', '6 17:00'],
  ages: [9, null],
  level: 'advanced',
  at: pool,
});
await add({ name: 'Golden Lanes', sport: 'Swimming', ages: [60, 70], level: 'intermediate' });
await add({ name: 'Words Only' });

const found = async (input: object) => {
  const { body, status } = await app.send(listClasses, { status: 'approved', ...input });
  expect(status).toBe(200);
  expect(body.total).toBe(body.result.length);
  return body.result.map(({ name }) => name).toSorted();
};

const ask = async (input: object) =>
  (await app.send(listClasses, { status: 'approved', ...input })).body;

describe('the filters of the catalogue', () => {
  it.each([
    [{ day: 'sat' }, ['Saturday Kicks']],
    [{ day: 'mon' }, ['Weekday Racket']],
    [{ day: 'tue' }, []],
    [{ time: 'morning' }, ['Saturday Kicks']],
    [{ time: 'afternoon' }, ['Weekday Racket']],
    [{ time: 'evening' }, ['Weekday Racket']],
    [{ day: 'sun', time: 'evening' }, ['Weekday Racket']],
    // It meets on Mondays and it meets in the evening, but not on Monday evenings.
    [{ day: 'mon', time: 'evening' }, []],
    [{ day: 'tue,sat' }, ['Saturday Kicks']],
    [{ day: 'weekdays' }, ['Weekday Racket']],
    [{ day: 'weekend' }, ['Saturday Kicks', 'Weekday Racket']],
    [{ day: 'mon,sat', time: 'morning' }, ['Saturday Kicks']],
    [{ time: '12' }, ['Weekday Racket']],
    [{ time: '9' }, ['Saturday Kicks', 'Weekday Racket']],
    [{ day: 'weekdays', time: '13' }, []],
    [{ day: 'sun', time: '17' }, ['Weekday Racket']],
    [{ time: '18' }, []],
    [{ place: hall }, ['Saturday Kicks']],
    [{ place: pool, day: 'sat' }, []],
    // With classes for all levels.
    [{ level: 'beginner' }, ['Saturday Kicks', 'Words Only']],
    [{ level: 'advanced' }, ['Weekday Racket', 'Words Only']],
    [{ level: 'all' }, ['Words Only']],
  ])('finds by day, time, place and level: %j', async (input, names) => {
    expect(await found(input)).toEqual(names);
  });

  it.each([
    [6, ['Saturday Kicks', 'Words Only']],
    [8, ['Saturday Kicks', 'Words Only']],
    [9, ['Weekday Racket', 'Words Only']],
    [0, ['Words Only']],
    [65, ['Golden Lanes', 'Weekday Racket', 'Words Only']],
  ])('finds by age, with classes whose ages are words only: %d', async (age, names) => {
    expect(await found({ age })).toEqual(names);
  });

  it('wants all filters to hold', async () => {
    const wanted = { day: 'sat', time: 'morning', age: '7', place: hall, level: 'beginner' };
    expect(await found(wanted)).toEqual(['Saturday Kicks']);
    expect(await found({ ...wanted, age: '9' })).toEqual([]);
    expect(await found({ ...wanted, sport: 'Tennis' })).toEqual([]);
    expect(await found({ ...wanted, search: 'kicks' })).toEqual(['Saturday Kicks']);
  });

  it.each([
    ['day', 'someday'],
    ['day', 'sat,'],
    ['time', 'noon'],
    ['time', '24'],
    ['age', '-1'],
    ['age', '121'],
    ['place', 'hall'],
    ['level', 'expert'],
  ])('refuses %s=%s and names the field', async (field, value) => {
    const { status, body } = await app.send(listClasses, { [field]: value });
    expect([status, body]).toMatchObject([400, { code: 'INVALID_INPUT', field }]);
  });
});

describe('the search of the catalogue', () => {
  it.each([
    ['saturday', ['Saturday Kicks']],
    ['weekend', ['Saturday Kicks', 'Weekday Racket']],
    ['football', ['Saturday Kicks']],
    // An age is a whole word: 6 is not the beginning of 60.
    ['6', ['Saturday Kicks']],
    ['60', ['Golden Lanes', 'Weekday Racket']],
    ['age 7', ['Saturday Kicks']],
    ['football 7 saturday', ['Saturday Kicks']],
    ['football 9', []],
  ])('finds %s', async (search, names) => {
    expect(await found({ search })).toEqual(names);
  });

  it.each([
    ['saturdy', ['Saturday Kicks']],
    // Words that are in no name: another name of the sport, a day, a time of day.
    ['fotball', ['Saturday Kicks']],
    ['mondya', ['Weekday Racket']],
    ['fotball mornng', ['Saturday Kicks']],
    ['raket', ['Weekday Racket']],
    ['goldn lanes', ['Golden Lanes']],
    // A word that is right is searched as before.
    ['raket monday', ['Weekday Racket']],
    ['raket saturday', []],
    ['xyzzyx', []],
    ['61', ['Golden Lanes', 'Weekday Racket']],
    ['ab', []],
    ["'); drop table class; --", []],
  ])('forgives a typo: %s', async (search, names) => {
    expect(await found({ search })).toEqual(names);
  });

  it('knows the sports of now, by name and with a typo', async () => {
    const made = { name: 'Water Polo', icon: 'waves', rank: 20 };
    await app.db.insertInto('sport').values(made).execute();
    const id = await add({ name: 'Deep End' });
    await app.pool.query(`update class set sport = $2 where id = $1`, [id, made.name]);
    for (const search of ['water polo', 'watr polo', 'wtaer', 'poolo'])
      expect([search, await found({ search })]).toEqual([search, ['Deep End']]);
    await app.pool.query(`update sport set name = 'Canoeing' where rank = $1`, [20]);
    for (const search of ['canoeing', 'canoing', 'conoeing'])
      expect([search, await found({ search })]).toEqual([search, ['Deep End']]);
    expect(await found({ search: 'watr' })).toEqual([]);
    await app.db.deleteFrom('class').where('id', '=', id).execute();
    await app.db.deleteFrom('sport').where('rank', '=', 20).execute();
  });

  it('says that it is a second try, and only then', async () => {
    expect(await ask({ search: 'raket' })).toMatchObject({ alike: true, total: 1 });
    for (const input of [{ search: 'racket' }, { search: 'xyzzyx' }, {}])
      expect(await ask(input)).not.toHaveProperty('alike');
    for (const input of [{ page: 2 }, { day: 'sat' }])
      expect(await ask({ search: 'raket', ...input })).toMatchObject({ total: 0, result: [] });
  });
});
