// A new address of an account.
import { describe, expect, it } from 'vitest';
import { inviteGuardian } from '../../contract/people/family.ts';
import { makeFeed } from '../../contract/classes/feeds.ts';
import { blockUser, correctAddress, unblockUser } from '../../contract/people/staff.ts';
import { getUser } from '../../contract/academy/userpage.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin, aStaffInvitation, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { waiters, whileHeld } from '../testing/overtaken.ts';
import {
  aConfirmedMember,
  aMember,
  goodPassword,
  hasSession,
  idOf,
  linkIn,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';

const app = await testApp();
const newPassword = 'Squash$2027';
const anAddress = () => `${unique('new')}@example.com`;

async function withId(member: Awaited<ReturnType<typeof aMember>>) {
  const { email, visitor } = member;
  return { email, visitor, id: await idOf(app, email), token: await visitor.token(email) };
}
/** Nobody has proven the address. */
const aNewcomer = async () => withId(await aMember(app));
const aProven = async () => withId(await aConfirmedMember(app));

async function signsIn(email: string, password = goodPassword) {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(email, password)).body).toHaveProperty('user.email', email);
  return visitor;
}

const change = (visitor: Visitor, email: string, password = goodPassword) =>
  visitor.auth('change-email', { email, password });

/** Asks for the new address, and answers the token of the link. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  expect((await change(visitor, email)).body).toEqual({ status: true });
  return (await linkIn(app, email, '/newaddress')).hash.slice(1);
}
const confirm = (visitor: Visitor, token: string) => visitor.auth('confirm-new-email', { token });
const confirmAddress = async (visitor: Visitor, link: URL) =>
  visitor.auth('verify-email', { token: link.searchParams.get('token') });

describe('a new address of a proven account', () => {
  it('counts once its link is pressed; the old one is told', async () => {
    const { email, visitor, id } = await aProven();
    const other = await signsIn(email);
    const [to, unused] = [anAddress(), anAddress()];
    const [token, second] = [await ask(visitor, to), await ask(visitor, unused)];
    await signsIn(email);
    await app.pool.query('update "user" set bounced_at = now() where id = $1', [id]);
    expect((await confirm(visitor, token)).body).toEqual({ status: true, email: to });
    await signsIn(to);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    expect([await hasSession(other), await hasSession(visitor)]).toEqual([false, true]);
    expect(await subjectsTo(app, email)).toContain('Your address was changed');
    for (const spent of [token, second])
      expect((await confirm(visitor, spent)).body.code).toBe('BAD_LINK');
    // Reminders are sent again.
    const { rows } = await app.pool.query('select bounced_at from "user" where id = $1', [id]);
    expect(rows).toEqual([{ bounced_at: null }]);
  });

  it('is never one that has an account', async () => {
    const [{ email, visitor }, taken] = [await aProven(), await aProven()];
    const same = await change(visitor, email);
    expect([same.status, same.body.field]).toEqual([400, 'email']);
    for (const one of [{ email, visitor }, await aNewcomer()]) {
      expect((await change(one.visitor, taken.email)).body).toEqual({ status: true });
      await signsIn(one.email);
    }
    const asked = (await subjectsTo(app, taken.email)).filter(
      (one) => one === 'Your address was asked for' || one === 'Confirm your new address',
    );
    expect(asked).toEqual(['Your address was asked for', 'Your address was asked for']);

    const to = anAddress();
    const token = await ask(visitor, to);
    await aUser(app, { email: to });
    expect((await confirm(visitor, token)).body.code).toBe('HAS_ACCOUNT');
  });

  it('needs the session that asked', async () => {
    const stranger = await aProven();
    const token = await ask(stranger.visitor, anAddress());
    const { visitor } = await aProven();
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
    expect((await confirm(stranger.visitor, token)).status).toBe(200);
  });

  it('ends with the password, and with a block', async () => {
    const [{ visitor }, blocked, admin] = [await aProven(), await aProven(), await anAdmin(app)];
    const token = await ask(visitor, anAddress());
    const passwords = { currentPassword: goodPassword, newPassword };
    expect((await visitor.auth('change-password', passwords)).status).toBe(200);
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
    const theirs = await ask(blocked.visitor, anAddress());
    for (const call of [blockUser, unblockUser])
      await app.send(call, { id: blocked.id }, admin.token);
    const again = await signsIn(blocked.email);
    expect((await confirm(again, theirs)).body.code).toBe('BAD_LINK');
  });

  it('ends feeds, and invitations from and to the old one', async () => {
    const { email, visitor, id, token } = await aProven();
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

  it('leaves the old one no link that is written at that moment', async () => {
    const { email, id } = await aProven();
    await whileHeld(app, email, async (holder) => {
      await new Visitor(app).auth('request-password-reset', { email });
      await waiters(app, 1);
      await holder.query('update "user" set email = $1 where id = $2', [anAddress(), id]);
      await holder.query('commit');
    });
    expect(await subjectsTo(app, email)).not.toContain('Choose a new password');
  });
});

describe('an address with a typing error', () => {
  it('is corrected with the password, and the parent loses nothing', async () => {
    const { email, visitor, id, token } = await aNewcomer();
    const typo = await linkIn(app, email, '/confirm');
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
    expect(await subjectsTo(app, email)).toEqual([expect.stringContaining('Welcome')]);
    // Who reads the mistyped address has no way in.
    expect((await confirmAddress(visitor, typo)).body.code).toBe('BAD_LINK');
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    const link = await linkIn(app, right, '/confirm');
    expect((await confirmAddress(visitor, link)).body).toEqual({ status: true });
    expect(await owned()).toEqual(before);
  });

  it('goes to one of two who correct theirs to the same at once', async () => {
    const [one, two, to] = [await aNewcomer(), await aNewcomer(), anAddress()];
    const answers = await Promise.all([change(one.visitor, to), change(two.visitor, to)]);
    expect(answers.map(({ body }) => body)).toEqual([{ status: true }, { status: true }]);
    const { rowCount } = await app.pool.query('select from "user" where email = $1', [to]);
    expect(rowCount).toBe(1);
  });

  it('is corrected by an admin until it is proven', async () => {
    const { email, visitor, id } = await aNewcomer();
    const [admin, taken] = [await anAdmin(app), await aUser(app)];
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
    expect([await hasSession(visitor), (await subjectsTo(app, email)).length]).toEqual([true, 1]);
    await confirmAddress(visitor, await linkIn(app, right, '/confirm'));
    expect(await correct(email)).toMatchObject({ code: 'ADDRESS_PROVEN' });
  });
});
