// A request whose body arrives slowly: its caller is read before the body, and again after it or
// under the locks of what it writes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeAcademy } from '../../contract/academy.ts';
import type { AnyCall } from '../../contract/call.ts';
import { openBasket } from '../../contract/checkout.ts';
import { approveClass, denyClass, giveFeedback, handOverClass } from '../../contract/classes.ts';
import { addPlace } from '../../contract/places.ts';
import { blockUser, makeStudent, unblockUser } from '../../contract/staff.ts';
import { changeSteps } from '../../contract/steps.ts';
import { makeAdmin, makeInstructor } from '../../contract/users.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { slowly } from '../testing/slowly.ts';

const app = await testApp();
const boss = await anAdmin(app);
afterEach(() => vi.restoreAllMocks());

it.each<[string, (id: string) => Promise<unknown>, number]>([
  ['nothing happens', async () => undefined, 200],
  ['they are demoted', (id) => app.send(makeInstructor, { id }, boss.token), 403],
  ['they are made a student', (id) => app.send(makeStudent, { id }, boss.token), 403],
  ['they are blocked', (id) => app.send(blockUser, { id }, boss.token), 401],
])('of an admin, while %s', async (_what, meanwhile, status) => {
  const admin = await anAdmin(app);
  const request = { call: changeSteps, input: { hidden: true }, seconds: 5 };
  expect(await slowly(app, { ...request, ...admin }, () => meanwhile(admin.id))).toBe(status);
});

it('of a student, twenty milliseconds late, while their sessions end', async () => {
  const student = await aUser(app);
  const request = { call: openBasket, input: { items: [student.id], total: 20 }, seconds: 0.02 };
  const end = () => app.pool.query('delete from session where user_id = $1', [student.id]);
  expect(await slowly(app, { ...request, ...student }, end)).toBe(401);
});

const someone = async () => ({ id: (await aUser(app)).id });
const aBlockedUser = async () => {
  const { id } = await aUser(app);
  await app.send(blockUser, { id }, boss.token);
  return { id };
};
const aPendingClass = async () => ({ id: (await aClass(app, { status: 'pending' })).id });

describe.each<[string, AnyCall, () => Promise<object>]>([
  ['makeAdmin', makeAdmin, someone],
  ['makeInstructor', makeInstructor, someone],
  ['makeStudent', makeStudent, async () => ({ id: (await anInstructor(app)).id })],
  ['blockUser', blockUser, someone],
  ['unblockUser', unblockUser, aBlockedUser],
  ['approveClass', approveClass, aPendingClass],
  ['denyClass', denyClass, aPendingClass],
  [
    'handOverClass',
    handOverClass,
    async () => ({ ...(await aPendingClass()), to: (await anInstructor(app)).id }),
  ],
  ['giveFeedback', giveFeedback, async () => ({ ...(await aPendingClass()), feedback: 'More' })],
  ['changeSteps', changeSteps, async () => ({ backup: true })],
  ['addPlace', addPlace, async () => ({ name: 'Late', address: '', capacity: 5 })],
  ['changeAcademy', changeAcademy, async () => ({ version: 1, tagline: 'Late' })],
])('a body of %s that is not slow enough to ask again', (_name, call, input) => {
  it.each([
    ['ended', 401, 'delete from session where user_id = $1'],
    ['demoted', 403, `update "user" set role = 'student' where id = $1`],
  ])('writes nothing when the admin is %s meanwhile', async (_what, status, text) => {
    const admin = await anAdmin(app);
    const request = { call, input: await input(), seconds: 0 };
    const end = () => app.pool.query(text, [admin.id]);
    expect(await slowly(app, { ...request, ...admin }, end)).toBe(status);
    const { rowCount } = await app.pool.query('select from audit where actor_id = $1', [admin.id]);
    expect(rowCount).toBe(0);
  });
});
