// One's own account: what it tells, what it hands out, and that nothing is left of a deleted account
// but the books.
import { describe, expect, it } from 'vitest';
import { deleteAccount, endSession, getAccount } from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { listAllPayments, recordPayment, refundPayment } from '../../contract/checkout/payments.ts';
import { listAudit, makeInstructor } from '../../contract/people/users.ts';
import { unique } from '../testing/app.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  balanced,
  intoCart,
  seats,
  settleAll,
} from '../testing/checkout.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aSession,
  aUser,
  type TestUser,
} from '../testing/factories.ts';
import { findInDatabase } from '../testing/search.ts';
import { codeOf } from '../testing/totp.ts';
import { aMember, goodPassword, idOf, resetToken, Visitor } from '../testing/visitor.ts';
import { hashPassword } from './hashes.ts';

const shop = await aShop();
const { app } = shop;
await anAdmin(app);

/** People made by a test in one line have no password; these do. */
async function withPassword<T extends TestUser>(who: T): Promise<T> {
  const passwordHash = await hashPassword(goodPassword);
  await app.db.insertInto('login').values({ userId: who.id, passwordHash }).execute();
  return who;
}

const leave = (
  token: string,
  confirmation: { password?: string; email?: string } = { password: goodPassword },
) => app.send(deleteAccount, { ...confirmation, giveBack: true }, token);

describe('the account', () => {
  it('says how one signs in and where', async () => {
    const { visitor, email } = await aMember(app);
    await new Visitor(app).signIn(email);
    const { body } = await app.send(getAccount, {}, await visitor.token(email));
    const ways = { password: true, google: false, twoFactor: false, adminWaits: false };
    expect(body).toMatchObject({ ...ways, enrolments: 0 });
    expect(body.sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(body.sessions).toHaveLength(2);
  });

  it('ends a session of one’s own alone, at once', async () => {
    const [pia, tom] = [await aUser(app), await aUser(app)];
    const phone = await aSession(app, pia.id);
    const end = (id: string) => app.send(endSession, { id }, pia.token);
    expect((await end(phone.sessionId)).body).toEqual({ deletedCount: 1 });
    expect((await app.send(getAccount, {}, phone.token)).status).toBe(401);
    expect((await end(tom.sessionId)).status).toBe(404);
    expect((await app.send(getAccount, {}, tom.token)).status).toBe(200);
  });

  it('has 100 sessions at most: a sign-in ends the oldest', async () => {
    const { visitor, email } = await aMember(app);
    const id = await idOf(app, email);
    await app.pool.query(
      `insert into session (user_id, secret_hash, browser, expires_at, seen_at)
       select $1::uuid, sha256(($1::text || n)::bytea), n::text, now() + interval '1 day', now() - n * interval '1 minute'
       from generate_series(1, 120) n`,
      [id],
    );
    await new Visitor(app).signIn(email);
    const { rows } = await app.pool.query<{ left: number }>(
      `select browser::int as left from session where user_id = $1 and browser ~ '^\\d+$' order by 1`,
      [id],
    );
    expect(rows.map(({ left }) => left)).toEqual(Array.from({ length: 98 }, (_, at) => at + 1));
    expect(
      (await app.send(exportAccount, {}, await visitor.token(email))).body.sessions,
    ).toHaveLength(100);
  });
});

describe('the export', () => {
  it('has everything that was done, and nothing that lets in', async () => {
    const bought = await aBoughtSeat(shop);
    const { who } = bought;
    await withPassword(who);
    const waiting = await aClass(app);
    await intoCart(app, who, waiting);
    await settleAll(app);
    const { status, body } = await app.send(exportAccount, {}, who.token);
    expect(status).toBe(200);
    const { id, name, email } = who;
    expect(body.profile).toMatchObject({ id, name, email, role: 'student' });
    expect(body.signIns).toEqual([{ password: true, googleSub: null, totpOnAt: null }]);
    expect(body.sessions.map(({ id }) => id)).toEqual([who.sessionId]);
    expect(body.cart).toMatchObject([
      { classId: waiting.id, name: waiting.name, seenPrice: 19.99 },
    ]);
    expect(body.payments).toMatchObject([
      { id: bought.paymentId, transactionId: bought.intent, price: 19.99 },
    ]);
    expect(body.enrolments).toMatchObject([{ paymentId: bought.paymentId, state: 'active' }]);
    expect(body.holds).toMatchObject([{ state: 'consumed', transactionId: bought.intent }]);
    expect(body.audit.map(({ action }) => action)).toContain('payment recorded');
    const { rows } = await app.pool.query<{ hidden: string }>(
      `select encode(secret_hash, 'hex') as hidden from session where user_id = $1
       union all select password_hash from login where user_id = $1`,
      [who.id],
    );
    expect(rows).toHaveLength(2);
    for (const { hidden } of rows) expect(JSON.stringify(body)).not.toContain(hidden);
  });

  it("has an instructor's classes, and nothing of anyone else", async () => {
    const instructor = await anInstructor(app);
    const own = await aClass(app, { instructor });
    const stranger = await aBoughtSeat(shop, own);
    const { body } = await app.send(exportAccount, {}, instructor.token);
    expect(body.classes).toMatchObject([{ id: own.id, price: 19.99, sold: 1 }]);
    expect(body.payments).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(stranger.who.email);
  });
});

describe('deleting', () => {
  it('leaves nothing of the person, and keeps the books', async () => {
    const bought = await aBoughtSeat(shop);
    const who = await withPassword(bought.who);
    await intoCart(app, who, await aClass(app));
    await aSession(app, who.id);
    const visitor = new Visitor(app);
    await visitor.signIn(who.email);
    const { body: app2fa } = await visitor.auth('two-factor/enable', { password: goodPassword });
    await visitor.auth('two-factor/verify', { code: codeOf(String(app2fa['secret'])) });
    await resetToken(app, who.email);
    const admin = await anAdmin(app);
    await app.send(makeInstructor, { id: who.id }, admin.token);
    const token = await visitor.token(who.email);
    const before = await findInDatabase(app, who.email);
    expect(before.length).toBeGreaterThan(2);
    const ways = ['session', 'login', 'link'].map(
      (table) => `select from ${table} where user_id = $1`,
    );
    const waysIn = async () => (await app.pool.query(ways.join(' union all '), [who.id])).rowCount;
    expect(await waysIn()).toBeGreaterThan(2);

    expect((await leave(token)).body).toEqual({ deletedCount: 1 });

    expect(await findInDatabase(app, who.email)).toEqual([]);
    expect(await findInDatabase(app, who.name)).toEqual([]);
    expect(await waysIn()).toBe(0);
    const select = 'select name, image from "user" where id = $1';
    const { rows: users } = await app.pool.query(select, [who.id]);
    expect(users).toEqual([{ name: 'Deleted user', image: null }]);
    expect(await visitor.isLetIn(token, who.email)).toBe(false);
    expect((await new Visitor(app).signIn(who.email)).body.code).toBe('WRONG_CREDENTIALS');

    const ofPayment = 'select * from payment where id = $1';
    const { rows } = await app.pool.query(ofPayment, [bought.paymentId]);
    expect(rows[0]).toMatchObject({
      email: `deleted-${who.id}@deleted.invalid`,
      customer: 'Deleted user',
      intent_id: bought.intent,
      amount_cents: 1_999,
    });
    const { body: lines } = await app.send(listAudit, { search: 'account deleted' }, admin.token);
    const said = { action: 'account deleted', actor: 'Deleted user', subject: who.id };
    expect(lines[0]).toMatchObject(said);
    await balanced(shop);
  });

  it('wants the password, or the typed address', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    for (const confirmation of [{}, { password: 'Wrong#2026' }, { email }]) {
      expect((await leave(token, confirmation)).body.code).toBe('WRONG_PASSWORD');
    }
    const byGoogle = await aUser(app);
    const { body } = await leave(byGoogle.token, { email: 'somebody@example.com' });
    expect(body.code).toBe('EMAIL_MISMATCH');
    expect((await leave(byGoogle.token, { email: byGoogle.email.toUpperCase() })).status).toBe(200);
  });

  it('gives back the seats that are being paid for', async () => {
    const { who, klass, intent } = await aHeldSeat(shop);
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    expect((await leave(who.token, { email: who.email })).status).toBe(200);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
    expect((await shop.provider.intent(intent)).status).toBe('canceled');
  });

  it('waits for money that has just arrived', async () => {
    const { who, klass } = await aPaidSeat(shop);
    expect((await leave(who.token, { email: who.email })).body.code).toBe('ALREADY_PAID');
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 1 });
    expect((await leave(who.token, { email: who.email })).status).toBe(200);
  });

  it('waits while the card provider is silent', async () => {
    const { who, klass } = await aHeldSeat(shop);
    const path = '/v1/payment_intents/*/cancel';
    await shop.provider.fault({ effect: 'error_before', path, times: null });
    try {
      expect((await leave(who.token, { email: who.email })).body.code).toBe('PROVIDER_DOWN');
    } finally {
      await shop.provider.heal();
    }
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    expect((await leave(who.token, { email: who.email })).status).toBe(200);
  });

  it('beside a payment recorded at once leaves no name behind', async () => {
    const { who, intent } = await aPaidSeat(shop);
    await Promise.all([
      app.send(recordPayment, { transactionId: intent }, who.token),
      leave(who.token, { email: who.email }),
    ]);
    await leave(who.token, { email: who.email });
    await settleAll(app);
    // A receipt that was on its way may arrive after they left: the mailbox stands for the post,
    // which takes nothing back.
    expect(await findInDatabase(app, who.email, { except: ['public.mailbox'] })).toEqual([]);
    await balanced(shop);
  });

  it('sends no mail to a deleted account', async () => {
    const bought = await aBoughtSeat(shop);
    const admin = await anAdmin(app);
    await leave(bought.who.token, { email: bought.who.email });
    const refund = { id: bought.paymentId, reason: 'The class does not take place' };
    await app.send(refundPayment, refund, admin.token);
    await settleAll(app);
    const { body } = await app.send(listAllPayments, { search: bought.intent }, admin.token);
    expect(body).toMatchObject([{ status: 'refunded', customer: 'Deleted user' }]);
    expect(await app.mail.messages(`deleted-${bought.who.id}@deleted.invalid`)).toEqual([]);
  });

  it('is refused to an instructor with students', async () => {
    const instructor = await anInstructor(app);
    const klass = await aClass(app, { instructor });
    const bought = await aBoughtSeat(shop, klass);
    expect((await leave(instructor.token, { email: instructor.email })).body.code).toBe(
      'TEACHES_STUDENTS',
    );
    const admin = await anAdmin(app);
    const refund = { id: bought.paymentId, reason: 'The instructor leaves' };
    await app.send(refundPayment, refund, admin.token);
    const held = await aHeldSeat(shop, klass);
    expect((await leave(instructor.token, { email: instructor.email })).status).toBe(200);
    const { body: people } = await app.send(listInstructors, {});
    expect(people.map(({ name }) => name)).not.toContain('Deleted user');
    // The receipt that the student got names the instructor of that day.
    const left = await findInDatabase(app, instructor.name);
    expect(left.filter((row) => !/^(pgboss.job|public.mailbox)/.test(row))).toEqual([]);
    await settleAll(app);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
    expect((await shop.provider.intent(held.intent)).status).toBe('canceled');
  });

  it('never leaves the academy without an admin', async () => {
    await app.pool.query(`update "user" set role = 'student' where role = 'admin'`);
    const [one, two] = [await anAdmin(app), await anAdmin(app)];
    const answers = await Promise.all(
      [one, two].map(({ token, email }) => app.send(deleteAccount, { email }, token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LAST_ADMIN');
  });

  it('nobody signs up with the address of the gone', async () => {
    const { status, body } = await new Visitor(app).auth('sign-up/email', {
      name: 'Eve',
      image: 'https://example.com/eve.png',
      email: ` deleted-${unique('x')}@Deleted.invalid `,
      password: goodPassword,
    });
    expect([status, body.field]).toEqual([400, 'email']);
  });
});
