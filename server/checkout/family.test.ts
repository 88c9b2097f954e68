// Who comes and who pays: a guardian buys seats for children. Two guardians, siblings, ages.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, listCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { createIntent, getReceipt, refundPayment } from '../../contract/checkout/payments.ts';
import {
  aShop,
  balanced,
  type Class,
  enrolled,
  intoCart,
  openIntent,
  record,
  rowsOf,
  seats,
  secretOf,
} from '../testing/checkout.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, eraseRow } from '../testing/family.ts';
import { waiters } from '../testing/overtaken.ts';
import { patient } from '../testing/patient.ts';
import { connect } from '../platform/db/connection.ts';
import { createClaims } from './seats/claim.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

const select = (who: TestUser, klass: Class, participant?: { id: string }) =>
  app.send(
    addToCart,
    { itemId: klass.id, ...(participant && { participantId: participant.id }) },
    who.token,
  );
const pay = (who: TestUser, itemId: string, price = 19.99) =>
  app.send(createIntent, { price, itemId }, who.token);
const cartOf = async (who: TestUser) =>
  (await app.send(listCart, { email: who.email }, who.token)).body;
const liveHolds = (participant: { id: string }) =>
  rowsOf(app, 'hold', `participant_id = '${participant.id}' and state in ('held', 'releasing')`);

async function buy(who: TestUser, klass: Class, participant: { id: string }) {
  const { body: item } = await select(who, klass, participant);
  const { body } = await pay(who, item.insertedId);
  await provider.confirm(body.clientSecret);
  return { ...(await record(app, who, body.clientSecret)), clientSecret: body.clientSecret };
}

const noLonger = (who: TestUser, child: { id: string }) =>
  app.pool.query(
    `delete from guardian where user_id = '${who.id}' and participant_id = '${child.id}'`,
  );

/** Two accounts that look after the same child, each with the class in the cart. */
async function twoGuardians(klass: Class) {
  const [one, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [one, other]);
  const items = [await select(one, klass, child), await select(other, klass, child)];
  return { one, other, child, items: items.map(({ body }) => body.insertedId) };
}

describe('selecting a class for somebody', () => {
  it('takes one row for each child, and names the child', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const [mia, leo] = [await aChild(app, [who]), await aChild(app, [who])];
    for (const child of [mia, leo]) expect((await select(who, klass, child)).status).toBe(201);
    expect((await select(who, klass, leo)).body.code).toBe('ALREADY_IN_CART');
    expect(
      (await cartOf(who)).map(({ participantId, participant }) => [participantId, participant]),
    ).toEqual([
      [mia.id, mia.name],
      [leo.id, leo.name],
    ]);
  });

  it('answers 404 for a participant of others, removed or unknown', async () => {
    const [who, other, klass] = [await aUser(app), await aUser(app), await aClass(app)];
    const removed = await aChild(app, [who]);
    await eraseRow(app, removed);
    const unknown = { id: crypto.randomUUID() };
    for (const participant of [await aChild(app, [other]), other, removed, unknown])
      expect((await select(who, klass, participant)).status).toBe(404);
    expect(await cartOf(who)).toEqual([]);
  });
});

const agedClass = async (minAge: number | null, maxAge: number | null) => {
  const klass = await aClass(app);
  await app.db.updateTable('class').set({ minAge, maxAge }).where('id', '=', klass.id).execute();
  return klass;
};

const yearsAgo = async (years: number, days = 0) => {
  const { rows } = await app.pool.query<{ day: string }>(
    `select to_char(now() - make_interval(years => $1, days => $2), 'YYYY-MM-DD') as day`,
    [years, days],
  );
  return rows[0]?.day ?? '';
};

describe('ages', () => {
  it('are those of the first day, and the refusal names the range', async () => {
    const who = await aUser(app);
    const klass = await agedClass(8, 10);
    const soonEight = await aChild(app, [who], { born: await yearsAgo(8, -7) });
    const refused = await select(who, klass, soonEight);
    expect([refused.status, refused.body.code]).toEqual([409, 'WRONG_AGE']);
    expect(refused.body.message).toBe('This class is for ages 8–10 years.');
    await aMeetingRow(app, klass, { inMinutes: 14 * 24 * 60 });
    expect((await select(who, klass, soonEight)).status).toBe(201);
    const eleven = await aChild(app, [who], { born: await yearsAgo(11) });
    expect((await select(who, klass, eleven)).body.code).toBe('WRONG_AGE');
  });

  it('are checked again before the seat is held', async () => {
    const who = await aUser(app);
    const klass = await agedClass(null, null);
    const child = await aChild(app, [who], { born: await yearsAgo(7) });
    const { body: item } = await select(who, klass, child);
    const { body: own } = await select(who, klass);
    await app.db.updateTable('class').set({ minAge: 9 }).where('id', '=', klass.id).execute();
    expect((await pay(who, item.insertedId)).body.code).toBe('WRONG_AGE');
    expect((await pay(who, own.insertedId)).status).toBe(200);
    expect(await liveHolds(child)).toEqual([]);
  });
});

describe('siblings', () => {
  it('have a seat, a payment and an enrolment each', async () => {
    const [who, klass] = [await aUser(app), await aClass(app, { capacity: 3 })];
    const children = [await aChild(app, [who]), await aChild(app, [who]), who];
    const payments: string[] = [];
    for (const child of children) {
      const { status, body } = await buy(who, klass, child);
      expect(status).toBe(201);
      payments.push(body.insertResult.insertedId);
    }
    expect(new Set(payments).size).toBe(3);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 3 });
    expect(await cartOf(who)).toEqual([]);
    const admin = await anAdmin(app);
    const refund = { id: payments[0] ?? '', reason: 'ill' };
    expect((await app.send(refundPayment, refund, admin.token)).status).toBe(200);
    expect(new Set((await enrolled(app, who)).map((row) => row['participant_id']))).toEqual(
      new Set([children[1]?.id, who.id]),
    );
  });

  it('are not told apart by the id of the class', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [who]);
    const { body: item } = await select(who, klass, child);
    // One row of the class: it is meant.
    const opened = await openIntent(app, who, klass);
    expect(opened.body).toMatchObject({ participant: child.name });
    await select(who, klass);
    expect((await openIntent(app, who, klass)).body.code).toBe('ITEM_REQUIRED');
    expect((await pay(who, item.insertedId)).body.holdId).toBe(opened.body.holdId);
  });

  it('do not use up the unpaid baskets of an hour with paid seats', async () => {
    const strict = await shop.another({ rateLimit: true });
    try {
      const [who, klass] = [await aUser(app), await aClass(app)];
      await app.pool.query(
        `insert into basket (student_id, total_cents, state) select $1, 1999, 'closed' from generate_series(1, 9)`,
        [who.id],
      );
      for (let n = 0; n < 3; n++) await buy(who, await aClass(app), who);
      await intoCart(app, who, klass);
      expect((await openIntent(strict, who, klass)).status).toBe(200);
      const next = await aClass(app);
      await intoCart(app, who, next);
      expect((await openIntent(strict, who, next)).body.code).toBe('RATE_LIMITED');
    } finally {
      await strict.close();
    }
  });
});

/** Two processes claim while another transaction has the class: both have read before it ends. */
async function claimAtOnce(): Promise<number> {
  const klass = await aClass(app);
  const { one, other, child } = await twoGuardians(klass);
  const databases = [connect(app.url, patient), connect(app.url, patient)];
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from class where id = $1 for update', [klass.id]);
    const seat = { participantId: child.id, classId: klass.id, amountCents: klass.priceCents };
    const claims = databases.map(({ db }, index) => {
      const { id: studentId } = index === 0 ? one : other;
      return createClaims(db)({ claims: [{ ...seat, studentId, cartItemId: null }], most: 3 });
    });
    await waiters(app, 2);
    await holder.query('commit');
    return (await Promise.all(claims)).filter((claim) => claim !== null).length;
  } finally {
    holder.release();
    for (const database of databases) await database.close();
    await app.pool.query(`update class set held = 0 where id = $1`, [klass.id]);
    await app.pool.query('delete from hold where participant_id = $1', [child.id]);
  }
}

describe('two guardians of one child', () => {
  it('FA1: the other reads BEING_PAID until it is paid', async () => {
    const klass = await aClass(app);
    const { one, other, child, items } = await twoGuardians(klass);
    const { body } = await pay(one, items[0] ?? '');
    expect((await pay(other, items[1] ?? '')).body.code).toBe('BEING_PAID');
    await provider.confirm(body.clientSecret);
    expect((await record(app, one, body.clientSecret)).status).toBe(201);
    for (const who of [one, other]) expect(await cartOf(who)).toEqual([]);
    expect((await select(other, klass, child)).body.code).toBe('ALREADY_ENROLLED');
  });

  it('FA1: get one seat when both claims read before a write', async () => {
    expect(await claimAtOnce()).toBe(1);
  });

  it('FA1, control: with the index by student each gets one', async () => {
    await app.pool.query(`drop index hold_one_per_class;
      create unique index hold_one_per_class on hold (student_id, class_id) where state in ('held', 'releasing')`);
    try {
      expect(await claimAtOnce()).toBe(2);
    } finally {
      await app.pool.query(`drop index hold_one_per_class;
        create unique index hold_one_per_class on hold (participant_id, class_id) where state in ('held', 'releasing')`);
    }
  });

  it('leave the payment of the other alone when they remove it', async () => {
    const klass = await aClass(app);
    const { one, other, child, items } = await twoGuardians(klass);
    const { body } = await pay(one, items[0] ?? '');
    expect((await cartOf(other))[0]).not.toHaveProperty('paying');
    expect((await app.send(removeFromCart, { id: items[1] ?? '' }, other.token)).status).toBe(200);
    expect((await liveHolds(child)).map(({ id }) => id)).toEqual([body.holdId]);
  });

  it('cannot pay for a child whom they no longer look after', async () => {
    const klass = await aClass(app);
    const { one, child, items } = await twoGuardians(klass);
    await noLonger(one, child);
    expect((await pay(one, items[0] ?? '')).body.code).toBe('NOT_IN_CART');
    expect(await liveHolds(child)).toEqual([]);
  });
});

describe('a guardian who is removed while paying', () => {
  it('and has paid enrols the child, and learns nothing of it', async () => {
    const { other, child, items } = await twoGuardians(await aClass(app));
    const { clientSecret } = (await pay(other, items[1] ?? '')).body;
    await noLonger(other, child);
    await app.pool.query(`update participant set name = 'Mia Newname' where id = $1`, [child.id]);
    await provider.confirm(clientSecret);
    const { body } = await record(app, other, clientSecret);
    const [enrolment] = await enrolled(app, other);
    expect(enrolment?.['participant_id']).toBe(child.id);
    await app.pool.query(
      `update enrolment set asked_at = now(), ask = 'Now in Porto' where id = $1`,
      [enrolment?.id],
    );
    const mails = async () =>
      JSON.stringify(
        (await app.pool.query(`select body from mailbox where recipient = '${other.email}'`)).rows,
      );
    await expect.poll(mails).toContain('The seat of the child in');
    const id = body.insertResult.insertedId;
    const told = [
      await mails(),
      (await app.send(getReceipt, { id }, other.token)).body,
      (await app.send(exportAccount, {}, other.token)).body,
    ];
    expect(JSON.stringify(told)).toContain(id);
    expect(JSON.stringify(told)).not.toMatch(/Newname|Porto/);
  });
});

describe('FA10: money that arrives for somebody', () => {
  it('who was erased meanwhile is sent back', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [who]);
    const { body: item } = await select(who, klass, child);
    const { body } = await pay(who, item.insertedId);
    await provider.confirm(body.clientSecret);
    await eraseRow(app, child);
    const { body: recorded } = await record(app, who, body.clientSecret);
    expect(recorded.status).toBe('refund_due');
    expect(await enrolled(app, who)).toEqual([]);
    const [refund] = await rowsOf(
      app,
      'refund',
      `payment_id = '${recorded.insertResult.insertedId}'`,
    );
    expect(refund?.['reason']).toBe('The participant is no longer known here.');
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it.each([
    ['whom the intent names, for the child', true, (child: string) => child],
    ['whom we do not know, for the student', false, () => crypto.randomUUID()],
  ])('%s: the lost hold is rebuilt', async (_case, forChild, named) => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [who]);
    const { body: item } = await select(who, klass, child);
    const { body } = await pay(who, item.insertedId);
    const { intent } = secretOf(body.clientSecret);
    await provider.ask('POST', `/v1/payment_intents/${intent}`, {
      'metadata[l1]': `${named(child.id)} ${klass.id} 1999`,
    });
    await provider.confirm(body.clientSecret);
    await app.pool.query('delete from hold where id = $1', [body.holdId]);
    await app.pool.query('update class set held = 0 where id = $1', [klass.id]);
    expect(await app.money.settle(intent)).toMatchObject({ outcome: 'recorded', fresh: true });
    const [enrolment] = await enrolled(app, who);
    expect(enrolment?.['participant_id']).toBe(forChild ? child.id : who.id);
  });
});
