import { describe, expect, it } from 'vitest';
import {
  addClass,
  exportClasses,
  getClass,
  listClasses,
  updateClass,
} from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';

const app = await testApp();
const admin = await anAdmin(app);
const coach = await anInstructor(app);

const form = { name: 'Soccer', img: 'https://example.com/a.png', price: '19.99', seat: 12 };
const post = (payload: object, headers: object = {}, { token } = coach) =>
  app.ask({
    method: 'POST',
    url: '/api/classes',
    payload,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const row = (id: string) =>
  app.db.selectFrom('class').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const add = (key: string, changed: object = {}, who = coach) =>
  post({ ...form, ...changed }, { 'idempotency-key': key }, who);

describe('an instructor', () => {
  it('adds a pending class in their own name, whatever is sent', async () => {
    const sent = { ...form, instructor: 'Somebody Else', status: 'approved' };
    const { body } = await app.send(addClass, sent, coach.token);
    const added = { instructorId: coach.id, status: 'pending', priceCents: 1999, capacity: 12 };
    expect(await row(body.insertedId)).toMatchObject(added);
    expect((await app.send(getClass, { id: body.insertedId })).status).toBe(404);
  });

  it.each([
    [{ name: 'a\u0000b' }, 'name'],
    [{ img: 'javascript:alert(1)' }, 'img'],
    [{ email: 'other@example.com' }, 'email'],
    [{ sold: 3 }, 'sold'],
  ])('is told which field is wrong in %j', async (wrong, field) => {
    const answer = await post({ ...form, ...wrong });
    expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([400, field]);
  });

  it('adds one class per Idempotency-Key, however often it is sent', async () => {
    const key = crypto.randomUUID();
    const answers = await Promise.all([add(key), add(key), add(key, { name: 'Another name' })]);
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    const ids = new Set(answers.map((answer) => answer.json<{ insertedId: string }>().insertedId));
    expect(ids.size).toBe(1);
    expect((await add(key.toUpperCase())).statusCode).toBe(200);
    expect((await add(crypto.randomUUID())).statusCode).toBe(201);
    expect((await add(key, {}, await anInstructor(app))).statusCode).toBe(201);
    for (const wrong of ['1', 'x'.repeat(500), `${key}, ${key}`]) {
      const refused = await add(wrong);
      expect(refused.json<{ field: string }>().field).toBe('Idempotency-Key');
    }
  });

  it('changes price and seats, never below those sold or held', async () => {
    const { id } = await aClass(app, { instructor: coach, capacity: 5, status: 'pending' });
    await app.pool.query(`update class set sold = 2, held = 1 where id = $1`, [id]);
    const change = (changes: object) => app.send(updateClass, { id, ...changes }, coach.token);
    expect((await change({ price: 25, seat: 3 })).body).toEqual({ modifiedCount: 1 });
    expect(await row(id)).toMatchObject({ status: 'pending', priceCents: 2500, capacity: 3 });
    const { rows } = await app.pool.query('select detail from audit where subject = $1', [id]);
    expect(rows[0]?.['detail']).toContain('price $19.99 → $25.00, seats 5 → 3');
    const refused = await change({ seat: 2 });
    expect([refused.status, refused.body.field]).toEqual([409, 'seat']);
    expect((await change({ price: '25.00' })).body).toEqual({ modifiedCount: 0 });
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

  it('gets every class as a spreadsheet', async () => {
    const { name } = await aClass(app, { status: 'pending' });
    const { body } = await app.send(
      exportClasses,
      { status: 'pending', search: name },
      admin.token,
    );
    const [head, line] = String(body).split('\r\n');
    expect(head).toContain('"Name","Instructor","Email"');
    expect(line).toContain(`"${name}"`);
  });
});

describe('the catalogue', () => {
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
});

describe('instructors', () => {
  it('are all users with the role, with their approved classes', async () => {
    const teacher = await anInstructor(app);
    await aClass(app, { instructor: teacher, sport: 'Tennis' });
    await aClass(app, { instructor: teacher, sport: 'Yoga', status: 'pending' });
    const student = await aUser(app);
    const { body } = await app.send(listInstructors, { search: teacher.name });
    expect(body).toMatchObject([{ id: teacher.id, classes: 1, sports: ['Tennis'] }]);
    expect((await app.send(listInstructors, { search: student.name })).body).toEqual([]);
  });

  it('are sorted by enrolments, and named on their classes', async () => {
    const teacher = await anInstructor(app);
    const { id } = await aClass(app, { instructor: teacher });
    await app.pool.query(`update class set sold = 9 where id = $1`, [id]);
    const { body: first } = await app.send(listInstructors, { sort: 'popular', limit: 1 });
    expect(first[0]?.id).toBe(teacher.id);
    await app.pool.query(`update "user" set name = 'New Name' where id = $1`, [teacher.id]);
    const { body } = await app.send(getClass, { id });
    expect(body.instructor).toBe('New Name');
  });
});
