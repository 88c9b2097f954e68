// Proving an address and a family: what the account has outlives the proof.
import { expect, it } from 'vitest';
import { noCare } from '../../../contract/care.ts';
import { aClass } from '../../testing/factories.ts';
import { aChild, enrol } from '../../testing/family.ts';
import {
  anApp,
  expectOwnerIn,
  newPassword,
  proofs,
  resetByMail,
  setConfirmed,
  squatted,
} from '../../testing/squatted.ts';
import { idOf, type Visitor } from '../../testing/visitor.ts';

const app = await anApp();

const as = (
  visitor: Visitor,
  token: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
) => visitor.ask(method, `/api${path}`, body, { authorization: `Bearer ${token}` });

it.each(Object.keys(proofs))('family, seat, cart and profile outlive %s', async (way) => {
  const scene = await squatted(app);
  const { visitor, token } = scene.stranger;
  const id = await idOf(app, scene.email);
  await as(visitor, token, 'PATCH', `/participants/${id}`, { born: '1980-01-31' });
  const child = await aChild(app, [{ id }], { name: 'Tom' });
  const care = { ...noCare, note: 'NUTS' };
  await as(visitor, token, 'PATCH', `/participants/care/${child.id}`, care);
  const [klass, wanted] = [await aClass(app), await aClass(app)];
  await enrol(app, klass.id, { id }, child);
  expect((await as(visitor, token, 'POST', '/bookeds', { itemId: wanted.id })).status).toBe(201);
  await app.pool.query(`update "user" set phone = '+351 210 000 000' where id = $1`, [id]);
  const profile = 'select name, image, phone, mail_off from "user" where id = $1';
  const before = (await app.pool.query(profile, [id])).rows;

  expect((await proofs[way]?.(app, scene))?.status).toBe(200);

  const owner = await expectOwnerIn(app, scene.email, newPassword);
  const get = async (path: string) => (await as(owner.visitor, owner.token, 'GET', path)).body;
  expect(await get('/participants')).toMatchObject([
    { self: true, born: '1980-01-31' },
    { name: 'Tom', care: 'filled' },
  ]);
  expect(await get(`/participants/care/${child.id}`)).toMatchObject({ note: 'NUTS' });
  expect(await get(`/enrolments?email=${scene.email}`)).toHaveLength(1);
  expect(await get(`/bookeds?email=${scene.email}`)).toHaveLength(1);
  expect((await app.pool.query(profile, [id])).rows).toEqual(before);
});

it('an invitation is not sent by an unproven account, and ends with a new password', async () => {
  const scene = await squatted(app);
  const { visitor, token } = scene.stranger;
  const child = await aChild(app, [{ id: await idOf(app, scene.email) }]);
  const letter = { email: 'accomplice@example.com', participantIds: [child.id] };
  const refused = await as(visitor, token, 'POST', '/guardians/invite', letter);
  expect([refused.status, refused.body.code]).toEqual([409, 'EMAIL_NOT_CONFIRMED']);
  await setConfirmed(app, scene.email, true);
  expect((await as(visitor, token, 'POST', '/guardians/invite', letter)).status).toBe(200);
  expect((await resetByMail(app, scene)).status).toBe(200);
  const open = await app.db
    .selectFrom('invitation')
    .select('email')
    .where('participantId', '=', child.id)
    .execute();
  expect(open).toEqual([]);
});
