// Invitations of staff: sent, read, accepted once; what a stranger on the address keeps (nothing).
import { describe, expect, it } from 'vitest';
import {
  blockUser,
  inviteStaff,
  listInvitations,
  makeStudent,
  unblockUser,
  withdrawInvitation,
} from '../../../contract/staff.ts';
import { makeInstructor } from '../../../contract/users.ts';
import { unique } from '../../testing/app.ts';
import { anAdmin, aStaffInvitation, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { waiters, whileHeld } from '../../testing/overtaken.ts';
import {
  anApp,
  aVisitor,
  expectOwnerIn,
  expectStrangerOut,
  newPassword,
  runAdmin,
  setConfirmed,
  signUpAndIn,
  smtp,
  squatted,
  strangersPassword,
  withSecondFactor,
} from '../../testing/squatted.ts';

const app = await anApp();
const admin = await anAdmin(app);
const anAddress = () => `${unique('coach')}@example.com`;

const rowOf = (email: string) =>
  app.db
    .selectFrom('user')
    .select(['id', 'name', 'role', 'emailVerified', 'image', 'twoFactorEnabled'])
    .where('email', '=', email)
    .executeTakeFirst();

const accept = (secret: string, given: object = {}, visitor = aVisitor(app)) =>
  visitor.auth('accept-invitation', { secret, ...given });
const chosen = { name: 'Carla Coach', password: newPassword };

/** The secret of the newest link mailed to an address. Mails are sent by a job. */
async function mailedSecret(email: string): Promise<string> {
  const found = () =>
    smtp.mails
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /^https:\/\/rally\.example\.com\/join#(\S+)$/m.exec(text)?.[1] ?? [])
      .at(-1);
  await expect.poll(found).toBeDefined();
  return found() ?? '';
}

describe('an invitation', () => {
  it('is mailed, makes an account with a confirmed address and its role, and works once', async () => {
    const email = anAddress();
    const sent = await app.send(inviteStaff, { email, role: 'instructor' }, admin.token);
    expect(sent.status).toBe(201);
    const secret = await mailedSecret(email);
    const listed = await app.send(listInvitations, {}, admin.token);
    expect(listed.body.find((one) => one.email === email)).toMatchObject({
      role: 'instructor',
      by: admin.name,
    });
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    const read = await aVisitor(app).auth('invitation', { secret });
    expect(read.body).toEqual({ email, role: 'instructor', account: 'none' });
    const missing = await accept(secret, { name: 'Carla' });
    expect([missing.status, missing.body.code, missing.body.field]).toEqual([
      409,
      'PASSWORD_NEEDED',
      'password',
    ]);
    const weak = await accept(secret, { name: 'Carla', password: 'short' });
    expect([weak.status, weak.body.field]).toEqual([400, 'password']);

    expect((await accept(secret, chosen)).body).toEqual({
      status: true,
      email,
      role: 'instructor',
    });
    expect(await rowOf(email)).toMatchObject({
      name: 'Carla Coach',
      role: 'instructor',
      emailVerified: true,
    });
    await expectOwnerIn(app, email, newPassword);
    const again = await accept(secret, { ...chosen, password: 'Other#2027' });
    expect([again.status, again.body.code]).toEqual([400, 'BAD_LINK']);
    await expectOwnerIn(app, email, newPassword);
  });

  it('is accepted once of ten presses at the same moment', async () => {
    const { secret, email } = await aStaffInvitation(app, { role: 'admin' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(secret, chosen)));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(['BAD_LINK', 'SIGN_IN_FIRST', undefined]).toEqual(expect.arrayContaining(codes));
    const { rows } = await app.pool.query('select from "user" where email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  it('is replaced by a newer one, can be withdrawn, and ends after 7 days', async () => {
    const email = anAddress();
    const old = await aStaffInvitation(app, { email, invitedBy: admin.id });
    const { body } = await app.send(inviteStaff, { email, role: 'admin' }, admin.token);
    expect((await accept(old.secret, chosen)).body.code).toBe('BAD_LINK');
    const secret = await mailedSecret(email);
    expect((await app.send(withdrawInvitation, { id: body.insertedId }, admin.token)).body).toEqual(
      { deletedCount: 1 },
    );
    expect((await accept(secret, chosen)).body.code).toBe('BAD_LINK');

    const late = await aStaffInvitation(app);
    await app.pool.query(
      `update staff_invitation set expires_at = now() - interval '1 second' where id = $1`,
      [late.id],
    );
    expect((await accept(late.secret, chosen)).body.code).toBe('BAD_LINK');
    expect(await rowOf(late.email)).toBeUndefined();
  });

  it('ends when its sender is no admin any more, or is blocked', async () => {
    for (const end of [makeInstructor, blockUser]) {
      const sender = await anAdmin(app);
      const { secret } = await aStaffInvitation(app, { role: 'admin', invitedBy: sender.id });
      expect((await app.send(end, { id: sender.id }, admin.token)).body.modifiedCount).toBe(1);
      expect((await accept(secret, chosen)).body.code).toBe('BAD_LINK');
    }
  });

  it('is refused for an address that has a confirmed account', async () => {
    const member = await aUser(app);
    const { status, body } = await app.send(
      inviteStaff,
      { email: member.email.toUpperCase(), role: 'admin' },
      admin.token,
    );
    expect([status, body.code, body.field]).toEqual([409, 'HAS_ACCOUNT', 'email']);
  });
});

describe('an account that was on the address before', () => {
  it("loses a stranger's password, session and second factor, and no child", async () => {
    const scene = await squatted(app);
    const { email } = scene;
    await withSecondFactor(app, scene);
    const before = await rowOf(email);
    const child = await aChild(app, [{ id: before?.id ?? '' }]);
    const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
    expect((await accept(secret, chosen)).status).toBe(200);
    await expectStrangerOut(app, scene);
    expect(await rowOf(email)).toEqual({
      id: before?.id,
      name: 'Carla Coach',
      role: 'admin',
      emailVerified: true,
      image: before?.image,
      twoFactorEnabled: false,
    });
    const { rows } = await app.pool.query('select from guardian where participant_id = $1', [
      child.id,
    ]);
    expect(rows).toHaveLength(1);
    await expectOwnerIn(app, email, newPassword);
  });

  it('keeps what it has when its own session accepts', async () => {
    const email = anAddress();
    const { visitor } = await signUpAndIn(app, email, strangersPassword);
    const { secret } = await aStaffInvitation(app, { email });
    expect((await visitor.auth('invitation', { secret })).body['account']).toBe('yours');
    expect((await accept(secret, {}, visitor)).body).toMatchObject({ role: 'instructor' });
    expect(await rowOf(email)).toMatchObject({ role: 'instructor', emailVerified: true });
    await expectOwnerIn(app, email, strangersPassword);
  });

  it('is never changed when confirmed, without its session', async () => {
    const email = anAddress();
    await signUpAndIn(app, email, strangersPassword);
    await setConfirmed(app, email, true);
    const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
    const refused = await accept(secret, chosen);
    expect([refused.status, refused.body.code]).toEqual([409, 'SIGN_IN_FIRST']);
    expect(await rowOf(email)).toMatchObject({ role: 'student' });
    const { visitor } = await expectOwnerIn(app, email, strangersPassword);
    expect((await accept(secret, {}, visitor)).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ role: 'admin' });
  });

  it('stays an admin when it accepts as instructor', async () => {
    const email = anAddress();
    const { visitor } = await signUpAndIn(app, email, strangersPassword);
    await app.pool.query(`update "user" set role = 'admin' where email = $1`, [email]);
    const { secret } = await aStaffInvitation(app, { email });
    expect((await accept(secret, {}, visitor)).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ role: 'admin' });
  });

  it('is not unblocked by an invitation', async () => {
    const email = anAddress();
    await signUpAndIn(app, email, strangersPassword);
    await app.pool.query(`update "user" set blocked_at = now() where email = $1`, [email]);
    const { secret } = await aStaffInvitation(app, { email });
    expect((await accept(secret, chosen)).body.code).toBe('ACCOUNT_BLOCKED');
  });
});

it.each([
  ['promoted and demoted', [makeInstructor, makeStudent]],
  ['blocked and unblocked', [blockUser, unblockUser]],
] as const)('is over when an admin has %s the account on its address', async (_what, calls) => {
  const email = anAddress();
  const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
  await signUpAndIn(app, email, newPassword);
  await setConfirmed(app, email, true);
  const id = (await rowOf(email))?.id ?? '';
  for (const call of calls)
    expect((await app.send(call, { id }, admin.token)).body).toEqual({ modifiedCount: 1 });
  const { visitor } = await expectOwnerIn(app, email, newPassword);
  expect((await accept(secret, {}, visitor)).body.code).toBe('BAD_LINK');
  expect((await rowOf(email))?.role).toBe('student');
});

it.each(['sent', 'withdrawn'])('is not %s by an admin who is demoted meanwhile', async (how) => {
  const [demoted, email] = [await anAdmin(app), anAddress()];
  const { id } = await aStaffInvitation(app, { invitedBy: admin.id });
  const sent = await whileHeld(app, demoted.email, async (holder) => {
    const sending =
      how === 'sent'
        ? app.send(inviteStaff, { email, role: 'admin' }, demoted.token)
        : app.send(withdrawInvitation, { id }, demoted.token);
    await waiters(app, 1);
    await holder.query(`update "user" set role = 'student' where id = $1`, [demoted.id]);
    await holder.query('commit');
    return sending;
  });
  expect(sent.status).toBe(403);
});

it.each([
  [
    'a user',
    async (email: string) => {
      const { visitor } = await signUpAndIn(app, email, newPassword);
      await setConfirmed(app, email, true);
      return { visitor, given: {} };
    },
  ],
  ['a visitor without an account', async () => ({ visitor: aVisitor(app), given: chosen })],
])('is accepted by %s while its sender is demoted, without a deadlock', async (_who, arrive) => {
  const [demoted, email] = [await anAdmin(app), anAddress()];
  const { visitor, given } = await arrive(email);
  const { id, secret } = await aStaffInvitation(app, { email, invitedBy: demoted.id });
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from staff_invitation where id = $1 for update', [id]);
    const accepting = accept(secret, given, visitor);
    await waiters(app, 1);
    const demoting = app.send(makeStudent, { id: demoted.id }, admin.token);
    await waiters(app, 2);
    await holder.query('commit');
    expect([(await accepting).status, (await demoting).status]).toEqual([200, 200]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

it('is printed by `npm run admin` where there is no account', async () => {
  const empty = await anApp();
  const printed = await runAdmin(empty, ['First@Example.com']);
  const secret = /\/join#(\S+)$/m.exec(printed)?.[1];
  const visitor = aVisitor(empty);
  expect((await visitor.auth('accept-invitation', { secret, ...chosen })).body).toMatchObject({
    email: 'first@example.com',
    role: 'admin',
  });
}, 30_000);
