// Leaving with a family, and as an instructor whose classes are over: what goes, what stays.
import { afterAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { aBoughtSeat, aShop, balanced, openIntent, settleAll } from '../testing/checkout.ts';
import { approveClass } from '../../contract/classes/classes.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aStaffInvitation,
  aUser,
  type TestUser,
} from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';
import { aMeeting } from '../testing/meetings.ts';
import { waiters, whileHeld } from '../testing/overtaken.ts';
import { findInDatabase } from '../testing/search.ts';
import { aConfirmedMember, goodPassword, idOf, resetToken, Visitor } from '../testing/visitor.ts';

const shop = await aShop();
const { app } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

const leave = (who: TestUser) =>
  app.send(deleteAccount, { email: who.email, giveBack: true }, who.token);
const participant = async (id: string) => {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select name, born, made_by, erased_at is not null as erased,
      array(select user_id from guardian where participant_id = participant.id) as guardians
     from participant where id = $1`,
    [id],
  );
  return rows[0];
};

describe('deleting an account', () => {
  it('erases oneself and the children nobody else looks after', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const other = await aUser(app);
    const alone = await aChild(app, [who], { name: 'Mia Quillfeather' });
    const shared = await aChild(app, [who, other]);
    const klass = await aClass(app);
    for (const { id } of [alone, shared, who])
      await app.send(addToCart, { itemId: klass.id, participantId: id }, who.token);
    await app.pool.query(
      `insert into invitation (secret_hash, participant_id, email, invited_by)
       select '\\x00', p, 'aunt@quillfeather.example', $1 from unnest($2::uuid[]) p`,
      [who.id, [alone.id, shared.id]],
    );
    // Others have invited this address, and look after a child together with it.
    await app.pool.query(
      `insert into invitation (secret_hash, participant_id, email, invited_by) values ('\\x01', $1, $2, $3)`,
      [(await aChild(app, [other])).id, who.email, other.id],
    );
    await app.pool.query(`insert into care (participant_id, sealed, key) values ($1, '\\x00', 1)`, [
      alone.id,
    ]);
    await app.pool.query(
      `update enrolment set ask = 'Mia Quillfeather has school then' where payment_id = $1`,
      [paymentId],
    );

    expect((await leave(who)).body).toEqual({ deletedCount: 1 });

    const erased = { born: null, made_by: null, erased: true, guardians: [] };
    expect(await participant(who.id)).toEqual({ name: 'Deleted user', ...erased });
    expect(await participant(alone.id)).toEqual({ name: 'Removed child', ...erased });
    expect(await participant(shared.id)).toMatchObject({
      name: shared.name,
      erased: false,
      made_by: other.id,
      guardians: [other.id],
    });
    expect(await findInDatabase(app, 'uillfeather')).toEqual([]);
    expect(await findInDatabase(app, who.email)).toEqual([]);
    await app.settled();
    const told = (await app.mail.messages(other.email)).map(({ text }) => text);
    const words = `A guardian no longer looks after ${shared.name}`;
    expect(told).toEqual([expect.stringContaining(words)]);
    for (const table of ['cart_item', 'invitation', 'care']) {
      const column = table === 'cart_item' ? 'student_id' : 'participant_id';
      const { rowCount } = await app.pool.query(
        `select from ${table} where ${column} = any($1::uuid[])`,
        [[who.id, alone.id, shared.id]],
      );
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });

  it('with a seat ahead is refused, or gives the seat back first', async () => {
    const klass = await aClass(app, { name: 'Learn to Swim' });
    const { who, paymentId } = await aBoughtSeat(shop, klass);
    const refused = await app.send(deleteAccount, { email: who.email }, who.token);
    expect([refused.status, refused.body.code]).toEqual([409, 'SEATS_AHEAD']);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('Learn to Swim') });
    expect((await leave(who)).status).toBe(200);
    const { rows } = await app.pool.query(
      `select sold, payment.status, amount_cents > 0 as paid,
         (select count(*)::int from audit where action = 'seat given back' and detail = $2) as lines
       from class, payment where class.id = $1 and payment.id = $2::uuid`,
      [klass.id, paymentId],
    );
    expect(rows).toEqual([{ sold: 0, status: 'succeeded', paid: true, lines: 1 }]);
    const mails = `select subject from mailbox join "user" on email = recipient where "user".id = $1`;
    await expect
      .poll(async () => (await app.pool.query(mails, [klass.instructorId])).rows)
      .toContainEqual({ subject: 'A seat was given back: Learn to Swim' });
  });

  it('waits while another guardian pays for a seat of theirs', async () => {
    const [who, guardian] = [await aUser(app), await aUser(app)];
    await app.pool.query('insert into guardian (user_id, participant_id) values ($1, $2)', [
      guardian.id,
      who.id,
    ]);
    const klass = await aClass(app);
    const item = { itemId: klass.id, participantId: who.id };
    const { body } = await app.send(addToCart, item, guardian.token);
    const asked = { price: 19.99, itemId: body.insertedId };
    expect((await app.send(createIntent, asked, guardian.token)).status).toBe(200);
    expect((await leave(who)).body.code).toBe('PAYMENT_IN_PROGRESS');
    expect(await participant(who.id)).toMatchObject({ name: who.name, erased: false });
  });

  it('of the two last guardians at once erases the child, once', async () => {
    const [one, other] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [one, other]);
    const answers = await Promise.all([leave(one), leave(other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await participant(child.id)).toMatchObject({ erased: true, guardians: [] });
  });

  it('beside a seat being held sends back what is paid later', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    await app.send(addToCart, { itemId: klass.id }, who.token);
    const [opened] = await Promise.all([openIntent(app, who, klass), leave(who)]);
    if (opened.status === 200) await shop.provider.confirm(opened.body.clientSecret);
    await settleAll(app);
    const { rowCount } = await app.pool.query(
      `select from enrolment join participant on participant.id = participant_id
       where student_id = $1 and state = 'active' and erased_at is not null`,
      [who.id],
    );
    expect(rowCount).toBe(0);
  });
});

const status = async (id: string) => {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `select status, array(select state from meeting where class_id = class.id) as meetings from class where id = $1`,
    [id],
  );
  return rows[0];
};

describe('an instructor', () => {
  it('may leave when the classes with students are over', async () => {
    const instructor = await anInstructor(app);
    const klass = await aClass(app, { instructor });
    await aBoughtSeat(shop, klass);
    await aMeetingRow(app, klass, { inMinutes: 60 });
    expect((await leave(instructor)).body.code).toBe('TEACHES_STUDENTS');
    await app.pool.query(`update meeting set day = day - 3 where class_id = $1`, [klass.id]);
    const planned = await aClass(app, { instructor });
    await aMeetingRow(app, planned);
    expect((await leave(instructor)).status).toBe(200);
    expect(await status(klass.id)).toEqual({ status: 'approved', meetings: ['on'] });
    expect(await status(planned.id)).toEqual({ status: 'denied', meetings: ['proposed'] });
  });

  it('is no substitute of a meeting to come, also without students', async () => {
    const who = await anInstructor(app);
    const klass = await aClass(app);
    const { id } = await aMeeting(app, klass, { instructorId: who.id });
    const { status, body } = await leave(who);
    expect([status, body.code]).toEqual([409, 'TEACHES_STUDENTS']);
    expect(body.message).toContain('substitute in a class');
    await app.pool.query(`update meeting set state = 'cancelled' where id = $1`, [id]);
    expect((await leave(who)).status).toBe(200);
  });

  it('gives proposed meetings back to the instructor of the class', async () => {
    const who = await anInstructor(app);
    const klass = await aClass(app, { status: 'pending' });
    const { id } = await aMeeting(app, klass, { instructorId: who.id, state: 'proposed' });
    expect((await leave(who)).status).toBe(200);
    const ofMeeting = 'select instructor_id from meeting where id = $1';
    const { rows } = await app.pool.query(ofMeeting, [id]);
    expect(rows).toEqual([{ instructor_id: klass.instructorId }]);
    expect((await app.send(approveClass, { id: klass.id }, admin.token)).status).toBe(200);
  });
});

const leaveByPassword = (token: string) =>
  app.send(deleteAccount, { password: goodPassword }, token);

describe('a deletion is final:', () => {
  it('a link for a new password, stored meanwhile, opens nothing', async () => {
    const { email, visitor } = await aConfirmedMember(app);
    const id = await idOf(app, email);
    const token = await resetToken(app, email);
    const links = await app.db.selectFrom('link').selectAll().where('userId', '=', id).execute();
    expect((await leaveByPassword(await visitor.token(email))).status).toBe(200);
    await app.db.insertInto('link').values(links).execute();
    const late = { token, newPassword: 'Squash$2027' };
    expect((await new Visitor(app).auth('reset-password', late)).body.code).toBe('BAD_LINK');
    const left = await app.pool.query('select from login where user_id = $1', [id]);
    expect(left.rowCount).toBe(0);
  });

  it('what waits for an address of meanwhile is forgotten', async () => {
    const { email, visitor } = await aConfirmedMember(app);
    const token = await visitor.token(email);
    const moved = `new-${email}`;
    const left = await whileHeld(app, email, async (holder) => {
      const leaving = leaveByPassword(token);
      await waiters(app, 1);
      await holder.query('update "user" set email = $2 where email = $1', [email, moved]);
      await aStaffInvitation(app, { email: moved });
      await holder.query('commit');
      return await leaving;
    });
    expect(left.status).toBe(200);
    expect(await findInDatabase(app, moved)).toEqual([]);
  });

  it('the database refuses to prove a deleted account', async () => {
    const { email, visitor } = await aConfirmedMember(app);
    await leaveByPassword(await visitor.token(email));
    const confirming = app.pool.query(
      `update "user" set proven_at = now() where email like '%@deleted.invalid'`,
    );
    await expect(confirming).rejects.toMatchObject({ constraint: 'erased_is_not_proven' });
  });
});

it('an export ends at ten thousand audit lines, the newest', async () => {
  const [who, other, admin] = [await aUser(app), await aUser(app), await anAdmin(app)];
  const child = await aChild(app, [other, who]);
  const write = (actor: TestUser, action: string, lines: number) =>
    app.pool.query(
      `insert into audit (actor_id, action, subject) select $1, $2, $3 from generate_series(1, $4)`,
      [actor.id, action, child.id, lines],
    );
  await write(other, 'participant changed', 10_000);
  await write(admin, 'allergies and contacts read', 1);
  await write(who, 'participant changed', 1);
  const { body } = await app.send(exportAccount, {}, who.token);
  expect(body.audit).toHaveLength(10_000);
  expect(body.audit.slice(-2)).toMatchObject([
    { action: 'allergies and contacts read', byYou: false },
    { action: 'participant changed', byYou: true },
  ]);
});
