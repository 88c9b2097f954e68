import { describe, expect, it } from 'vitest';
import {
  addClass,
  approveClass,
  denyClass,
  exportClasses,
  getClass,
  giveFeedback,
  listClasses,
  listInstructorClasses,
  updateClass,
} from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { appOn, testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';

const app = await testApp();
const admin = await anAdmin(app);
const coach = await anInstructor(app);

const form = { name: 'Soccer', img: 'https://example.com/a.png', price: '19.99', seat: 12 };
const approvedIds = async () =>
  (await app.send(listClasses, { status: 'approved' })).body.result.map((found) => found._id);
const row = (id: string) =>
  app.db.selectFrom('class').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('an instructor', () => {
  it('adds a pending class in their own name, whatever is sent', async () => {
    const sent = { ...form, instructor: 'Somebody Else', status: 'approved' };
    const { status, body } = await app.send(addClass, sent, coach.token);
    expect(status).toBe(201);
    expect(await row(body.insertedId)).toMatchObject({
      instructorId: coach.id,
      status: 'pending',
      priceCents: 1999,
      capacity: 12,
    });
    expect(await approvedIds()).not.toContain(body.insertedId);
    expect((await app.send(getClass, { id: body.insertedId })).status).toBe(404);
    expect((await app.send(getClass, { id: body.insertedId }, coach.token)).body).toMatchObject({
      instructor: coach.name,
      capacity: 12,
      feedback: '',
    });
  });

  it.each([
    [{ price: '0.49' }, 'price'],
    [{ seat: 0 }, 'seat'],
    [{ name: '  ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ img: 'http://example.com/a.png' }, 'img'],
    [{ img: 'javascript:alert(1)' }, 'img'],
    [{ status: 'x'.repeat(21) }, 'status'],
    [{ email: 'other@example.com' }, 'email'],
    [{ sold: 3 }, 'sold'],
    [{ _id: '1' }, '_id'],
  ])('is told which field is wrong in %j', async (wrong, field) => {
    const answer = await app.ask({
      method: 'POST',
      url: '/api/classes',
      payload: { ...form, ...wrong },
      headers: { authorization: `Bearer ${coach.token}` },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: true, field });
  });

  it('adds one class per Idempotency-Key, however often it is sent', async () => {
    const add = (key: string, changed: object = {}, who = coach) =>
      app.ask({
        method: 'POST',
        url: '/api/classes',
        payload: { ...form, ...changed },
        headers: { authorization: `Bearer ${who.token}`, 'idempotency-key': key },
      });
    const key = crypto.randomUUID();
    const answers = await Promise.all([add(key), add(key), add(key, { name: 'Another name' })]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 201,
    ]);
    const ids = new Set(answers.map((answer) => answer.json<{ insertedId: string }>().insertedId));
    expect(ids.size).toBe(1);
    expect((await add(key.toUpperCase())).statusCode).toBe(200);
    expect((await add(crypto.randomUUID())).statusCode).toBe(201);
    expect((await add(key, {}, await anInstructor(app))).statusCode).toBe(201);
    for (const wrong of ['1', 'x'.repeat(500), `${key}, ${key}`]) {
      const refused = await add(wrong);
      expect([refused.statusCode, refused.json<{ field: string }>().field]).toEqual([
        400,
        'Idempotency-Key',
      ]);
    }
  });

  it('changes price and seats, never below those sold or held', async () => {
    const { id } = await aClass(app, { instructor: coach, capacity: 5, status: 'pending' });
    await app.pool.query(`update class set sold = 2, held = 1 where id = $1`, [id]);
    expect((await app.send(updateClass, { id, price: 25, seat: 3 }, coach.token)).body).toEqual({
      modifiedCount: 1,
    });
    expect(await row(id)).toMatchObject({ status: 'pending', priceCents: 2500, capacity: 3 });
    const { detail } = await app.db
      .selectFrom('audit')
      .select('detail')
      .where('subject', '=', id)
      .executeTakeFirstOrThrow();
    expect(detail).toContain('price $19.99 → $25.00, seats 5 → 3');
    const refused = await app.send(updateClass, { id, seat: 2 }, coach.token);
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([
      409,
      'SEATS_BELOW_SOLD',
      'seat',
    ]);
    expect((await app.send(updateClass, { id, price: '25.00' }, coach.token)).body).toEqual({
      modifiedCount: 0,
    });
  });

  it('sees own classes of every status with the feedback', async () => {
    const own = await anInstructor(app);
    const { id } = await aClass(app, { instructor: own, status: 'denied' });
    await app.send(giveFeedback, { id, feedback: 'Please add a second coach.' }, admin.token);
    const list = await app.send(listInstructorClasses, { email: own.email }, own.token);
    expect(list.body.map((found) => [found._id, found.status, found.feedback])).toEqual([
      [id, 'denied', 'Please add a second coach.'],
    ]);
  });
});

describe('an admin', () => {
  it('adds an approved class for an instructor, and nobody else', async () => {
    const given = { ...form, instructorId: coach.id };
    const { status, body } = await app.send(addClass, given, admin.token);
    expect(status).toBe(201);
    expect(await row(body.insertedId)).toMatchObject({
      instructorId: coach.id,
      status: 'approved',
      proposedAt: null,
    });
    for (const { id } of [admin, await aUser(app)]) {
      const refused = await app.send(addClass, { ...form, instructorId: id }, admin.token);
      expect([refused.status, refused.body.code]).toEqual([409, 'NOT_AN_INSTRUCTOR']);
    }
  });

  it('approves and denies; the same decision again changes nothing', async () => {
    const { id } = await aClass(app, { status: 'pending' });
    expect((await app.send(approveClass, { id }, admin.token)).body).toEqual({ modifiedCount: 1 });
    expect((await app.send(approveClass, { id }, admin.token)).body).toEqual({ modifiedCount: 0 });
    expect(await approvedIds()).toContain(id);
    expect((await app.send(denyClass, { id }, admin.token)).body).toEqual({ modifiedCount: 1 });
    expect(await approvedIds()).not.toContain(id);
  });

  it('sees every class in outQueryResult; visitors do not', async () => {
    const { id } = await aClass(app, { status: 'pending' });
    const seen = (body: { result: { _id: string }[]; outQueryResult: { _id: string }[] }) => [
      body.result.some((found) => found._id === id),
      body.outQueryResult.some((found) => found._id === id),
    ];
    expect(seen((await app.send(listClasses, {}, admin.token)).body)).toEqual([false, true]);
    expect(seen((await app.send(listClasses, { status: 'pending' }, coach.token)).body)).toEqual([
      false,
      false,
    ]);
    expect(seen((await app.send(listClasses, { status: 'pending' })).body)).toEqual([false, false]);
    expect(seen((await app.send(listClasses, {})).body)).toEqual([false, false]);
    const spreadsheet = await app.send(exportClasses, { status: 'pending' }, admin.token);
    expect(String(spreadsheet.body).split('\r\n')[0]).toContain('"Name","Instructor","Email"');
  });
});

describe('the catalogue', () => {
  it('filters by words, sport, price and free seats, and sorts', async () => {
    const teacher = await anInstructor(app);
    const one = { instructor: teacher, sport: 'Tennis' as const };
    const cheap = await aClass(app, { ...one, name: 'Quixotic lobs', cents: 1_000 });
    const expensive = await aClass(app, {
      ...one,
      name: 'Quixotic serves',
      cents: 9_000,
      capacity: 1,
    });
    await app.pool.query(`update class set sold = 1 where id = $1`, [expensive.id]);
    const found = async (filter: object) =>
      (
        await app.send(listClasses, { status: 'approved', instructor: teacher.id, ...filter })
      ).body.result.map((hit) => hit._id);
    expect(await found({ sort: 'price' })).toEqual([cheap.id, expensive.id]);
    expect(await found({ sort: 'popular' })).toEqual([expensive.id, cheap.id]);
    expect(await found({ search: 'quix lob' })).toEqual([cheap.id]);
    expect(await found({ minPrice: '50' })).toEqual([expensive.id]);
    expect(await found({ maxPrice: '10.00' })).toEqual([cheap.id]);
    expect(await found({ free: 'true' })).toEqual([cheap.id]);
    expect(await found({ sport: 'Yoga' })).toEqual([]);
    expect(await found({ search: `'); drop table class; --` })).toEqual([]);
    expect(await found({ page: 2, limit: 1, sort: 'price' })).toEqual([expensive.id]);
  });

  it('finds by words of a class and of its instructor together', async () => {
    const teacher = await aUser(app, { role: 'instructor', name: 'Zoë Überall' });
    const { id } = await aClass(app, { instructor: teacher, name: 'Zephyr sailing' });
    const found = async (search: string) =>
      (await app.send(listClasses, { search })).body.result.map(({ _id }) => _id);
    expect(await found('zephyr uber')).toEqual([id]);
    expect(await found('sailing zoe')).toEqual([id]);
    // Not by the address, of which every account has some words.
    expect(await found(`zephyr ${teacher.email}`)).toEqual([]);
  });

  it('is kept with an ETag until a change in any process', async () => {
    const other = await appOn(app.url);
    const { id } = await aClass(app, { capacity: 7 });
    const ask = (from: typeof app, headers = {}) =>
      from.ask({ method: 'GET', url: `/api/classes?status=approved&limit=100`, headers });
    const seats = async (from: typeof app) =>
      (await ask(from))
        .json<{ result: { _id: string; seat: number }[] }>()
        .result.find((found) => found._id === id)?.seat;
    const { headers } = await ask(app);
    expect((await ask(app, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
    expect([await seats(app), await seats(other)]).toEqual([7, 7]);
    await app.pool.query(`update class set held = 3 where id = $1`, [id]);
    await expect.poll(() => seats(app)).toBe(4);
    await expect.poll(() => seats(other)).toBe(4);
    await other.close();
  });
});

describe('instructors', () => {
  it('are all users with the role, with their approved classes', async () => {
    const teacher = await anInstructor(app);
    await aClass(app, { instructor: teacher, sport: 'Tennis' });
    await aClass(app, { instructor: teacher, sport: 'Yoga', status: 'pending' });
    const student = await aUser(app);
    const { body, status } = await app.send(listInstructors, { search: teacher.name });
    expect([status, body]).toEqual([
      200,
      [
        {
          id: teacher.id,
          name: teacher.name,
          email: teacher.email,
          img: 'https://example.com/face.png',
          classes: 1,
          sports: ['Tennis'],
        },
      ],
    ]);
    expect((await app.send(listInstructors, { search: student.name })).body).toEqual([]);
  });

  it('are found by the beginnings of the words of their names', async () => {
    await aUser(app, { role: 'instructor', name: 'Quentin Hoffmann' });
    const found = async (search: string) =>
      (await app.send(listInstructors, { search })).body.map((instructor) => instructor.name);
    expect(await found('hoff quen')).toEqual(['Quentin Hoffmann']);
    expect(await found('offmann')).toEqual([]);
    expect(await found('hoff nobody')).toEqual([]);
  });

  it('are sorted by enrolments, and named on their classes', async () => {
    const teacher = await anInstructor(app);
    const { id } = await aClass(app, { instructor: teacher });
    await app.pool.query(`update class set sold = 9 where id = $1`, [id]);
    expect((await app.send(listInstructors, { sort: 'popular', limit: 1 })).body[0]?.id).toBe(
      teacher.id,
    );
    await app.pool.query(`update "user" set name = 'New Name' where id = $1`, [teacher.id]);
    const { body } = await app.send(getClass, { id });
    expect(body.instructor).toBe('New Name');
  });
});
