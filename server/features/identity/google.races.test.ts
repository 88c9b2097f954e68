// Sign-in with Google while the account is deleted, or while two-step sign-in is turned on: the
// state under the lock on the user decides, as at a sign-in with a password.
import { expect, it } from 'vitest';
import { deleteAccount } from '../../../contract/account.ts';
import { testApp } from '../../testing/app.ts';
import { aGoogle, client, hasSession, signInWithGoogle } from '../../testing/google.ts';
import { overtaken, waiters, whileHeld } from '../../testing/overtaken.ts';
import {
  aConfirmedMember,
  goodPassword,
  idOf,
  linkIn,
  subjectsTo,
  Visitor,
} from '../../testing/visitor.ts';

const { issuer, anAccount } = await aGoogle();
const app = await testApp({ google: { ...client, issuer: issuer.url } });

async function expectNothingLeft(id: string) {
  for (const table of ['session', 'account']) {
    const { rowCount } = await app.pool.query(`select from ${table} where user_id = $1`, [id]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
}

async function expectTold(email: string) {
  await expect.poll(() => subjectsTo(app, email)).toContain('A Google account was connected');
}

it('a sign-in under way while the account is deleted gets no session', async () => {
  const { sub, email } = anAccount();
  const owner = new Visitor(app);
  await signInWithGoogle(owner, sub);
  const token = await owner.token(email);
  const id = await idOf(app, email);
  const late = new Visitor(app);
  const { location } = await overtaken(
    app,
    email,
    async () => app.send(deleteAccount, { email }, token),
    () => signInWithGoogle(late, sub),
  );
  expect(location).toBe('/login?error=account_not_linked');
  expect(await hasSession(late)).toBe(false);
  await expectNothingLeft(id);
  const anew = new Visitor(app);
  expect((await signInWithGoogle(anew, sub)).location).toBe('/classes');
  expect(await idOf(app, email)).not.toBe(id);
});

it('a first sign-in under way while the account is deleted links nothing to it', async () => {
  const { visitor, email } = await aConfirmedMember(app);
  const { sub } = anAccount({ email });
  const token = await visitor.token(email);
  const id = await idOf(app, email);
  const late = new Visitor(app);
  const { location } = await overtaken(
    app,
    email,
    async () => app.send(deleteAccount, { password: goodPassword }, token),
    () => signInWithGoogle(late, sub),
  );
  expect(location).toBe('/login?error=account_not_linked');
  expect(await hasSession(late)).toBe(false);
  await expectNothingLeft(id);
  expect((await signInWithGoogle(new Visitor(app), sub)).location).toBe('/classes');
});

it('a sign-in under way while a reset through the mailbox disconnects Google gets no session', async () => {
  const { sub, email } = anAccount();
  await signInWithGoogle(new Visitor(app), sub);
  const owner = new Visitor(app);
  await owner.auth('request-password-reset', { email });
  const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
  const late = new Visitor(app);
  const { location } = await overtaken(
    app,
    email,
    () => owner.auth('reset-password', { token, newPassword: 'Squash$2027' }),
    () => signInWithGoogle(late, sub),
  );
  expect(location).toBe('/login?error=account_not_linked');
  expect(await hasSession(late)).toBe(false);
});

it('the Google account of an old address is disconnected when the account gets a new one', async () => {
  const { visitor, email } = await aConfirmedMember(app);
  const { sub } = anAccount({ email });
  await signInWithGoogle(new Visitor(app), sub);
  const to = `new-${email}`;
  await visitor.auth('change-email', { email: to, password: goodPassword });
  const token = (await linkIn(app, to)).hash.slice(1);
  expect((await visitor.auth('confirm-new-email', { token })).status).toBe(200);
  // It makes an account of its own.
  const late = new Visitor(app);
  await signInWithGoogle(late, sub);
  expect((await late.ask('GET', '/api/auth/get-session')).body).toMatchObject({ user: { email } });
});

// With two-step sign-in the sign-in is refused before it has a session.
it.each([false, true])(
  'a first sign-in under way while the account gets a new address links nothing to it (two-step sign-in: %s)',
  async (twoStep) => {
    const { email } = await aConfirmedMember(app);
    const { sub } = anAccount({ email });
    const id = await idOf(app, email);
    if (twoStep) {
      await app.pool.query(
        `insert into two_factor (user_id, secret, backup_codes) values ($1, 'x', 'x')`,
        [id],
      );
      await app.pool.query('update "user" set two_factor_enabled = true where id = $1', [id]);
    }
    const late = new Visitor(app);
    await whileHeld(app, email, async (holder) => {
      const entering = signInWithGoogle(late, sub);
      await waiters(app, 1);
      await holder.query('update "user" set email = $1 where id = $2', [`new-${email}`, id]);
      await holder.query('commit');
      const reason = twoStep ? 'second_step' : 'account_not_linked';
      expect((await entering).location).toContain(`/login?error=${reason}`);
    });
    expect(await hasSession(late)).toBe(false);
    const { rowCount } = await app.pool.query(
      `select from account where user_id = $1 and provider_id = 'google'`,
      [id],
    );
    expect(rowCount).toBe(0);
  },
);

it('a sign-in under way while two-step sign-in is turned on gets no session', async () => {
  const { sub, email } = anAccount();
  await signInWithGoogle(new Visitor(app), sub);
  await app.pool.query(
    `insert into two_factor (user_id, secret, backup_codes) select id, 'x', 'x' from "user" where email = $1`,
    [email],
  );
  const late = new Visitor(app);
  const { location } = await whileHeld(app, email, async (holder) => {
    const entering = signInWithGoogle(late, sub);
    await waiters(app, 1);
    await holder.query('update "user" set two_factor_enabled = true where email = $1', [email]);
    await holder.query('commit');
    return entering;
  });
  expect(location).toBe('/login?error=second_step');
  expect(await hasSession(late)).toBe(false);
});

it('a first sign-in under way while two-step sign-in is turned on is told to the owner', async () => {
  const { email } = await aConfirmedMember(app);
  const { sub } = anAccount({ email });
  await app.pool.query(
    `insert into two_factor (user_id, secret, backup_codes) select id, 'x', 'x' from "user" where email = $1`,
    [email],
  );
  const { location } = await whileHeld(app, email, async (holder) => {
    const entering = signInWithGoogle(new Visitor(app), sub);
    await waiters(app, 1);
    await holder.query('update "user" set two_factor_enabled = true where email = $1', [email]);
    await holder.query('commit');
    return entering;
  });
  expect(location).toMatch(/^\/login\?error=second_step/);
  await expectTold(email);
});

it('a Google account that was connected is told to the owner, also when the sign-in fails after it', async () => {
  const { email } = await aConfirmedMember(app);
  const { sub } = anAccount({ email });
  // No session can be made any more.
  await app.pool.query(`create function fails() returns trigger language plpgsql as $$
    begin raise exception 'no session'; end $$`);
  await app.pool.query(
    `create trigger fails before insert on session for each row execute function fails()`,
  );
  try {
    const late = new Visitor(app);
    await signInWithGoogle(late, sub);
    expect(await hasSession(late)).toBe(false);
  } finally {
    await app.pool.query('drop function fails cascade');
  }
  const { rowCount } = await app.pool.query(`select from account where account_id = $1`, [sub]);
  expect(rowCount).toBe(1);
  await expectTold(email);
});

it('a sign-in of a disconnected Google account gets no session by another one that is connected by now', async () => {
  const { sub, email } = anAccount();
  await signInWithGoogle(new Visitor(app), sub);
  const id = await idOf(app, email);
  const late = new Visitor(app);
  const { location } = await whileHeld(app, email, async (holder) => {
    const entering = signInWithGoogle(late, sub);
    await waiters(app, 1);
    await holder.query('delete from session where user_id = $1', [id]);
    await holder.query(`update account set account_id = 'another' where account_id = $1`, [sub]);
    await holder.query('commit');
    return entering;
  });
  expect(location).toBe('/login?error=account_not_linked');
  expect(await hasSession(late)).toBe(false);
  const { rows } = await app.pool.query<{ account_id: string }>(
    'select account_id from account where user_id = $1',
    [id],
  );
  expect(rows).toEqual([{ account_id: 'another' }]);
});
