// What is under way with a password of before while the owner of the address proves it: no session,
// no new password comes of it.
import { describe, expect, it } from 'vitest';
import { setMails } from '../../../contract/account.ts';
import { overtaken, waiters } from '../../testing/overtaken.ts';
import {
  anApp,
  aVisitor,
  confirm,
  expectOwnerIn,
  expectStrangerOut,
  hasSession,
  mailedLink,
  newPassword,
  setConfirmed,
  squatted,
  strangersPassword,
  tokenOf,
  withSecondFactor,
} from '../../testing/squatted.ts';
import { codeOf } from '../../testing/totp.ts';

const app = await anApp();

describe('while the owner proves the address', () => {
  it('a sign-in with the password of before that is under way gets no session', async () => {
    const scene = await squatted(app);
    const intruder = aVisitor(app);
    const answer = await overtaken(
      app,
      scene.email,
      () => confirm(scene.owner, scene.link, { newPassword }),
      () => intruder.signIn(scene.email, strangersPassword),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'WRONG_CREDENTIALS']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    await expectNoSession(scene.email);
    await expectStrangerOut(app, scene);
  });

  it('a choice of mails that is under way changes nothing', async () => {
    const { email, owner, link, stranger } = await squatted(app);
    const answer = await overtaken(
      app,
      email,
      () => confirm(owner, link, { newPassword }),
      async () => app.send(setMails, { reminders: false }, stranger.token),
    );
    expect(answer.status).toBe(401);
    const { rows } = await app.pool.query('select mail_off from "user" where email = $1', [email]);
    expect(rows).toEqual([{ mail_off: [] }]);
  });

  it('a change of the password of before that is under way changes nothing', async () => {
    const scene = await squatted(app);
    const answer = await overtaken(
      app,
      scene.email,
      () => confirm(scene.owner, scene.link, { newPassword }),
      () =>
        scene.stranger.visitor.auth('change-password', {
          currentPassword: strangersPassword,
          newPassword: 'Intruder#2026',
        }),
    );
    expect(answer.status).toBe(401);
    await expectNoSession(scene.email);
    expect((await aVisitor(app).signIn(scene.email, 'Intruder#2026')).status).toBe(401);
    await expectOwnerIn(app, scene.email, newPassword);
  });

  it('a deletion of the account with the password of before that is under way deletes nothing', async () => {
    const { email, owner, stranger } = await squatted(app);
    const { visitor, token } = stranger;
    await setConfirmed(app, email, true);
    await owner.auth('request-password-reset', { email });
    const link = tokenOf(await mailedLink(app, email, '/resetpassword'));
    const answer = await overtaken(
      app,
      email,
      () => owner.auth('reset-password', { token: link, newPassword }),
      () =>
        visitor.ask(
          'POST',
          '/api/account/delete',
          { password: strangersPassword },
          { authorization: `Bearer ${token}` },
        ),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    await expectOwnerIn(app, email, newPassword);
  });

  it.each(['/api/auth/update-user', '/api/users'])(
    'a change of the name that is under way changes nothing: %s',
    async (path) => {
      const { email, owner, link, stranger } = await squatted(app);
      const body =
        path === '/api/users' ? { name: 'Eve', email, role: 'student' } : { name: 'Eve' };
      const late = await overtaken(
        app,
        email,
        () => confirm(owner, link, { newPassword }),
        () =>
          stranger.visitor.ask('POST', path, body, { authorization: `Bearer ${stranger.token}` }),
      );
      // No deadlock ends it: both wait for the participant before the user.
      expect(late.status).toBe(401);
      const { body: seen } = await aVisitor(app).signIn(email, newPassword);
      expect(seen).toHaveProperty('user.name', 'Ada Lovelace');
    },
  );

  it.each(['confirmation', 'reset'])(
    'a second step that is under way gets no session: %s',
    async (kind) => {
      const scene = await squatted(app);
      const { secret } = await withSecondFactor(app, scene);
      const { email, owner, link } = scene;
      await owner.auth('request-password-reset', { email });
      const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
      if (kind === 'reset') await setConfirmed(app, email, true);
      const intruder = aVisitor(app);
      expect((await intruder.signIn(email, strangersPassword)).body).toEqual({ twoFactor: true });
      const answer = await overtaken(
        app,
        email,
        () =>
          kind === 'reset'
            ? owner.auth('reset-password', { token, newPassword })
            : confirm(owner, link, { newPassword }),
        () => intruder.auth('sign-in/second-step', { code: codeOf(secret, 1) }),
      );
      expect([answer.status, answer.body.code]).toEqual([400, 'SECOND_STEP_OVER']);
      await expectNoSession(email);
      expect(await hasSession(intruder)).toBe(false);
    },
  );

  it.each(['on', 'off'])(
    'turning two-step sign-in %s, under way in a session of before, gets no session',
    async (to) => {
      const scene = await squatted(app);
      const { email, owner, stranger } = scene;
      const { secret } = to === 'off' ? await withSecondFactor(app, scene) : { secret: '' };
      await setConfirmed(app, email, true);
      const begun = await stranger.visitor.auth('two-factor/enable', {
        password: strangersPassword,
      });
      await owner.auth('request-password-reset', { email });
      const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
      const answer = await overtaken(
        app,
        email,
        () => owner.auth('reset-password', { token, newPassword }),
        () =>
          to === 'on'
            ? stranger.visitor.auth('two-factor/verify', {
                code: codeOf(String(begun.body['secret'])),
              })
            : stranger.visitor.auth('two-factor/disable', {
                password: strangersPassword,
                code: codeOf(secret, 1),
              }),
      );
      expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      await expectNoSession(email);
      expect(await hasSession(stranger.visitor)).toBe(false);
      // A factor that was not turned off is still wanted.
      const { body } = await aVisitor(app).signIn(email, newPassword);
      expect(body).toMatchObject(to === 'on' ? { user: { email } } : { twoFactor: true });
    },
  );
});

it('a sign-in during a change of the password gets no session, and a link that was mailed still works', async () => {
  const { email, owner, stranger } = await squatted(app);
  await setConfirmed(app, email, true);
  await owner.auth('request-password-reset', { email });
  const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
  const change = { currentPassword: strangersPassword, newPassword: 'Thief#2026' };
  const answer = await overtaken(
    app,
    email,
    () => stranger.visitor.auth('change-password', change),
    () => aVisitor(app).signIn(email, strangersPassword),
  );
  expect([answer.status, answer.body.code]).toEqual([401, 'WRONG_CREDENTIALS']);
  expect((await owner.auth('reset-password', { token, newPassword })).status).toBe(200);
  expect(await hasSession(stranger.visitor)).toBe(false);
  await expectOwnerIn(app, email, newPassword);
});

it('two-step sign-in is not turned on with a factor that ends at the same moment', async () => {
  const { email, stranger } = await squatted(app);
  await setConfirmed(app, email, true);
  expect(
    (await stranger.visitor.auth('two-factor/enable', { password: strangersPassword })).status,
  ).toBe(200);
  const proof = await app.pool.connect();
  try {
    await proof.query('begin');
    await proof.query('select from "user" where email = $1 for update', [email]);
    const turningOn = app.pool.query(
      'update "user" set two_factor_enabled = true where email = $1',
      [email],
    );
    await waiters(app, 1);
    await proof.query(
      'delete from two_factor where user_id = (select id from "user" where email = $1)',
      [email],
    );
    await proof.query('commit');
    await turningOn;
  } finally {
    await proof.query('rollback');
    proof.release();
  }
  await expectOwnerIn(app, email, strangersPassword);
});

async function expectNoSession(email: string) {
  const { rows } = await app.pool.query(
    'select 1 from session s join "user" u on u.id = s.user_id where u.email = $1',
    [email],
  );
  expect(rows).toEqual([]);
}
