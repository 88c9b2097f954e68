// `npm run admin -- --remove-second-factor EMAIL`, on the database of a running app.
import { describe, expect, it } from 'vitest';
import { removeSecondFactor } from '../signin/secondfactor.ts';
import { unique } from '../testing/app.ts';
import {
  anApp,
  aVisitor,
  expectOwnerIn,
  mailedLink,
  newPassword,
  ownersPassword,
  runAdmin,
  setConfirmed,
  signUpAndIn,
  smtp,
  tokenOf,
} from '../testing/squatted.ts';
import { codeOf } from '../testing/totp.ts';
import { hasSession } from '../testing/visitor.ts';

const app = await anApp();
const flag = '--remove-second-factor';

async function aConfirmed() {
  const email = `${unique('ada')}@example.com`;
  const { visitor } = await signUpAndIn(app, email, ownersPassword);
  await setConfirmed(app, email, true);
  return { email, visitor };
}

const stateOf = async (email: string) => {
  const { rows } = await app.pool.query<object>(
    `select (select count(*)::int from session where user_id = u.id) as sessions,
      totp_secret is not null as enabled, password_hash is not null as password,
      (select array_agg(action) from audit where subject = u.id::text and actor_id is null) as audit
     from "user" u join login on user_id = u.id where email = $1`,
    [email],
  );
  return rows[0];
};

describe('a second factor that a thief set up with a stolen password', () => {
  it('is removed by the operator with all that it opened', async () => {
    const { email } = await aConfirmed();
    const thief = aVisitor(app);
    await thief.signIn(email, ownersPassword);
    const { body } = await thief.auth('two-factor/enable', { password: ownersPassword });
    const secret = String(body['secret']);
    expect((await thief.auth('two-factor/verify', { code: codeOf(secret) })).status).toBe(200);
    const owner = aVisitor(app);
    expect((await owner.signIn(email, ownersPassword)).body).toEqual({ twoFactor: true });
    const state = { sessions: 1, enabled: true, password: true, audit: null };
    expect(await stateOf(email)).toEqual(state);

    expect(await runAdmin(app, [flag, email.toUpperCase()])).toMatch(/is removed[^]+ended with 0$/);
    const audit = ['second factor removed'];
    const ended = { sessions: 0, enabled: false, password: false, audit };
    expect(await stateOf(email)).toEqual(ended);
    expect(await hasSession(thief)).toBe(false);
    expect((await thief.signIn(email, ownersPassword)).status).toBe(401);
    const [backupCode] = body['backupCodes'] as string[];
    for (const code of [codeOf(secret, 1), backupCode])
      expect((await owner.auth('sign-in/second-step', { code })).body.code).toBe(
        'SECOND_STEP_OVER',
      );
    const mail = smtp.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toContain('removed two-step sign-in');
    expect(mail?.text).toContain('https://rally.example.com/forgotpassword');

    await owner.auth('request-password-reset', { email });
    const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
    await owner.auth('reset-password', { token, newPassword });
    await expectOwnerIn(app, email, newPassword);
  });
});

it('nothing changes where two-step sign-in is off', async () => {
  const { email, visitor } = await aConfirmed();
  const before = await stateOf(email);
  const guesses = { lift: () => Promise.reject(new Error('not asked for')) };
  const remove = (of: string) =>
    removeSecondFactor({ database: app, config: app.config, mail: app.mail, guesses }, of);
  expect(await remove(email)).toMatchObject({
    done: false,
    says: expect.stringContaining('is off for'),
  });
  expect(await stateOf(email)).toEqual(before);
  expect(await hasSession(visitor)).toBe(true);
  const unknown = await remove('nobody@example.com');
  expect(unknown.says).toContain('No account has the address');
});

it('asks for an address, and nothing after it', async () => {
  expect(await runAdmin(app, ['ada@example.com', flag])).toMatch(/^Usage: [^]+ended with 2$/);
});
