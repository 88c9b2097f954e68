// A new address of an account, in production mode with real mails.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../contract/account.ts';
import { inviteGuardian } from '../../../contract/family.ts';
import { makeFeed } from '../../../contract/feeds.ts';
import { blockUser, unblockUser } from '../../../contract/staff.ts';
import { findInDatabase } from '../../testing/search.ts';
import { unique } from '../../testing/app.ts';
import { anAdmin, aStaffInvitation, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { overtaken, waiters, whileHeld } from '../../testing/overtaken.ts';
import {
  anApp,
  aVisitor,
  expectOwnerIn,
  hasSession,
  mailedLink,
  newPassword,
  ownersPassword,
  setConfirmed,
  signUpAndIn,
  smtp,
  squatted,
  strangersPassword,
  tokenOf,
  waitingMails,
} from '../../testing/squatted.ts';
import { codeOf } from '../../testing/totp.ts';
import { idOf, type Visitor } from '../../testing/visitor.ts';

const app = await anApp();
const anAddress = () => `${unique('new')}@example.com`;

async function aMember() {
  const email = anAddress();
  const { visitor } = await signUpAndIn(app, email, ownersPassword);
  await setConfirmed(app, email, true);
  return { email, visitor };
}

const subjectsTo = (email: string) =>
  smtp.mails.filter(({ to }) => to === email).map(({ subject }) => subject);

/** Asks for the new address, and answers the token of the link. */
async function ask(visitor: Visitor, email: string): Promise<string> {
  const asked = await visitor.auth('change-email', { email, password: ownersPassword });
  expect(asked.body).toEqual({ status: true });
  await app.settled();
  const mails = smtp.mails.filter(({ to }) => to === email);
  return mails.map(({ text }) => /\/newaddress#(\S+)$/m.exec(text)?.[1] ?? '').at(-1) ?? '';
}
const confirm = (visitor: Visitor, token: string) => visitor.auth('confirm-new-email', { token });

/** The mails that the mail server refused are tried again. */
async function tryAgain() {
  smtp.refuse(null);
  await app.pool.query(
    `update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`,
  );
  await app.settled();
}

/** How many sessions the account of a signed-in visitor has. */
async function sessionsOf(visitor: Visitor): Promise<number | null> {
  const { body } = await visitor.ask('GET', '/api/auth/get-session');
  const { user } = body as unknown as { user: { id: string } };
  const { rowCount } = await app.pool.query('select from session where user_id = $1', [user.id]);
  return rowCount;
}

describe('a new address', () => {
  it('counts once its link is pressed; the old one is told and no longer signs in', async () => {
    const { email, visitor } = await aMember();
    const other = (await expectOwnerIn(app, email, ownersPassword)).visitor;
    const to = anAddress();
    const token = await ask(visitor, to);
    await expectOwnerIn(app, email, ownersPassword);
    expect((await confirm(visitor, token)).body).toEqual({ status: true, email: to });
    await expectOwnerIn(app, to, ownersPassword);
    expect((await aVisitor(app).signIn(email, ownersPassword)).status).toBe(401);
    expect(await hasSession(other)).toBe(false);
    expect(await hasSession(visitor)).toBe(true);
    await expect.poll(() => subjectsTo(email)).toContain('Your address was changed');
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
  });

  it('gets reminders, also where the old one took no mail', async () => {
    const { email, visitor } = await aMember();
    const to = anAddress();
    const token = await ask(visitor, to);
    await app.pool.query('update "user" set bounced_at = now() where email = $1', [email]);
    await confirm(visitor, token);
    const { rows } = await app.pool.query('select bounced_at from "user" where email = $1', [to]);
    expect(rows).toEqual([{ bounced_at: null }]);
  });

  it.each(['asked for', 'confirmed'])(
    'only %s: no mail once the account is deleted',
    async (way) => {
      const { email, visitor } = await aMember();
      const to = anAddress();
      const link = way === 'confirmed' ? await ask(visitor, to) : '';
      smtp.refuse('451 later');
      if (link) await confirm(visitor, link);
      else await visitor.auth('change-email', { email: to, password: ownersPassword });
      const address = link ? to : email;
      const id = await idOf(app, address);
      await expect.poll(() => waitingMails(app, id)).toBe(1);
      const token = await visitor.token(address);
      const left = await app.send(deleteAccount, { password: ownersPassword }, token);
      expect(left.status).toBe(200);
      await tryAgain();
      expect(subjectsTo(link ? email : to)).not.toContain('Your address was changed');
      expect(subjectsTo(to)).toEqual(link ? ['Confirm your new address'] : []);
      expect(await findInDatabase(app, to)).toEqual([]);
    },
  );

  it('is the one that is told when the password is changed at the same moment', async () => {
    const { email, visitor } = await aMember();
    const to = anAddress();
    const link = await ask(visitor, to);
    const { status } = await overtaken(
      app,
      email,
      () => confirm(visitor, link),
      () => visitor.auth('change-password', { currentPassword: ownersPassword, newPassword }),
    );
    expect(status).toBe(200);
    await expect.poll(() => subjectsTo(to)).toContain('Your password was changed');
    expect(subjectsTo(email)).not.toContain('Your password was changed');
  });

  it('leaves no mail about a sign-up with the old one at that moment', async () => {
    const { email } = await aMember();
    await whileHeld(app, email, async (holder) => {
      const form = { name: 'A', image: 'https://example.com/a.png', email, password: newPassword };
      expect((await aVisitor(app).auth('sign-up/email', form)).status).toBe(200);
      await waiters(app, 1);
      await holder.query('update "user" set email = $1 where email = $2', [anAddress(), email]);
      await holder.query('commit');
    });
    await app.settled();
    expect(subjectsTo(email)).not.toContain('Sign-up attempt with your address');
  });

  it('is not asked for by a mail when its session ends at that moment', async () => {
    const { email, visitor } = await aMember();
    const to = anAddress();
    await whileHeld(app, email, async (holder) => {
      const asking = visitor.auth('change-email', { email: to, password: ownersPassword });
      await waiters(app, 1);
      await holder.query('delete from session where user_id = $1', [await idOf(app, email)]);
      await holder.query('commit');
      expect((await asking).status).toBe(401);
    });
    expect([await waitingMails(app, to), subjectsTo(to)]).toEqual([0, []]);
  });

  it('needs the session that asked: the owner of a mailbox proves nothing for a stranger', async () => {
    const stranger = await aMember();
    const victim = anAddress();
    const token = await ask(stranger.visitor, victim);
    expect((await confirm(aVisitor(app), token)).status).toBe(401);
    const { visitor } = await aMember();
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
  });

  it('ends with the password, so a thief who asked for it loses it', async () => {
    const { visitor } = await aMember();
    const token = await ask(visitor, anAddress());
    const passwords = { currentPassword: ownersPassword, newPassword };
    expect((await visitor.auth('change-password', passwords)).status).toBe(200);
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
  });

  it('waits for the confirmation of the old one, so the links in its mailbox go on', async () => {
    const { email, owner, stranger, link } = await squatted(app);
    const form = { email: anAddress(), password: strangersPassword };
    const asked = await stranger.visitor.auth('change-email', form);
    expect([asked.status, asked.body.code]).toEqual([409, 'EMAIL_NOT_CONFIRMED']);
    // Asked for while it was confirmed, as an older Rally let it.
    await setConfirmed(app, email, true);
    await stranger.visitor.auth('change-email', form);
    await setConfirmed(app, email, false);
    const { hash } = await mailedLink(app, form.email, '/newaddress');
    const moved = await confirm(stranger.visitor, hash.slice(1));
    expect(moved.body.code).toBe('BAD_LINK');
    const taken = await owner.auth('verify-email', { token: tokenOf(link), newPassword });
    expect(taken.status).toBe(200);
  });

  it('uses up none of the mails that confirm the address for its owner', async () => {
    const { visitor } = await aMember();
    const victim = anAddress();
    for (let n = 0; n < 4; n++) await ask(visitor, victim);
    const owner = await signUpAndIn(app, victim, newPassword);
    const link = await mailedLink(app, victim, '/confirm');
    const confirmed = await owner.visitor.auth('verify-email', { token: tokenOf(link) });
    expect(confirmed.body).toEqual({ status: true });
  });

  it('ends calendar feeds, invitations that the account sent, and those to the old address', async () => {
    const { email, visitor } = await aMember();
    const id = await idOf(app, email);
    const token = await visitor.token(email);
    const [own, other] = [await aChild(app, [{ id }]), await aUser(app)];
    const foreign = await aChild(app, [other]);
    await app.send(makeFeed, {}, token);
    await app.send(inviteGuardian, { email: anAddress(), participantIds: [own.id] }, token);
    await app.send(inviteGuardian, { email, participantIds: [foreign.id] }, other.token);
    await aStaffInvitation(app, { email });
    const left = async () => {
      const { rows } = await app.pool.query<{ n: number }>(
        `select (select count(*) from feed where user_id = $1)::int
           + (select count(*) from invitation where invited_by = $1 or email = $2)::int
           + (select count(*) from staff_invitation where email = $2)::int as n`,
        [id, email],
      );
      return rows[0]?.n;
    };
    expect(await left()).toBe(4);
    expect((await confirm(visitor, await ask(visitor, anAddress()))).status).toBe(200);
    expect(await left()).toBe(0);
  });

  it('is not taken again by its link once the account has returned to the old one', async () => {
    const { email, visitor } = await aMember();
    const token = await ask(visitor, anAddress());
    expect((await confirm(visitor, token)).status).toBe(200);
    // The log and the link have seconds.
    await delay(1_000);
    expect((await confirm(visitor, await ask(visitor, email))).status).toBe(200);
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
    await expectOwnerIn(app, email, ownersPassword);
  });

  it('is over when the account was blocked meanwhile', async () => {
    const { email, visitor } = await aMember();
    const [admin, id] = [await anAdmin(app), await idOf(app, email)];
    const token = await ask(visitor, anAddress());
    await app.send(blockUser, { id }, admin.token);
    await app.send(unblockUser, { id }, admin.token);
    const again = await expectOwnerIn(app, email, ownersPassword);
    expect((await confirm(again.visitor, token)).body.code).toBe('BAD_LINK');
  });

  it('leaves no place from which the old one may be guessed without the limit of strangers', async () => {
    const { email, visitor } = await aMember();
    const former = aVisitor(app);
    await former.signIn(email, ownersPassword);
    former.cookies.clear();
    await confirm(visitor, await ask(visitor, anAddress()));
    await signUpAndIn(app, email, newPassword);
    for (let n = 0; n < 10; n++) await aVisitor(app).signIn(email, 'Wrong#2026');
    expect((await former.signIn(email, 'Wrong#2026')).status).toBe(429);
  });

  it('ends a link to choose a password that was asked for at the old one and is under way', async () => {
    const { email } = await aMember();
    const id = await idOf(app, email);
    const links = () => app.pool.query('select from verification where value = $1', [id]);
    await whileHeld(app, email, async (holder) => {
      const asking = aVisitor(app).auth('request-password-reset', { email });
      await waiters(app, 1);
      expect((await links()).rowCount).toBe(1);
      await holder.query('update "user" set email = $1 where id = $2', [anAddress(), id]);
      await holder.query('commit');
      expect((await asking).body).toEqual({ status: true });
    });
    await app.settled();
    expect((await links()).rowCount).toBe(0);
    expect(subjectsTo(email)).not.toContain('Choose a new password');
  });

  it('leaves no session to a sign-in with the old one that is under way', async () => {
    const { email, visitor } = await aMember();
    const token = await ask(visitor, anAddress());
    const late = aVisitor(app);
    const answer = await overtaken(
      app,
      email,
      () => confirm(visitor, token),
      () => late.signIn(email, ownersPassword),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'WRONG_CREDENTIALS']);
    expect(await sessionsOf(visitor)).toBe(1);
  });

  it('leaves no session to a second step of the old one that is under way', async () => {
    const { email, visitor } = await aMember();
    const { body } = await visitor.auth('two-factor/enable', { password: ownersPassword });
    const backupCodes = body['backupCodes'] as string[];
    await visitor.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
    const token = await ask(visitor, anAddress());
    const late = aVisitor(app);
    expect((await late.signIn(email, ownersPassword)).body).toEqual({ twoFactor: true });
    const answer = await overtaken(
      app,
      email,
      () => confirm(visitor, token),
      () => late.auth('sign-in/second-step', { code: backupCodes[0] }),
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'SECOND_STEP_OVER']);
    expect(await sessionsOf(visitor)).toBe(1);
  });

  it('needs the password, and is never one that has an account, which is not told', async () => {
    const [{ email, visitor }, taken] = [await aMember(), await aMember()];
    const wrong = await visitor.auth('change-email', { email: anAddress(), password: 'Wrong#1' });
    expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([
      400,
      'WRONG_PASSWORD',
      'password',
    ]);
    const same = await visitor.auth('change-email', { email, password: ownersPassword });
    expect([same.status, same.body.field]).toEqual([400, 'email']);
    expect(await ask(visitor, taken.email)).toBe('');
    expect(subjectsTo(taken.email)).toContain('Your address was asked for');

    const to = anAddress();
    const token = await ask(visitor, to);
    await signUpAndIn(app, to, newPassword);
    expect((await confirm(visitor, token)).body.code).toBe('HAS_ACCOUNT');
  });
});
