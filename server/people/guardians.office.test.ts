// Guardians and the office: it adds and removes them, also who paid; who is blocked is told nothing.
import { describe, expect, it } from 'vitest';
import { addGuardian, listParticipants, removeGuardian } from '../../contract/people/family.ts';
import { blockUser } from '../../contract/people/staff.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { familiesOf } from '../classes/families.ts';

const app = await testApp();
const admin = await anAdmin(app);

const give = (child: { id: string }, email: string) =>
  app.send(addGuardian, { id: child.id, email }, admin.token);
const leave = (who: TestUser, child: { id: string }, whom: string) =>
  app.send(removeGuardian, { id: child.id, who: whom }, who.token);
const codeOf = ({ status, body }: { status: number; body: object }) => [
  status,
  'code' in body ? body.code : null,
];
const looksAfter = async (who: TestUser, child: { id: string }) =>
  (await app.send(listParticipants, {}, who.token)).body.some(({ _id }) => _id === child.id);

async function mailsTo(email: string) {
  await app.settled();
  const found = 'select subject from mailbox where recipient = $1';
  return (await app.pool.query<{ subject: string }>(found, [email])).rows;
}

describe('the office', () => {
  it('adds a guardian whose address is confirmed; all are told', async () => {
    const [eva, ben, late] = [await aUser(app), await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva], { name: 'Mia' });
    await app.pool.query('update "user" set proven_at = null where id = $1', [late.id]);
    expect(codeOf(await give(child, late.email))).toEqual([400, 'INVALID_INPUT']);
    expect(codeOf(await give({ id: eva.id }, ben.email))).toEqual([404, 'NOT_FOUND']);
    expect((await give(child, ben.email)).body).toEqual({ modifiedCount: 1 });
    expect((await give(child, ben.email)).body).toEqual({ modifiedCount: 0 });
    expect(await looksAfter(ben, child)).toBe(true);
    for (const { email } of [eva, ben]) expect(await mailsTo(email)).toHaveLength(1);
    const audited = `select from audit where subject = $1 and actor_id = $2 and detail = $3`;
    expect((await app.pool.query(audited, [child.id, admin.id, ben.id])).rowCount).toBe(1);
  });

  it('alone removes who paid for a seat ahead, beside that one', async () => {
    const [eva, ben] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [eva, ben]);
    await enrol(app, (await aClass(app)).id, ben, child);
    expect(codeOf(await leave(eva, child, ben.id))).toEqual([409, 'PAID_SEAT_AHEAD']);
    expect(await looksAfter(ben, child)).toBe(true);
    expect((await leave(admin, child, ben.id)).body).toEqual({ deletedCount: 1 });
    expect(await looksAfter(ben, child)).toBe(false);
    expect(codeOf(await leave(admin, child, eva.id))).toEqual([409, 'LAST_GUARDIAN']);
  });
});

it('a blocked guardian gets no mail about the child', async () => {
  const [eva, ben] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [eva, ben]);
  await app.send(blockUser, { id: ben.id }, admin.token);
  const klass = await aClass(app);
  await enrol(app, klass.id, eva, child);
  expect((await familiesOf(app.db, [klass.id])).map(({ id }) => id)).toEqual([eva.id]);
  expect((await leave(eva, child, ben.id)).status).toBe(200);
  expect([(await mailsTo(eva.email)).length, await mailsTo(ben.email)]).toEqual([1, []]);
});
