// The frame around every act. Two requests in a known order: what changes the caller waits for the
// act under way, and an act that comes after the change is refused.
import { expect, it, vi } from 'vitest';
import { deleteAccount } from '../../../contract/signin/account.ts';
import { blockUser, makeStudent } from '../../../contract/people/staff.ts';
import { makeInstructor } from '../../../contract/people/users.ts';
import { testApp } from '../../testing/app.ts';
import { anAdmin, anInstructor, type TestUser } from '../../testing/factories.ts';
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

interface Change {
  who: Who;
  change: () => Promise<{ status: number }>;
}
const byAvery = (call: typeof blockUser | typeof makeStudent) => async (): Promise<Change> => {
  const who = await anInstructor(app);
  return { who, change: () => send(call, { id: who.id }, avery.token) };
};
const byThemselves = (change: (malik: Coach) => ReturnType<Change['change']>) => async () => {
  const malik = await aCoach();
  return { who: malik.who, change: () => change(malik) };
};
const newPassword = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
const changes: Record<string, () => Promise<Change>> = {
  'blocking an account': byAvery(blockUser),
  'a demotion': byAvery(makeStudent),
  'a deletion': byThemselves(({ token }) => send(deleteAccount, { password: goodPassword }, token)),
  'a new password': byThemselves(({ visitor }) => visitor.auth('change-password', newPassword)),
  'signing out': byThemselves(({ visitor }) => visitor.auth('sign-out')),
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

it.each(Object.entries(changes))('%s waits for the act under way', async (_name, about) => {
  const { who, change } = await about();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const act = underWay((work) => app.write(who, async () => own(await work())), gate.promise);
  await act.begun;
  const changing = change().then(({ status }) => order.push(`changed ${status}`));
  await waiters(app, 1);
  expect(order).toEqual([]);
  gate.resolve();
  // Both end with the commit of the act.
  await Promise.all([act.ended, changing]);
  expect(order).toEqual(['changed 200']);
});

it('outside the frame none of them waits', async () => {
  for (const about of Object.values(changes)) {
    const { change } = await about();
    const gate = Promise.withResolvers<void>();
    const act = underWay((work) => app.transaction(work), gate.promise);
    await act.begun;
    expect((await change()).status).toBe(200);
    gate.resolve();
    await act.ended;
  }
});

it.each(Object.entries(changes))('an act that comes after %s is refused', async (_name, about) => {
  const { who, change } = await about();
  expect((await change()).status).toBe(200);
  const work = vi.fn<() => Promise<Act<null>>>(() => Promise.resolve(own(null)));
  await expect(app.write(who, work)).rejects.toMatchObject({
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
