// A new address of an account, in production mode with real mails.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { inviteGuardian } from '../../contract/people/family.ts';
import { makeFeed } from '../../contract/classes/feeds.ts';
import { blockUser, correctAddress, unblockUser } from '../../contract/people/staff.ts';
import { getUser } from '../../contract/academy/userpage.ts';
import { unique } from '../testing/app.ts';
import { aClass, anAdmin, aStaffInvitation, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { overtaken, waiters, whileHeld } from '../testing/overtaken.ts';
import { findInDatabase } from '../testing/search.ts';
import {
  anApp,
  aVisitor,
  confirm as confirmAddress,
  expectOwnerIn,
  hasSession,
  isConfirmed,
  mailedLink,
  newPassword,
  ownersPassword,
  setConfirmed,
  signUpAndIn,
  smtp,
  waitingMails,
} from '../testing/squatted.ts';
import { idOf, type Visitor } from '../testing/visitor.ts';

const app = await anApp();
const anAddress = () => `${unique('new')}@example.com`;

/** Nobody has proven the address. */
async function aNewcomer(email = anAddress()) {
  const { visitor, token } = await signUpAndIn(app, email, ownersPassword);
  return { email, visitor, token, id: await idOf(app, email) };
}

async function aMember() {
  const member = await aNewcomer();
  await setConfirmed(app, member.email, true);
  return member;
}

const subjectsTo = (email: string) =>
  smtp.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

const change = (visitor: Visitor, email: string, password = ownersPassword) =>
  visitor.auth('change-email', { email, password });

/** Asks for the new address, and answers the token of the link. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  expect((await change(visitor, email)).body).toEqual({ status: true });
  await app.settled();
  const mails = smtp.mails.filter(({ to }) => to === email);
  return mails.map(({ text }) => /\/newaddress#(\S+)$/m.exec(text)?.[1] ?? '').at(-1) ?? '';
}
const confirm = (visitor: Visitor, token: string) => visitor.auth('confirm-new-email', { token });

describe('a new address of a proven account', () => {
  it('counts once its link is pressed; the old one is told and no longer signs in', async () => {
    const { email, visitor, id } = await aMember();
    const other = (await expectOwnerIn(app, email, ownersPassword)).visitor;
    const [to, unused] = [anAddress(), anAddress()];
    const [token, second] = [await ask(visitor, to), await ask(visitor, unused)];
    await expectOwnerIn(app, email, ownersPassword);
    await app.pool.query('update "user" set bounced_at = now() where id = $1', [id]);
    expect((await confirm(visitor, token)).body).toEqual({ status: true, email: to });
    await expectOwnerIn(app, to, ownersPassword);
    expect((await aVisitor(app).signIn(email, ownersPassword)).status).toBe(401);
    expect([await hasSession(other), await hasSession(visitor)]).toEqual([false, true]);
    await expect.poll(() => subjectsTo(email)).toContain('Your address was changed');
    for (const spent of [token, second])
      expect((await confirm(visitor, spent)).body.code).toBe('BAD_LINK');
    // Reminders are sent again.
    const { rows } = await app.pool.query('select bounced_at from "user" where id = $1', [id]);
    expect(rows).toEqual([{ bounced_at: null }]);
  });

  it('needs the password, and is never one that has an account, which is not told', async () => {
    const [{ email, visitor }, taken] = [await aMember(), await aMember()];
    const wrong = await change(visitor, anAddress(), 'Wrong#1');
    expect([wrong.body.code, wrong.body.field]).toEqual(['WRONG_PASSWORD', 'password']);
    const same = await change(visitor, email);
    expect([same.status, same.body.field]).toEqual([400, 'email']);
    for (const one of [{ email, visitor }, await aNewcomer()]) {
      expect(await ask(one.visitor, taken.email)).toBe('');
      await expectOwnerIn(app, one.email, ownersPassword);
    }
    const asked = subjectsTo(taken.email).filter((one) => one === 'Your address was asked for');
    expect(asked).toHaveLength(2);

    const to = anAddress();
    const token = await ask(visitor, to);
    await aNewcomer(to);
    expect((await confirm(visitor, token)).body.code).toBe('HAS_ACCOUNT');
  });

  it('needs the session that asked: a mailbox proves nothing for a stranger', async () => {
    const stranger = await aMember();
    const token = await ask(stranger.visitor, anAddress());
    expect((await confirm(aVisitor(app), token)).status).toBe(401);
    const { visitor } = await aMember();
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
    expect((await confirm(stranger.visitor, token)).status).toBe(200);
  });

  it('ends with the password, so a thief who asked for it loses it, and with a block', async () => {
    const [{ visitor }, blocked, admin] = [await aMember(), await aMember(), await anAdmin(app)];
    const token = await ask(visitor, anAddress());
    const passwords = { currentPassword: ownersPassword, newPassword };
    expect((await visitor.auth('change-password', passwords)).status).toBe(200);
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
    const theirs = await ask(blocked.visitor, anAddress());
    for (const call of [blockUser, unblockUser])
      await app.send(call, { id: blocked.id }, admin.token);
    const again = await expectOwnerIn(app, blocked.email, ownersPassword);
    expect((await confirm(again.visitor, theirs)).body.code).toBe('BAD_LINK');
  });

  it('gets no mail once the account is deleted', async () => {
    const { visitor, id, token } = await aMember();
    const to = anAddress();
    smtp.refuse('451 later');
    await change(visitor, to);
    await expect.poll(() => waitingMails(app, id)).toBe(1);
    const left = await app.send(deleteAccount, { password: ownersPassword }, token);
    expect(left.status).toBe(200);
    smtp.refuse(null);
    await app.pool.query(
      `update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`,
    );
    await app.settled();
    expect([subjectsTo(to), await findInDatabase(app, to)]).toEqual([[], []]);
  });

  it('uses up none of the mails that confirm the address for its owner', async () => {
    const { visitor } = await aMember();
    const owner = anAddress();
    for (let n = 0; n < 5; n++) await ask(visitor, owner);
    const { visitor: theirs } = await aNewcomer(owner);
    const link = await mailedLink(app, owner, '/confirm');
    expect((await confirmAddress(theirs, link)).body).toEqual({ status: true });
  });

  it('ends feeds, invitations that the account sent, and those to the old one', async () => {
    const { email, visitor, id, token } = await aMember();
    const [own, other] = [await aChild(app, [{ id }]), await aUser(app)];
    const foreign = await aChild(app, [other]);
    await app.send(makeFeed, {}, token);
    await app.send(inviteGuardian, { email: anAddress(), participantIds: [own.id] }, token);
    await app.send(inviteGuardian, { email, participantIds: [foreign.id] }, other.token);
    await aStaffInvitation(app, { email });
    const left = async () => {
      const { rowCount } = await app.pool.query(
        `select from feed where user_id = $1 union all select from staff_invitation where email = $2
         union all select from invitation where invited_by = $1 or email = $2`,
        [id, email],
      );
      return rowCount;
    };
    expect(await left()).toBe(4);
    expect((await confirm(visitor, await ask(visitor, anAddress()))).status).toBe(200);
    expect(await left()).toBe(0);
  });

  it('leaves no session to a sign-in with the old one that is under way', async () => {
    const { email, visitor, id } = await aMember();
    const token = await ask(visitor, anAddress());
    const late = await overtaken(
      app,
      email,
      () => confirm(visitor, token),
      () => aVisitor(app).signIn(email, ownersPassword),
    );
    expect([late.status, late.body.code]).toEqual([401, 'WRONG_CREDENTIALS']);
    const { rowCount } = await app.pool.query('select from session where user_id = $1', [id]);
    expect(rowCount).toBe(1);
  });

  it('leaves the old one no link that is written at that moment', async () => {
    const { email, id } = await aMember();
    await whileHeld(app, email, async (holder) => {
      await aVisitor(app).auth('request-password-reset', { email });
      await waiters(app, 1);
      await holder.query('update "user" set email = $1 where id = $2', [anAddress(), id]);
      await holder.query('commit');
    });
    await app.settled();
    expect(subjectsTo(email)).not.toContain('Choose a new password');
  });
});

describe('an address with a typing error', () => {
  it('is corrected with the password, and the parent loses nothing', async () => {
    const { email, visitor, id, token } = await aNewcomer();
    const typo = await mailedLink(app, email, '/confirm');
    const [child, klass] = [await aChild(app, [{ id }]), await aClass(app)];
    await enrol(app, klass.id, { id }, child);
    const owned = async () => {
      const { rows } = await app.pool.query(
        `select u.name, (select count(*)::int from session where user_id = u.id) as sessions,
          (select array_agg(participant_id order by participant_id) from guardian where user_id = u.id) as family,
          (select array_agg(id) from enrolment where student_id = u.id) as seats
        from "user" u where id = $1`,
        [id],
      );
      return rows;
    };
    const before = await owned();
    const right = anAddress();
    expect((await change(visitor, right, 'Wrong#1')).body.code).toBe('WRONG_PASSWORD');
    expect((await change(visitor, right)).body).toEqual({ status: true });
    expect(await owned()).toEqual(before);
    expect(await visitor.isLetIn(token, right)).toBe(true);
    expect([await isConfirmed(app, right), subjectsTo(email)]).toEqual([
      false,
      [expect.stringContaining('Welcome')],
    ]);
    // Who reads the mistyped address has no way in.
    expect((await confirmAddress(visitor, typo)).body.code).toBe('BAD_LINK');
    expect((await aVisitor(app).signIn(email, ownersPassword)).status).toBe(401);
    const link = await mailedLink(app, right, '/confirm');
    expect((await confirmAddress(visitor, link)).body).toEqual({ status: true });
    expect([await isConfirmed(app, right), await owned()]).toEqual([true, before]);
  });

  it('goes to one of two who correct theirs to the same at once', async () => {
    const [one, two, to] = [await aNewcomer(), await aNewcomer(), anAddress()];
    const answers = await Promise.all([change(one.visitor, to), change(two.visitor, to)]);
    expect(answers.map(({ body }) => body)).toEqual([{ status: true }, { status: true }]);
    const { rows } = await app.pool.query('select email from "user" where id in ($1, $2)', [
      one.id,
      two.id,
    ]);
    expect(rows.filter(({ email }) => email === to)).toHaveLength(1);
  });

  it('is corrected by an admin, with a line in the log, until it is proven', async () => {
    const [{ email, visitor, id }, admin, taken] = [
      await aNewcomer(),
      await anAdmin(app),
      await aUser(app),
    ];
    const right = anAddress();
    const correct = async (to: string) =>
      (await app.send(correctAddress, { id, email: to }, admin.token)).body;
    expect(await correct(taken.email)).toMatchObject({ code: 'HAS_ACCOUNT', field: 'email' });
    expect(await correct(right.toUpperCase())).toEqual({ modifiedCount: 1 });
    expect(await correct(right)).toEqual({ modifiedCount: 0 });
    const page = await app.send(getUser, { id }, admin.token);
    expect(page.body).toMatchObject({ email: right, unconfirmed: true });
    expect(page.body.audit).toEqual([
      expect.objectContaining({ action: 'address corrected', actor: admin.name }),
    ]);
    expect([await hasSession(visitor), subjectsTo(email).length]).toEqual([true, 1]);
    await confirmAddress(visitor, await mailedLink(app, right, '/confirm'));
    expect(await correct(email)).toMatchObject({ code: 'ADDRESS_PROVEN' });
  });
});
