// A request whose body arrives slowly: its caller is read before the body, and again after it.
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { blockUser, makeStudent } from '../../contract/staff.ts';
import { changeSteps } from '../../contract/steps.ts';
import { makeInstructor } from '../../contract/users.ts';
import { testApp } from '../testing/app.ts';
import { anAdmin, type TestUser } from '../testing/factories.ts';

const app = await testApp();
const boss = await anAdmin(app);
afterEach(() => vi.restoreAllMocks());

/** Begins a request of the admin, does `meanwhile`, and sends the body after it. */
async function slowly({ token }: TestUser, meanwhile: () => Promise<unknown>) {
  const asked = Promise.withResolvers<void>();
  // The body is read when the caller is known.
  const payload = new Readable({ read: () => asked.resolve() });
  const answer = app.ask({
    method: 'PATCH',
    url: `/api${changeSteps.path}`,
    payload,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  await asked.promise;
  await meanwhile();
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 5_000);
  payload.push('{"hidden":true}');
  payload.push(null);
  return (await answer).statusCode;
}

it.each<[string, (id: string) => Promise<unknown>, number]>([
  ['nothing happens', async () => undefined, 200],
  ['they are demoted', (id) => app.send(makeInstructor, { id }, boss.token), 403],
  ['they are made a student', (id) => app.send(makeStudent, { id }, boss.token), 403],
  ['they are blocked', (id) => app.send(blockUser, { id }, boss.token), 401],
])('of an admin, while %s', async (_what, meanwhile, status) => {
  const admin = await anAdmin(app);
  expect(await slowly(admin, () => meanwhile(admin.id))).toBe(status);
});
