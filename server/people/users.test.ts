import { describe, expect, it } from 'vitest';
import { listUsers, makeAdmin, makeInstructor } from '../../contract/people/users.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, aUser } from '../testing/factories.ts';
import { aMember } from '../testing/visitor.ts';
import { promoteFirst } from './users.ts';

const app = await testApp();
const roleOf = async (id: string) =>
  (await app.db.selectFrom('user').select('role').where('id', '=', id).executeTakeFirstOrThrow())
    .role;

it('a role that is asked for is refused, and logged once a day', async () => {
  const { visitor, email } = await aMember(app);
  const form = { name: 'A', email, role: 'call\n+49 30 1234' };
  const asked = Array.from({ length: 8 }, () => visitor.ask('POST', '/api/users', form));
  for (const { status, body } of await Promise.all(asked))
    expect([status, body.code, body.field]).toEqual([400, 'ROLE_NOT_GIVEN', 'role']);
  const { rows } = await app.pool.query(
    `select action, detail from audit where actor_id = (select id from "user" where email = $1)`,
    [email],
  );
  expect(rows).toEqual([{ action: 'role refused', detail: 'unknown role' }]);
});

describe('an admin', () => {
  it('finds users by name or email, sorted, with the number of all', async () => {
    const admin = await anAdmin(app);
    const found = async (search: string) =>
      (await app.send(listUsers, { search }, admin.token)).body.map(({ name }) => name);
    await aUser(app, { name: 'Zoë Ångström', email: 'zoe.a+tag@skola.example' });
    await aUser(app, { name: 'अमित कुमार' });
    await aUser(app, { name: 'Zoe 100%_literal' });
    for (const words of ['ångs', 'skola zoë', 'zoe.a+tag@skola.example'])
      expect(await found(words)).toEqual(['Zoë Ångström']);
    expect(await found('अमि कु')).toEqual(['अमित कुमार']);
    expect(await found('100%_lit')).toEqual(['Zoe 100%_literal']);
    const all = await app.send(listUsers, { limit: 1 }, admin.token);
    const { rowCount } = await app.pool.query('select from "user"');
    expect(all.body).toHaveLength(1);
    expect(all.headers['x-total-count']).toBe(String(rowCount));
  });
});

it('a deleted account is unknown, and gets no role', async () => {
  const admin = await anAdmin(app);
  const { id } = await aUser(app);
  await app.pool.query(
    `update "user" set email = 'deleted-' || id || '@deleted.invalid', proven_at = null, erased_at = now()
     where id = $1`,
    [id],
  );
  for (const call of [makeAdmin, makeInstructor])
    expect((await app.send(call, { id }, admin.token)).status).toBe(404);
});

it('shows which addresses are not confirmed', async () => {
  const admin = await anAdmin(app);
  const [proven, open] = [await aUser(app), await aUser(app)];
  await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', open.id).execute();
  const listed = async ({ email: search }: { email: string }) =>
    (await app.send(listUsers, { search }, admin.token)).body[0];
  expect(await listed(open)).toHaveProperty('unconfirmed', true);
  expect(await listed(proven)).not.toHaveProperty('unconfirmed');
});

it('names the first admin by command only while there is none', async () => {
  await app.db.updateTable('user').set({ role: 'student' }).where('role', '=', 'admin').execute();
  const student = await aUser(app);
  const makeFirstAdmin = (email: string) => app.system([], (db) => promoteFirst(db, email));
  expect(await makeFirstAdmin('stranger@example.com')).toMatchObject({ invite: true });
  await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', student.id).execute();
  expect((await makeFirstAdmin(student.email)).says).toContain('is not confirmed');
  expect(await roleOf(student.id)).toBe('student');
  await app.pool.query('update "user" set proven_at = now() where id = $1', [student.id]);
  expect((await makeFirstAdmin(student.email)).says).toBe(`${student.name} is an Admin Now!`);
  expect((await makeFirstAdmin((await aUser(app)).email)).says).toContain(
    'There is an admin already',
  );
});

it('keeps an audit log that the database does not let change', async () => {
  await expect(app.db.updateTable('audit').set({ action: 'nothing' }).execute()).rejects.toThrow(
    'append-only',
  );
  await expect(app.db.deleteFrom('audit').execute()).rejects.toThrow('append-only');
  await expect(app.pool.query('truncate audit')).rejects.toThrow('append-only');
});
