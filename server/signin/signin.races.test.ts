// What is under way while a way in ends: no session comes of it, and a link is spent once. A second
// connection holds the account until both have come: first what ends the way in, then what enters.
// Each race has a control: the same without the lock, or with a question that was asked before it.
// There the intruder is in, so the order of these tests is the dangerous one.
import { describe, expect, it } from 'vitest';
import { blockUser } from '../../contract/people/staff.ts';
import { testApp, unique } from '../testing/app.ts';
import { anAdmin } from '../testing/factories.ts';
import { aGoogle, client, signInWithGoogle } from '../testing/google.ts';
import { overtaken, waiters, whileHeld } from '../testing/overtaken.ts';
import { codeOf } from '../testing/totp.ts';
import {
  aConfirmedMember,
  goodPassword,
  hasSession,
  idOf,
  linkIn,
  type Reply,
  resetToken,
  Visitor,
} from '../testing/visitor.ts';
import { findLink, makeLink, spendLink } from './links.ts';
import { lockAccount, passwordOf } from './prove.ts';
import { startSession } from './sessions.ts';

const { issuer, anAccount } = await aGoogle();
const app = await testApp({ google: { ...client, issuer: issuer.url } });
const newPassword = 'Squash$2027';

/** The owner, signed in, and somebody with the same password who is not. */
async function aScene() {
  const { visitor: owner, email } = await aConfirmedMember(app);
  return { owner, email, id: await idOf(app, email), intruder: new Visitor(app) };
}
type Scene = Awaited<ReturnType<typeof aScene>>;

type Ended = { status: number };

const sessionsOf = async ({ id }: Scene) =>
  (await app.pool.query('select from session where user_id = $1', [id])).rowCount;

/** A session as sign-in begins it, by somebody who was judged before the lock and not again. */
const judgedBefore = async ({ id }: Scene) => {
  expect(await passwordOf(app.db, id)).not.toBe(null);
  const request = { method: 'POST', url: '/', routeOptions: {}, ip: '192.0.2.1', headers: {} };
  // The foreign key waits for the lock, too, but asks nothing again.
  await app.transaction((db) => startSession(db, { userId: id, kept: true, request }));
};

const admin = await anAdmin(app);
const block = async ({ id }: Scene) => app.send(blockUser, { id }, admin.token);

const changePassword = ({ owner }: Scene) =>
  owner.auth('change-password', { currentPassword: goodPassword, newPassword });

async function reset({ email }: Scene) {
  const token = await resetToken(app, email);
  return () => new Visitor(app).auth('reset-password', { token, newPassword });
}

async function newAddress({ owner }: Scene) {
  const email = `${unique('new')}@example.com`;
  await owner.auth('change-email', { email, password: goodPassword });
  const token = (await linkIn(app, email, '/newaddress')).hash.slice(1);
  return () => owner.auth('confirm-new-email', { token });
}

async function setUp({ owner }: Scene) {
  const { body } = await owner.auth('two-factor/enable', { password: goodPassword });
  const { secret, backupCodes } = body as unknown as { secret: string; backupCodes: string[] };
  const turnOn = () => owner.auth('two-factor/verify', { code: codeOf(secret) });
  return { turnOn, secret, backupCodes };
}

/** What ends a way in, what a sign-in beside it is answered, and the sessions that are left. */
const ends: [string, (scene: Scene) => Promise<() => Promise<Ended>>, object, number][] = [
  ['a new password', async (of) => () => changePassword(of), { code: 'WRONG_CREDENTIALS' }, 1],
  ['a block', async (of) => () => block(of), { code: 'ACCOUNT_BLOCKED' }, 0],
  ['two-step sign-in', async (of) => (await setUp(of)).turnOn, { twoFactor: true }, 1],
  ['a new address', newAddress, { code: 'WRONG_CREDENTIALS' }, 1],
];

it.each(ends)('a sign-in does not outlive %s', async (_what, end, answer, left) => {
  const scene = await aScene();
  const { email, intruder } = scene;
  const late = await overtaken(app, email, await end(scene), () => intruder.signIn(email));
  expect(late.body).toMatchObject(answer);
  expect([await hasSession(intruder), await sessionsOf(scene)]).toEqual([false, left]);
});

it.each(ends)('control: judged before the lock, it outlives %s', async (_what, end, _no, left) => {
  const scene = await aScene();
  await overtaken(app, scene.email, await end(scene), () => judgedBefore(scene));
  expect(await sessionsOf(scene)).toBe(left + 1);
});

it('a second step does not outlive a new password', async () => {
  const scene = await aScene();
  const { email, intruder } = scene;
  const { turnOn, backupCodes } = await setUp(scene);
  await turnOn();
  await intruder.signIn(email);
  const { body } = await overtaken(
    app,
    email,
    () => changePassword(scene),
    () => intruder.auth('sign-in/second-step', { code: backupCodes[0] }),
  );
  expect(body.code).toBe('SECOND_STEP_OVER');
  expect(await sessionsOf(scene)).toBe(1);
});

it.each<[string, (scene: Scene) => Promise<() => Promise<Ended>>, string]>([
  ['a reset, which disconnects it', reset, 'account_not_linked'],
  ['two-step sign-in', async (of) => (await setUp(of)).turnOn, 'second_step'],
])('a sign-in with Google does not outlive %s', async (_what, end, reason) => {
  const scene = await aScene();
  const { sub } = anAccount({ email: scene.email });
  await signInWithGoogle(new Visitor(app), sub);
  const { location } = await overtaken(app, scene.email, await end(scene), () =>
    signInWithGoogle(scene.intruder, sub),
  );
  expect(location).toBe(`/login?error=${reason}`);
  expect(await hasSession(scene.intruder)).toBe(false);
});

/** The answers of both, who come while the account is held. */
const atOnce = <T>(email: string, both: readonly (() => Promise<T>)[]): Promise<T[]> =>
  whileHeld(app, email, async (holder) => {
    const working = Promise.all(both.map((each) => each()));
    await waiters(app, 2);
    await holder.query('commit');
    return working;
  });

const outcome = (answers: readonly Reply[]) =>
  new Set(answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)));

describe('one link, used twice at the same moment,', () => {
  it('chooses one new password', async () => {
    const scene = await aScene();
    const first = await reset(scene);
    const answers = await atOnce(scene.email, [first, first]);
    expect(outcome(answers)).toEqual(new Set(['done', 'BAD_LINK']));
  });

  it('lets in once, whatever codes are shown', async () => {
    const scene = await aScene();
    const { email, intruder } = scene;
    const { turnOn, backupCodes } = await setUp(scene);
    await turnOn();
    await intruder.signIn(email);
    const show = (code?: string) => () => intruder.auth('sign-in/second-step', { code });
    const answers = await atOnce(email, [show(backupCodes[0]), show(backupCodes[1])]);
    expect(outcome(answers)).toEqual(new Set(['done', 'SECOND_STEP_OVER']));
    expect(await sessionsOf(scene)).toBe(2);
  });

  it('control: found before the lock, it works twice', async () => {
    const { email, id } = await aScene();
    const secret = await makeLink(app.db, { userId: id, kind: 'reset' });
    const useIt = () =>
      app.transaction(async (db) => {
        const link = await findLink(db, 'reset', secret);
        await lockAccount(db, { id });
        await spendLink(db, 'reset', secret);
        return link !== null;
      });
    expect(await atOnce(email, [useIt, useIt])).toEqual([true, true]);
  });
});
