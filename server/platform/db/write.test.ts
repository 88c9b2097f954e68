// The frame around every act. Two requests in a known order: what changes the caller waits for the
// act under way, and an act that comes after the change is refused.
import { expect, it, vi } from 'vitest';
import { deleteAccount } from '../../../contract/signin/account.ts';
import { blockUser, makeStudent } from '../../../contract/people/staff.ts';
import { makeInstructor } from '../../../contract/people/users.ts';
import { testApp } from '../../testing/app.ts';
import { anAdmin, type TestUser } from '../../testing/factories.ts';
import { waiters } from '../../testing/overtaken.ts';
import { aConfirmedMember, goodPassword, idOf } from '../../testing/visitor.ts';
import { type Act, changed, own, type Who } from './write.ts';

const app = await testApp();
const avery = await anAdmin(app);
const send = app.send;

/** A coach without classes, signed in through the API. */
async function aCoach() {
  const { email, visitor } = await aConfirmedMember(app);
  const id = await idOf(app, email);
  await send(makeInstructor, { id }, avery.token);
  const token = await visitor.token(email);
  const { id: sessionId } = await app.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  const who: Who = { id, sessionId, role: 'instructor' };
  return { who, email, visitor, token };
}
type Coach = Awaited<ReturnType<typeof aCoach>>;

const newPassword = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
const changes: Record<string, (malik: Coach) => Promise<{ status: number }>> = {
  'blocking an account': ({ who }) => send(blockUser, { id: who.id }, avery.token),
  'a demotion': ({ who }) => send(makeStudent, { id: who.id }, avery.token),
  'a deletion': ({ token }) => send(deleteAccount, { password: goodPassword }, token),
  'a new password': ({ visitor }) => visitor.auth('change-password', newPassword),
  'signing out': ({ visitor }) => visitor.auth('sign-out'),
};

/** An act that begins before the change, and ends when `until` says so. */
function underWay(act: (work: () => Promise<void>) => Promise<unknown>, until: Promise<unknown>) {
  const begun = Promise.withResolvers<void>();
  const ended = act(async () => {
    begun.resolve();
    await until;
  });
  return { begun: begun.promise, ended };
}

it.each(Object.entries(changes))('%s waits for the act under way', async (_name, change) => {
  const malik = await aCoach();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const act = underWay((work) => app.write(malik.who, async () => own(await work())), gate.promise);
  await act.begun;
  const changing = change(malik).then(({ status }) => order.push(`changed ${status}`));
  await waiters(app, 1);
  expect(order).toEqual([]);
  gate.resolve();
  // Both end with the commit of the act.
  await Promise.all([act.ended, changing]);
  expect(order).toEqual(['changed 200']);
});

it('outside the frame none of them waits', async () => {
  for (const change of Object.values(changes)) {
    const malik = await aCoach();
    const gate = Promise.withResolvers<void>();
    const act = underWay((work) => app.transaction(work), gate.promise);
    await act.begun;
    expect((await change(malik)).status).toBe(200);
    gate.resolve();
    await act.ended;
  }
});

it.each(Object.entries(changes))('an act that comes after %s is refused', async (_name, change) => {
  const malik = await aCoach();
  expect((await change(malik)).status).toBe(200);
  const work = vi.fn<() => Promise<Act<null>>>(() => Promise.resolve(own(null)));
  await expect(app.write(malik.who, work)).rejects.toMatchObject({
    code: expect.stringMatching(/^(UNAUTHENTICATED|FORBIDDEN)$/),
  });
  expect(work).not.toHaveBeenCalled();
});

const linesOf = async ({ id }: Pick<TestUser, 'id'>) =>
  (await app.pool.query('select action, subject from audit where actor_id = $1 order by id', [id]))
    .rows;

it('an act leaves its line, and none when it fails', async () => {
  const quinn = await anAdmin(app);
  const act = changed({ action: 'first steps', subject: 'here' });
  await app.write(quinn, () => Promise.resolve(act));
  await app.write(quinn, () => Promise.resolve(own(null)));
  await expect(app.write(quinn, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await linesOf(quinn)).toEqual([{ action: 'first steps', subject: 'here' }]);
});

it('an act on others locks them with the caller, by id', async () => {
  const [pia, stan] = await Promise.all([anAdmin(app), anAdmin(app)]);
  const name = async (who: TestUser, other: TestUser) =>
    app.writeAccounts(who, { ids: [other.id], lock: 'update' }, (_db, accounts) =>
      Promise.resolve(own(accounts.map(({ id }) => id))),
    );
  const both = [pia.id, stan.id].toSorted();
  const all = Array.from({ length: 20 }, (_, n) => (n % 2 ? name(pia, stan) : name(stan, pia)));
  expect(await Promise.all(all)).toEqual(all.map(() => both));
});

it('the work of nobody waits for a deletion of who pays', async () => {
  const { who, token } = await aCoach();
  const gate = Promise.withResolvers<void>();
  const act = underWay((work) => app.system([who.id], work), gate.promise);
  await act.begun;
  const leaving = send(deleteAccount, { password: goodPassword }, token);
  await waiters(app, 1);
  gate.resolve();
  await act.ended;
  expect((await leaving).status).toBe(200);
});
