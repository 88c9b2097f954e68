// A new address of an account, in production mode with real mails.
import { describe, expect, it } from 'vitest';
import { unique } from '../../testing/app.ts';
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
} from '../../testing/squatted.ts';
import type { Visitor } from '../../testing/visitor.ts';

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
    await expect
      .poll(() => subjectsTo(email), { timeout: 10_000 })
      .toContain('Your address was changed');
    expect((await confirm(visitor, token)).body.code).toBe('BAD_LINK');
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
