// `npm run admin -- --remove-second-factor EMAIL`, as an operator runs it on the database of a
// running app.
import { describe, expect, it } from 'vitest';
import { readWords } from './adminwords.ts';
import { unique } from '../testing/app.ts';
import {
  anApp,
  aVisitor,
  expectOwnerIn,
  hasSession,
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

const app = await anApp();
const flag = '--remove-second-factor';

async function aConfirmed() {
  const email = `${unique('ada')}@example.com`;
  const { visitor } = await signUpAndIn(app, email, ownersPassword);
  await setConfirmed(app, email, true);
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { email, id, visitor };
}

/**
 * A thief has the password of a confirmed account and turned on two-step sign-in with their own
 * phone.
 */
async function stolen() {
  const { email, id } = await aConfirmed();
  const thief = aVisitor(app);
  await thief.signIn(email, ownersPassword);
  const { body } = await thief.auth('two-factor/enable', { password: ownersPassword });
  const secret = String(body['secret']);
  expect((await thief.auth('two-factor/verify', { code: codeOf(secret) })).status).toBe(200);
  return { email, id, thief, secret, backupCodes: body['backupCodes'] as string[] };
}

async function reset(email: string, chosen: string) {
  const owner = aVisitor(app);
  await owner.auth('request-password-reset', { email });
  const token = tokenOf(await mailedLink(app, email, '/resetpassword'));
  expect((await owner.auth('reset-password', { token, newPassword: chosen })).status).toBe(200);
  return owner;
}

const rowsOf = async (id: string) => {
  const { rows } = await app.pool.query(
    `select (select count(*)::int from session where user_id = $1) as sessions,
      exists (select from login where user_id = $1 and totp_secret is not null) as enabled,
      exists (select from login where user_id = $1 and password_hash is not null) as password`,
    [id],
  );
  return rows[0] as object;
};

describe('a second factor that a thief set up', () => {
  it('keeps the owner out after a reset until the operator removes it', async () => {
    const { email, id, thief, secret, backupCodes } = await stolen();
    const owner = await reset(email, newPassword);
    expect((await owner.signIn(email, newPassword)).body).toEqual({ twoFactor: true });

    expect(await runAdmin(app, [flag, email.toUpperCase()])).toMatch(/is removed[^]+ended with 0$/);
    expect(await hasSession(thief)).toBe(false);
    for (const code of [codeOf(secret, 1), backupCodes[0]])
      expect((await owner.auth('sign-in/second-step', { code })).body.code).toBe(
        'SECOND_STEP_OVER',
      );

    await reset(email, 'Hockey$2028');
    await expectOwnerIn(app, email, 'Hockey$2028');
    const { rows } = await app.pool.query('select actor_id, action from audit where subject = $1', [
      id,
    ]);
    expect(rows).toEqual([{ actor_id: null, action: 'second factor removed' }]);
  });

  it('is removed with everything that the old password opens, and the owner is told by mail', async () => {
    const { email, id, thief } = await stolen();
    expect(await rowsOf(id)).toEqual({ sessions: 1, enabled: true, password: true });
    expect(await runAdmin(app, [flag, email])).toContain('ended with 0');
    expect(await hasSession(thief)).toBe(false);
    expect(await rowsOf(id)).toEqual({ sessions: 0, enabled: false, password: false });
    for (const visitor of [thief, aVisitor(app)])
      expect((await visitor.signIn(email, ownersPassword)).status).toBe(401);
    const mail = smtp.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toContain('removed two-step sign-in');
    expect(mail?.text).toContain('https://rally.example.com/forgotpassword');
  });
});

describe('the command', () => {
  it('changes nothing where two-step sign-in is off', async () => {
    const { email, id, visitor } = await aConfirmed();
    const before = await rowsOf(id);
    expect(await runAdmin(app, [flag, email])).toMatch(/is off for[^]+ended with 1$/);
    expect(await rowsOf(id)).toEqual(before);
    expect(await hasSession(visitor)).toBe(true);
  });

  it('says that an address is unknown', async () => {
    expect(await runAdmin(app, [flag, 'nobody@example.com'])).toMatch(
      /No account has the address[^]+ended with 1$/,
    );
  });

  it.each([
    [[]],
    [[flag]],
    [['not-an-address']],
    [['--remove', 'ada@example.com']],
    [['ada@example.com', flag]],
  ])('does not take these words: %j', (given) => expect(readWords(given)).toBeNull());

  it('says how it is used', async () => {
    expect(await runAdmin(app, [flag])).toMatch(/Usage:[^]+ended with 2$/);
  });
});
