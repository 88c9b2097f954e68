// Leaving with a family, and as an instructor whose classes are over: what goes, what stays.
import { afterAll, describe, expect, it } from 'vitest';
import { deleteAccount, exportAccount } from '../../contract/signin/account.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { aBoughtSeat, aShop, balanced, openIntent, settleAll } from '../testing/checkout.ts';
import { aClass, anAdmin, anInstructor, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';
import { findInDatabase } from '../testing/search.ts';

const shop = await aShop();
const { app } = shop;
await anAdmin(app);
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
  it('erases oneself and the children whom nobody else looks after, and leaves the others', async () => {
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
      `update enrolment set objection = 'Mia Quillfeather has school then' where payment_id = $1`,
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
    await expect
      .poll(async () =>
        (
          await app.pool.query<{ body: string }>('select body from mailbox where recipient = $1', [
            other.email,
          ])
        ).rows.map(({ body }) => body),
      )
      .toEqual([expect.stringContaining(`A guardian no longer looks after ${shared.name}`)]);
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

  it('waits while another guardian pays for a seat of the one who leaves', async () => {
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
    const refused = await leave(who);
    expect([refused.status, refused.body.code]).toEqual([409, 'PAYMENT_IN_PROGRESS']);
    expect(await participant(who.id)).toMatchObject({ name: who.name, erased: false });
  });

  it('of the two last guardians at once erases the child, once, and nobody is left alone', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await aUser(app), await aUser(app)];
      const child = await aChild(app, [one, other]);
      const answers = await Promise.all([leave(one), leave(other)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await participant(child.id)).toMatchObject({ erased: true, guardians: [] });
    }
  });

  it('beside a seat that is being held sends back what is paid for it later', async () => {
    for (let round = 0; round < 5; round++) {
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
    }
  });
});

const status = async (id: string) =>
  (
    await app.pool.query<Record<string, unknown>>(
      `select status, array(select state from meeting where class_id = class.id) as meetings from class where id = $1`,
      [id],
    )
  ).rows[0];

describe('an instructor', () => {
  it('may leave when the classes with students are over, and these stay as they were', async () => {
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

  it('stays while they are the substitute of a meeting to come', async () => {
    const substitute = await anInstructor(app);
    const klass = await aClass(app);
    await aBoughtSeat(shop, klass);
    const { id } = await aMeetingRow(app, klass);
    await app.pool.query('update meeting set instructor_id = $1 where id = $2', [
      substitute.id,
      id,
    ]);
    expect((await leave(substitute)).body.code).toBe('TEACHES_STUDENTS');
    await app.pool.query('update meeting set instructor_id = $1 where id = $2', [
      klass.instructorId,
      id,
    ]);
    expect((await leave(substitute)).status).toBe(200);
  });
});

it('the export has oneself and the children, and for whom a class was bought', async () => {
  const { who } = await aBoughtSeat(shop);
  const child = await aChild(app, [who], { born: '2019-02-03' });
  await aChild(app, [await aUser(app)]);
  const { body } = await app.send(exportAccount, {}, who.token);
  expect(body.participants).toMatchObject([
    { id: who.id, self: true, name: who.name, born: null },
    { id: child.id, self: false, name: child.name, born: '2019-02-03' },
  ]);
  expect(body.enrolments).toMatchObject([{ participantId: who.id, objection: '' }]);
});

describe('the audit log of an export', () => {
  it('ends at ten thousand lines, the newest: a co-guardian writes about a child, too', async () => {
    const [who, other, admin] = [await aUser(app), await aUser(app), await anAdmin(app)];
    const child = await aChild(app, [other, who]);
    const write = (actor: TestUser, action: string, lines: number) =>
      app.pool.query(
        `insert into audit (actor_id, action, subject) select $1, $2, $3 from generate_series(1, $4)`,
        [actor.id, action, child.id, lines],
      );
    await write(other, 'participant changed', 10_000);
    await write(admin, 'care facts read', 1);
    await write(who, 'participant changed', 1);
    const { body } = await app.send(exportAccount, {}, who.token);
    expect(body.audit).toHaveLength(10_000);
    expect(body.audit.slice(-2)).toMatchObject([
      { action: 'care facts read', byYou: false },
      { action: 'participant changed', byYou: true },
    ]);
  });
});
