// Invitations of staff: sent, read, accepted once; what a stranger on the address keeps (nothing).
import { describe, expect, it } from 'vitest';
import {
  blockUser,
  inviteStaff,
  listInvitations,
  makeStudent,
  unblockUser,
  withdrawInvitation,
} from '../../contract/people/staff.ts';
import { makeInstructor } from '../../contract/people/users.ts';
import { unique } from '../testing/app.ts';
import { anAdmin, aStaffInvitation, aUser } from '../testing/factories.ts';
import { aChild } from '../testing/family.ts';
import { waiters, whileLocked } from '../testing/overtaken.ts';
import {
  anApp,
  aVisitor,
  expectOwnerIn,
  expectStrangerOut,
  mailedLink,
  newPassword,
  ownersPassword,
  setConfirmed,
  signUpAndIn,
  squatted,
  withSecondFactor,
} from '../testing/squatted.ts';

const app = await anApp();
const admin = await anAdmin(app);
const anAddress = () => `${unique('coach')}@example.com`;

const rowOf = async (email: string) => {
  const { rows } = await app.pool.query<Record<'id' | 'name' | 'role' | 'image', string>>(
    `select id, name, role, image, proven_at is not null as proven, totp_secret is not null as totp
     from "user" left join login on user_id = id where email = $1`,
    [email],
  );
  return rows[0];
};

const accept = (secret: string, given: object = {}, visitor = aVisitor(app)) =>
  visitor.auth('accept-invitation', { secret, ...given });
const chosen = { name: 'Carla Coach', password: newPassword };
const refusal = async (...given: Parameters<typeof accept>) => (await accept(...given)).body.code;

/** An account whose address is proven. */
async function aMember(email = anAddress()) {
  const { visitor } = await signUpAndIn(app, email, ownersPassword);
  await setConfirmed(app, email, true);
  return { email, visitor };
}

const mailedSecret = async (email: string) => (await mailedLink(app, email, '/join')).hash.slice(1);

describe('an invitation', () => {
  it('is mailed, and makes an account with its role', async () => {
    const email = anAddress();
    await app.send(inviteStaff, { email, role: 'instructor' }, admin.token);
    const secret = await mailedSecret(email);
    const listed = await app.send(listInvitations, {}, admin.token);
    expect(listed.body.find((one) => one.email === email)).toMatchObject({
      role: 'instructor',
      by: admin.name,
    });
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    expect((await accept(secret, chosen)).body).toMatchObject({ role: 'instructor' });
    const made = { name: 'Carla Coach', role: 'instructor', proven: true };
    expect(await rowOf(email)).toMatchObject(made);
    await expectOwnerIn(app, email, newPassword);
  });

  it('is accepted once of ten presses at the same moment', async () => {
    const { secret, email } = await aStaffInvitation(app, { role: 'admin' });
    const codes = await Promise.all(Array.from({ length: 10 }, () => refusal(secret, chosen)));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(['BAD_LINK', 'SIGN_IN_FIRST', undefined]).toEqual(expect.arrayContaining(codes));
    const { rows } = await app.pool.query('select from "user" where email = $1', [email]);
    expect(rows).toHaveLength(1);
  });

  it('is replaced by a newer one, withdrawn, over after 7 days', async () => {
    const email = anAddress();
    const old = await aStaffInvitation(app, { email, invitedBy: admin.id });
    const { body } = await app.send(inviteStaff, { email, role: 'admin' }, admin.token);
    const secret = await mailedSecret(email);
    expect(await refusal(old.secret, chosen)).toBe('BAD_LINK');
    const gone = await app.send(withdrawInvitation, { id: body.insertedId }, admin.token);
    expect(gone.body).toEqual({ deletedCount: 1 });
    expect(await refusal(secret, chosen)).toBe('BAD_LINK');

    const late = await aStaffInvitation(app);
    const ended = `update staff_invitation set expires_at = now() where id = $1`;
    await app.pool.query(ended, [late.id]);
    expect(await refusal(late.secret, chosen)).toBe('BAD_LINK');
  });

  it('ends when its sender is no admin any more, or is blocked', async () => {
    for (const end of [makeInstructor, blockUser]) {
      const sender = await anAdmin(app);
      const { secret } = await aStaffInvitation(app, { role: 'admin', invitedBy: sender.id });
      expect((await app.send(end, { id: sender.id }, admin.token)).body.modifiedCount).toBe(1);
      expect(await refusal(secret, chosen)).toBe('BAD_LINK');
    }
  });

  it('is refused for an address that has a proven account', async () => {
    const given = { email: (await aUser(app)).email.toUpperCase(), role: 'admin' as const };
    const { body } = await app.send(inviteStaff, given, admin.token);
    expect([body.code, body.field]).toEqual(['HAS_ACCOUNT', 'email']);
  });

  it.each([
    ['promoted and demoted', [makeInstructor, makeStudent]],
    ['blocked and unblocked', [blockUser, unblockUser]],
  ] as const)('is over when an admin has %s the account', async (_what, calls) => {
    const { email } = await aMember();
    const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
    const id = (await rowOf(email))?.id ?? '';
    for (const call of calls) await app.send(call, { id }, admin.token);
    const { visitor } = await expectOwnerIn(app, email, ownersPassword);
    expect(await refusal(secret, {}, visitor)).toBe('BAD_LINK');
    expect(await rowOf(email)).toMatchObject({ role: 'student' });
  });

  it.each([
    ['a user', async (email: string) => ({ ...(await aMember(email)), given: {} })],
    ['a visitor', async () => ({ visitor: aVisitor(app), given: chosen })],
  ])('is accepted by %s while its sender is demoted', async (_who, arrive) => {
    const [demoted, email] = [await anAdmin(app), anAddress()];
    const { visitor, given } = await arrive(email);
    const { id, secret } = await aStaffInvitation(app, { email, invitedBy: demoted.id });
    const lock = 'select from staff_invitation where id = $1 for update';
    await whileLocked(app, [lock, [id]], async (holder) => {
      const accepting = accept(secret, given, visitor);
      await waiters(app, 1);
      const demoting = app.send(makeStudent, { id: demoted.id }, admin.token);
      await waiters(app, 2);
      await holder.query('commit');
      expect([(await accepting).status, (await demoting).status]).toEqual([200, 200]);
    });
  });
});

describe('an account that was on the address before', () => {
  it('loses the ways in of a stranger, and no child', async () => {
    const scene = await squatted(app);
    const { email } = scene;
    await withSecondFactor(app, scene);
    const { id = '', image } = (await rowOf(email)) ?? {};
    const child = await aChild(app, [{ id }]);
    const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
    expect((await accept(secret, chosen)).status).toBe(200);
    await expectStrangerOut(app, scene);
    const kept = { id, image, name: 'Carla Coach', role: 'admin', proven: true, totp: false };
    expect(await rowOf(email)).toEqual(kept);
    const guardians = 'select from guardian where participant_id = $1';
    expect((await app.pool.query(guardians, [child.id])).rows).toHaveLength(1);
    await expectOwnerIn(app, email, newPassword);
  });

  it('keeps what it has when its own session accepts', async () => {
    const email = anAddress();
    const { visitor } = await signUpAndIn(app, email, ownersPassword);
    const { secret } = await aStaffInvitation(app, { email });
    expect((await visitor.auth('invitation', { secret })).body['account']).toBe('yours');
    expect((await accept(secret, {}, visitor)).body).toMatchObject({ role: 'instructor' });
    expect(await rowOf(email)).toMatchObject({ role: 'instructor', proven: true });
    await expectOwnerIn(app, email, ownersPassword);
  });

  it('is never changed when proven, without its session', async () => {
    const { email, visitor } = await aMember();
    const { secret } = await aStaffInvitation(app, { email, role: 'admin' });
    expect(await refusal(secret, chosen)).toBe('SIGN_IN_FIRST');
    expect(await rowOf(email)).toMatchObject({ role: 'student' });
    expect((await accept(secret, {}, visitor)).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ role: 'admin' });
    // An invitation never takes rights away.
    const lower = await aStaffInvitation(app, { email });
    expect((await accept(lower.secret, {}, visitor)).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ role: 'admin' });
  });

  it('is not unblocked by an invitation', async () => {
    const email = anAddress();
    await signUpAndIn(app, email, ownersPassword);
    await app.pool.query(`update "user" set blocked_at = now() where email = $1`, [email]);
    const { secret } = await aStaffInvitation(app, { email });
    expect(await refusal(secret, chosen)).toBe('ACCOUNT_BLOCKED');
  });
});
