// Credit: given, spent with a card or alone, given back, paid out, and chosen in place of a refund.
import { afterAll, describe, expect, it } from 'vitest';
import { openBasket, payBasket, quoteBasket } from '../../contract/checkout/checkout.ts';
import {
  chooseRefund,
  creditFor,
  getCredit,
  giveCredit,
  payOutCredit,
} from '../../contract/checkout/credit.ts';
import { getReceipt, listPayments, refundPayment } from '../../contract/checkout/payments.ts';
import { removeFromCart } from '../../contract/checkout/cart.ts';
import { deleteAccount } from '../../contract/signin/account.ts';
import { type Family, aBoughtBasket, aFamily } from '../testing/baskets.ts';
import {
  aBoughtSeat,
  aShop,
  balanced,
  booksOf,
  expire,
  mailsTo,
  openIntent,
  record,
  saidAfter,
  secretOf,
  settleAll,
} from '../testing/checkout.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { grant, post } from './ledger.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

const give = (who: Pick<TestUser, 'id'>, cents: number, key: string = crypto.randomUUID()) =>
  app.send(giveCredit, { studentId: who.id, cents, reason: 'Rain', key }, admin.token);
const creditOf = async ({ token }: TestUser) => (await app.send(getCredit, {}, token)).body;
const pay = ({ who, items, totalCents }: Family, creditCents: number) =>
  app.send(openBasket, { items, totalCents, creditCents }, who.token);

/** With credit, and a seat of 19.99 in the cart. */
async function aFamilyWith(cents: number, prices: number[] = [1_999]) {
  const classes = await Promise.all(prices.map((price) => aClass(app, { cents: price })));
  const family = await aFamily(app, prices.length, classes);
  await give(family.who, cents);
  return family;
}

it('pays nothing or at least 0.50 by card', () => {
  expect(creditFor(1_999, 0)).toBe(0);
  expect(creditFor(1_999, 1_200)).toBe(1_200);
  expect(creditFor(1_999, 1_960)).toBe(1_949);
  expect(creditFor(1_999, 5_000)).toBe(1_999);
  expect(creditFor(50, 20)).toBe(0);
});

describe('spent', () => {
  it('with a card for the rest: reserved, and the seat is booked', async () => {
    const family = await aFamilyWith(1_200);
    const { who } = family;
    const quote = await app.send(quoteBasket, { items: family.items.join(',') }, who.token);
    expect(quote.body).toMatchObject({ totalCents: 1_999, creditCents: 1_200 });
    const { body } = await pay(family, 1_200);
    expect(body).toMatchObject({ totalCents: 1_999, creditCents: 1_200, cardCents: 799 });
    expect(await creditOf(who)).toMatchObject({ cents: 0, reservedCents: 1_200 });
    const { body: card } = await provider.confirm(body.clientSecret ?? '');
    expect(card.amount).toBe(799);
    const { body: paid } = await record(app, who, body.clientSecret ?? '');
    const id = paid.insertResult.insertedId;
    expect((await app.send(getReceipt, { id }, who.token)).body).toMatchObject({
      cents: 1_999,
      cardCents: 799,
      creditCents: 1_200,
      backCents: 0,
      leftCents: 1_999,
    });
    expect((await app.send(listPayments, {}, who.token)).body).toMatchObject([{ price: 19.99 }]);
    const { cents, reservedCents, entries } = await creditOf(who);
    expect([cents, reservedCents]).toEqual([0, 0]);
    expect(entries).toMatchObject([
      { cents: -1_200, afterCents: 0, why: `Paid for ${family.classes[0]?.name}`, paymentId: id },
      { cents: 1_200, afterCents: 1_200, why: 'Rain', paymentId: null },
    ]);
  });

  it('alone: no card, and no confirmed address is needed', async () => {
    const family = await aFamilyWith(5_000, [1_999, 2_001]);
    await app.pool.query('update "user" set proven_at = null where id = $1', [family.who.id]);
    const { body } = await pay(family, 4_000);
    expect(body).toMatchObject({ clientSecret: null, cardCents: 0 });
    const paid = await app.send(payBasket, { id: body.basketId }, family.who.token);
    expect(paid).toMatchObject({ status: 201, body: { status: 'succeeded' } });
    expect(await creditOf(family.who)).toMatchObject({ cents: 1_000, reservedCents: 0 });
  });

  it('comes back when the payment is given up, or made without it', async () => {
    const family = await aFamilyWith(1_200);
    const first = await pay(family, 1_200);
    // A reload offers it again, and finds the same payment.
    const quote = await app.send(quoteBasket, { items: family.items.join(',') }, family.who.token);
    expect(quote.body.creditCents).toBe(1_200);
    expect((await pay(family, 1_200)).body.clientSecret).toBe(first.body.clientSecret);
    const without = await pay(family, 0);
    expect(without.body).toMatchObject({ cardCents: 1_999, holdId: first.body.holdId });
    expect(await creditOf(family.who)).toMatchObject({ cents: 1_200, reservedCents: 0 });
    const again = await pay(family, 1_200);
    await expire(app, again.body.holdId);
    await settleAll(app);
    expect(await creditOf(family.who)).toMatchObject({ cents: 1_200, reservedCents: 0 });
  });

  it('the specified Pay takes none', async () => {
    const { who, classes, items } = await aFamilyWith(1_200);
    const [klass] = classes;
    if (klass) await openIntent(app, who, klass);
    expect(await creditOf(who)).toMatchObject({ cents: 1_200, reservedCents: 0 });
    await app.send(removeFromCart, { id: items[0] ?? '' }, who.token);
  });

  it.each([
    ['more than there is', 1_300, 409, 'TOO_LITTLE_CREDIT'],
    ['more than it costs', 2_000, 400, 'INVALID_INPUT'],
    ['all but 0.20', 1_979, 400, 'INVALID_INPUT'],
  ])('is refused: %s', async (_what, cents, status, code) => {
    const family = await aFamilyWith(1_200);
    expect(await pay(family, cents)).toMatchObject({ status, body: { code } });
    expect(await creditOf(family.who)).toMatchObject({ cents: 1_200, reservedCents: 0 });
  });

  it('and a seat that is lost meanwhile gives both parts back', async () => {
    const family = await aFamilyWith(1_200, [1_999, 2_001]);
    const { body } = await pay(family, 1_200);
    const [denied] = family.classes;
    await app.pool.query(`update class set status = 'denied' where id = $1`, [denied?.id]);
    await provider.confirm(body.clientSecret ?? '');
    await app.money.settle(secretOf(body.clientSecret ?? '').intent);
    await settleAll(app);
    const { rows } = await app.pool.query(
      `select refund.amount_cents + ledger.cents as back, line.back_cents, refund.state from payment_line line
       join refund on refund.line_id = line.id join ledger on key = 'refused:' || line.id || ':credit'
       where line.class_id = $1`,
      [denied?.id],
    );
    expect(rows).toEqual([{ back: 1_999, back_cents: 1_999, state: 'succeeded' }]);
    expect((await creditOf(family.who)).cents).toBeGreaterThan(500);
  });

  it('a payment without its basket is refunded, the credit free', async () => {
    const family = await aFamilyWith(1_200);
    const { body } = await pay(family, 1_200);
    const { intent } = secretOf(body.clientSecret ?? '');
    await provider.confirm(body.clientSecret ?? '');
    // As after the restore of a backup that was made between the basket and its intent.
    await app.pool.query('update basket set intent_id = null where intent_id = $1', [intent]);
    await app.money.settle(intent);
    await expire(app, body.holdId);
    await settleAll(app);
    expect(await creditOf(family.who)).toMatchObject({ cents: 1_200, reservedCents: 0 });
    const { rows } = await app.pool.query('select status from payment where intent_id = $1', [
      intent,
    ]);
    expect(rows).toEqual([{ status: 'refunded' }]);
  });
});

const tabs = <T>(count: number, tap: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, tap));
const spend = async (studentId: string) =>
  app.db
    .transaction()
    .execute((db) =>
      post(db, grant(studentId, -100, { once: crypto.randomUUID(), actorId: null, note: 'tab' })),
    );

describe('L8: never below 0', () => {
  it('a hundred tabs spend 1.00 of 15.00: fifteen may', async () => {
    const who = await aUser(app);
    await give(who, 1_500);
    const done = await tabs(100, () => spend(who.id));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
    const { cents, total, entries } = await creditOf(who);
    expect([cents, total]).toEqual([0, 16]);
    expect(new Set(entries.map(({ afterCents }) => afterCents)).size).toBe(16);
  });

  it('control: read, then write, spends more than there is', async () => {
    const who = await aUser(app);
    await give(who, 1_500);
    const read = 'select cents from credit where student_id = $1';
    const done = await tabs(100, async () => {
      const { rows } = await app.pool.query<{ cents: number }>(read, [who.id]);
      const left = (rows[0]?.cents ?? 0) - 100;
      if (left < 0) throw new Error('too little');
      await app.pool.query('update credit set cents = $2 where student_id = $1', [who.id, left]);
    });
    expect(done.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(15);
    expect((await booksOf(app)).join()).toContain(`credit of ${who.id}:`);
    await app.pool.query('update credit set cents = 1500 where student_id = $1', [who.id]);
  });

  it('two tabs with two seats and one credit: one reserves it', async () => {
    const family = await aFamilyWith(1_200, [1_999, 1_999]);
    const one = (item: string) => pay({ ...family, items: [item], totalCents: 1_999 }, 1_200);
    const both = await Promise.all(family.items.map(one));
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(both.some(({ body }) => body.code === 'TOO_LITTLE_CREDIT')).toBe(true);
    expect(await creditOf(family.who)).toMatchObject({ cents: 0, reservedCents: 1_200 });
  });

  it('the database refuses less than 0, and an entry without it', async () => {
    const who = await aUser(app);
    await give(who, 100);
    const below = 'update credit set cents = -1 where student_id = $1';
    await expect(app.pool.query(below, [who.id])).rejects.toMatchObject({ code: '23514' });
    const bare = `insert into ledger (key, debit, credit, cents, student_id) values ('x', 'grants', 'credit', 1, $1)`;
    await expect(app.pool.query(bare, [who.id])).rejects.toMatchObject({ code: '23514' });
  });
});

it('N15: each fault of a cent of credit is found', async () => {
  const family = await aFamilyWith(1_200);
  const { basketId } = (await pay(family, 1_200)).body;
  const { paymentId } = await aBoughtSeat(shop);
  const off = 'alter table ledger disable trigger append_only';
  const faults: [planted: string[], said: string][] = [
    [
      [off, `update ledger set credit_after = 1 where key = 'reserve:${basketId}'`],
      `entry reserve:${basketId}: 1 cents of credit after it, after 1200 before`,
    ],
    [
      [`update basket set credit_cents = 1100 where id = '${basketId}'`],
      `basket ${basketId}: open, with 1100 cents of credit, 1200 reserved by the ledger`,
    ],
    [
      [`update payment set back_cents = 1 where id = '${paymentId}'`],
      `payment ${paymentId}: 1 cents back at the card, but 0 in refunds`,
    ],
  ];
  for (const [planted, said] of faults) expect(await saidAfter(app, ...planted)).toContain(said);
});

describe('given by the office', () => {
  it('once for one key, and taken back, at most what is there', async () => {
    const who = await aUser(app);
    const key = crypto.randomUUID();
    const taps = await Promise.all([1, 2, 3].map(() => give(who, 1_200, key)));
    expect(taps.map(({ body }) => body.cents)).toEqual([1_200, 1_200, 1_200]);
    expect((await give(who, -200)).body.cents).toBe(1_000);
    expect(await give(who, -1_001)).toMatchObject({ body: { code: 'TOO_LITTLE_CREDIT' } });
    const [mail] = await mailsTo(app, who);
    expect(mail?.subject).toContain('$12.00 to spend at');
    const { entries } = await creditOf(who);
    expect(entries.map(({ cents }) => cents)).toEqual([-200, 1_200]);
  });
});

describe('paid out', () => {
  it('to the newest cards, at most what each paid; the rest stays', async () => {
    const { who, paymentId } = await aBoughtSeat(shop, await aClass(app, { cents: 1_000 }));
    await give(who, 1_500);
    const asked = (cents: number) => app.send(payOutCredit, { cents }, who.token);
    expect(await asked(1_501)).toMatchObject({ body: { code: 'TOO_LITTLE_CREDIT' } });
    expect((await asked(300)).body).toEqual({ cardCents: 300, deskCents: 0 });
    expect((await asked(1_200)).body).toEqual({ cardCents: 700, deskCents: 500 });
    await settleAll(app);
    expect(await creditOf(who)).toMatchObject({ cents: 500 });
    const { body } = await app.send(getReceipt, { id: paymentId }, who.token);
    // The seat has all of its money still: a refund of it is credit.
    expect(body).toMatchObject({ status: 'part_refunded', backCents: 1_000, leftCents: 1_000 });
    expect(body.refunds).toMatchObject([{ lineId: null, cents: 300 }, { cents: 700 }]);
    await app.send(refundPayment, { id: paymentId, reason: 'Rain' }, admin.token);
    expect(await creditOf(who)).toMatchObject({ cents: 1_500 });
    const after = await app.send(getReceipt, { id: paymentId }, who.token);
    expect(after.body).toMatchObject({ status: 'refunded', leftCents: 0 });
    await app.settled();
    const texts = (await mailsTo(app, who)).map(({ text }) => text);
    expect(texts.join()).toContain('your credit');
    expect(texts.join()).toMatch(/\$10\.00.*credit/);
  });
});

/** A seat whose money goes back to the card in three days, unless it is chosen. */
async function aChoice(hours = 72) {
  const { who, paymentId, lines } = await aBoughtBasket(shop, { prices: [1_999] });
  await app.send(refundPayment, { id: paymentId, reason: 'Cancelled' }, admin.token);
  const { rows } = await app.pool.query<{ id: string }>(
    `update refund set choice_until = now() + make_interval(secs => $2), next_try = now() + make_interval(secs => $2)
     where payment_id = $1 and state = 'due' returning id`,
    [paymentId, hours * 3_600],
  );
  return { who, paymentId, line: lines[0], id: rows[0]?.id ?? '' };
}
const choose = (who: TestUser, id: string, to: 'credit' | 'card') =>
  app.send(chooseRefund, { id, to }, who.token);

describe('a refund with a choice', () => {
  it('becomes credit, once', async () => {
    const { who, id, paymentId } = await aChoice();
    expect((await choose(who, id, 'credit')).body).toEqual({ modifiedCount: 1 });
    expect((await choose(who, id, 'credit')).body).toEqual({ modifiedCount: 0 });
    expect(await choose(who, id, 'card')).toMatchObject({ body: { code: 'TOO_LATE' } });
    expect(await creditOf(who)).toMatchObject({ cents: 1_999 });
    const { body } = await app.send(getReceipt, { id: paymentId }, who.token);
    expect(body).toMatchObject({ status: 'succeeded', backCents: 0, leftCents: 0 });
    expect(body.lines).toMatchObject([{ backCents: 1_999, creditCents: 1_999 }]);
    expect(await choose(await aUser(app), id, 'credit')).toMatchObject({ status: 404 });
  });

  it('is sent at once', async () => {
    const { who, id } = await aChoice();
    expect((await choose(who, id, 'card')).body).toEqual({ modifiedCount: 1 });
    await settleAll(app);
    expect(await choose(who, id, 'credit')).toMatchObject({ body: { code: 'TOO_LATE' } });
    expect((await creditOf(who)).cents).toBe(0);
  });

  it('is not sent before', async () => {
    const { who, id } = await aChoice();
    await app.pool.query('update refund set next_try = now() where id = $1', [id]);
    expect(await app.money.sendRefunds(id)).toBe(0);
    await choose(who, id, 'card');
  });

  it('cannot be chosen once the sender may have it', async () => {
    const { who, id } = await aChoice();
    const past = `update refund set choice_until = now() - interval '1 second' where id = $1`;
    await app.pool.query(past, [id]);
    expect(await choose(who, id, 'credit')).toMatchObject({ body: { code: 'TOO_LATE' } });
    // Control: by its state alone it could, while the provider is being asked.
    const { rows } = await app.pool.query('select state from refund where id = $1', [id]);
    expect(rows).toEqual([{ state: 'due' }]);
  });

  it('L10: fifty taps at its end: card or credit, never both', async () => {
    const { who, id, line } = await aChoice(2 / 3_600);
    const taps = Array.from({ length: 50 }, async (_, nth) => {
      await new Promise((done) => setTimeout(done, 1_000 + nth * 40));
      await app.money.sendRefunds(id);
      return choose(who, id, 'credit');
    });
    const said = await Promise.all(taps);
    const chosen = said.filter(({ body }) => body.modifiedCount === 1).length;
    await settleAll(app);
    const { rows } = await app.pool.query<{ state: string }>(
      'select state from refund where id = $1',
      [id],
    );
    expect(rows).toEqual([{ state: chosen === 1 ? 'credit' : 'succeeded' }]);
    expect((await creditOf(who)).cents).toBe(chosen * 1_999);
    expect(line).toBeDefined();
  });
});

it('CREDIT_LEFT: an account with credit stays, or renounces it', async () => {
  const who = await aUser(app);
  await give(who, 1_200);
  const leave = (more: object) => app.send(deleteAccount, { email: who.email, ...more }, who.token);
  expect(await leave({})).toMatchObject({ status: 409, body: { code: 'CREDIT_LEFT' } });
  expect((await leave({ renounce: true })).body).toEqual({ deletedCount: 1 });
  const { rows } = await app.pool.query('select cents from credit where student_id = $1', [who.id]);
  expect(rows).toEqual([{ cents: 0 }]);
});
