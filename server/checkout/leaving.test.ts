// Leaving: the terms are those of the sale, what was shown is what is booked, once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askAboutSeat,
  getLeavingTerms,
  leaveSeat,
  quoteSeat,
} from '../../contract/checkout/leaving.ts';
import { answerObjection } from '../../contract/classes/objections.ts';
import { getReceipt, listAttention, overrideEnrolment } from '../../contract/checkout/payments.ts';
import type { Input } from '../../contract/platform/call.ts';
import { aShop, balanced, mailsTo, rowsOf, seats, statusBecomes } from '../testing/checkout.ts';
import { anAdmin, aUser } from '../testing/factories.ts';
import {
  aDatedClass,
  buyTogether,
  daysPass,
  secondChild,
  setTerms,
  someTerms,
  tomAndAna,
} from '../testing/leaving.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
beforeAll(async () => {
  await secondChild(shop);
  await setTerms(shop, someTerms);
});

afterAll(() => balanced(shop));

type Family = Awaited<ReturnType<typeof tomAndAna>>;
type Choice = Partial<Input<typeof leaveSeat>>;
const leave = ({ pia }: Family, id: string, backCents: number, choice: Choice = {}) =>
  app.send(leaveSeat, { id, backCents, to: 'card', ...choice }, pia.token);
const begun = async (days = 20 + 29) => {
  const family = await tomAndAna(shop);
  await daysPass(shop, [family.tennis, family.chess], days);
  return family;
};
const moneyOf = async (paymentId: string) => {
  const { rows } = await app.pool.query(
    `select key, from_line, to_line, cents from ledger where payment_id = $1 order by id`,
    [paymentId],
  );
  return rows.map(({ key, cents }) => `${String(key).split(':')[0]} ${cents}`);
};

describe('the quote', () => {
  it('says all before the first step ends, and what comes then', async () => {
    const { seats: sold, quote } = await tomAndAna(shop);
    const { body } = await quote(sold.ana);
    expect(body).toMatchObject({ cardCents: 7_200, creditCents: 7_200, step: 0, meetings: 10 });
    expect(body.next).toMatchObject({ cardCents: 3_600, creditCents: 5_040 });
    expect(body.why).toEqual([{ text: '10 of 10 meetings are to come', cents: 7_200 }]);
  });

  it('begun: meetings to come, less what Ana loses for hers', async () => {
    const { seats: sold, quote } = await begun();
    expect((await quote(sold.tom)).body).toMatchObject({
      cardCents: 3_200,
      creditCents: 4_100,
      left: 5,
      step: null,
      next: { cardCents: 2_560, creditCents: 3_280 },
      why: [
        { text: '5 of 10 meetings are to come', cents: 4_500 },
        { text: 'The discount of Ana in Chess falls away, for 5 meetings to come', cents: -400 },
      ],
    });
  });

  it('a cancelled meeting never was: nobody loses it', async () => {
    const { seats: sold, quote, tennis } = await begun();
    await app.pool.query(
      `update meeting set state = 'cancelled' where id =
        (select id from meeting where class_id = $1 order by day limit 1)`,
      [tennis.id],
    );
    expect((await quote(sold.tom)).body).toMatchObject({ left: 6 });
  });

  it('is of who paid; another guardian and strangers', async () => {
    const { seats: sold, tom } = await tomAndAna(shop);
    const [other, stranger] = [await aUser(app), await aUser(app)];
    await app.db
      .insertInto('guardian')
      .values({ userId: other.id, participantId: tom.id })
      .execute();
    const ask = (token: string) => app.send(quoteSeat, { id: sold.tom }, token);
    expect((await ask(other.token)).body.code).toBe('NOT_YOURS_TO_END');
    expect((await ask(stranger.token)).status).toBe(404);
  });

  it('without dates the first step holds, until the class is over', async () => {
    const pia = await aUser(app);
    const klass = await aDatedClass(shop, { cents: 9_000, count: 0 });
    const { seats: sold } = await buyTogether(shop, pia, [{ klass }], 9_000);
    const ask = () => app.send(quoteSeat, { id: sold[0]?.id ?? '' }, pia.token);
    expect((await ask()).body).toMatchObject({ cardCents: 9_000, meetings: 0, next: null });
    await app.pool.query(
      `update class set over_at = now(), ends_at = now(), closes_at = now(), over = true where id = $1`,
      [klass.id],
    );
    expect((await ask()).body).toMatchObject({ cardCents: 0, creditCents: 0 });
  });

  it('L11: terms are those of the sale, of the class first', async () => {
    const family = await begun();
    await setTerms(shop, { ...someTerms, begun: { card: 0, credit: 0 } }, family.tennis);
    expect((await family.quote(family.seats.tom)).body.creditCents).toBe(4_100);
    const { tennis } = family;
    expect((await app.send(getLeavingTerms, { classId: tennis.id })).body.own).toBe(true);
    const malik = await aUser(app);
    const { seats: sold } = await buyTogether(shop, malik, [{ klass: tennis }], 4_500);
    await daysPass(shop, [tennis], 8);
    const quote = await app.send(quoteSeat, { id: sold[0]?.id ?? '' }, malik.token);
    expect(quote.body).toMatchObject({ cardCents: 0, step: null, left: 4 });
    await setTerms(shop, null, tennis);
    expect((await app.send(getLeavingTerms, { classId: tennis.id })).body).toEqual({
      own: false,
      terms: someTerms,
    });
  });

  it('less than a second, ten times', async () => {
    const { seats: sold, quote } = await begun();
    const since = performance.now();
    for (let n = 0; n < 10; n++) await quote(sold.tom);
    expect(performance.now() - since).toBeLessThan(1_000);
  });
});

describe('leaving', () => {
  it('ends the seat and sends the money to the card', async () => {
    const family = await begun();
    const { seats: sold, intent, paymentId, pia } = family;
    expect((await leave(family, sold.tom, 3_200)).body).toEqual({
      modifiedCount: 1,
      cardCents: 3_200,
      creditCents: 0,
    });
    expect(await statusBecomes(app, intent, 'part_refunded')).toBe('part_refunded');
    expect(await provider.refunds(intent)).toMatchObject([{ amount: 3_200 }]);
    expect(await seats(app, family.tennis.id)).toMatchObject({ sold: 0 });
    const [ended] = await rowsOf(app, 'enrolment', `id = '${sold.tom}'`);
    expect(ended).toMatchObject({ state: 'cancelled', end_kind: 'family' });
    expect(await moneyOf(paymentId)).toEqual([
      'sale 9000',
      'sale 7200',
      'raise 400',
      'owed 3200',
      'sent 3200',
    ]);
    const receipt = await app.send(getReceipt, { id: paymentId }, pia.token);
    expect(receipt.body.lines.map(({ leftCents }) => leftCents)).toEqual([5_400, 7_600]);
    const mails = await mailsTo(app, pia, 3);
    const told = mails.find(({ subject }) => subject === 'You have left Tennis');
    expect(told?.text).toContain('$32.00');
  });

  it('L6: one after the other is all at once, to the cent', async () => {
    const family = await begun();
    const { tom, ana } = family.seats;
    await leave(family, tom, 4_100, { to: 'credit' });
    const last = (await family.quote(ana)).body;
    expect(last).toMatchObject({ creditCents: 3_600 + 400, cardCents: 2_880 + 400 });
    expect((await leave(family, ana, 4_000, { to: 'credit' })).body.creditCents).toBe(4_000);
    const [{ cents }] = (
      await app.pool.query('select cents from credit where student_id = $1', [family.pia.id])
    ).rows;
    expect(cents).toBe(4_500 + 3_600);
  });

  it('L5: fifty tabs leave once', async () => {
    const family = await begun();
    const tabs = await Promise.all(
      Array.from({ length: 50 }, () => leave(family, family.seats.tom, 3_200)),
    );
    expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(tabs.filter(({ body }) => body.modifiedCount === 1)).toHaveLength(1);
    expect(await rowsOf(app, 'refund', `payment_id = '${family.paymentId}'`)).toHaveLength(1);
    expect(await seats(app, family.tennis.id)).toMatchObject({ sold: 0 });
  });

  it('L7: a step, or a meeting, between quote and confirm', async () => {
    const family = await tomAndAna(shop);
    const { tennis, chess, seats: sold } = family;
    const classes = [tennis, chess];
    for (const [days, before] of [
      [10, 7_200],
      [13, 5_040],
      [7, 6_480],
    ] as const) {
      const seen = (await family.quote(sold.ana)).body.creditCents;
      expect(seen).toBe(before);
      await daysPass(shop, classes, days);
      const late = await leave(family, sold.ana, seen, { to: 'credit' });
      expect([late.status, late.body.code]).toEqual([409, 'QUOTE_CHANGED']);
    }
    expect(await moneyOf(family.paymentId)).toEqual(['sale 9000', 'sale 7200']);
    expect((await leave(family, sold.ana, 1)).body.code).toBe('QUOTE_CHANGED');
    await daysPass(shop, classes, 70);
    expect((await leave(family, sold.ana, 500)).body.code).toBe('NOTHING_BACK');
    expect((await leave(family, sold.ana, 0)).body).toMatchObject({ modifiedCount: 1 });
  });

  it('within 14 days of buying the contract is withdrawn from', async () => {
    await setTerms(shop, { ...someTerms, withdraw: 14 });
    const family = await tomAndAna(shop, { first: 1 });
    await setTerms(shop, someTerms);
    const { tennis, chess, seats: sold, pia } = family;
    await daysPass(shop, [tennis, chess], 3);
    const { body } = await family.quote(sold.ana);
    expect(body).toMatchObject({ withdraw: true, cardCents: 6_480, left: 9 });
    const done = await leave(family, sold.ana, 6_480, { withdraw: true });
    expect(done.body).toMatchObject({ modifiedCount: 1 });
    const [row] = await rowsOf(app, 'enrolment', `id = '${sold.ana}'`);
    expect(row?.['end_kind']).toBe('withdrawn');
    const subjects = (await mailsTo(app, pia, 2)).map(({ subject }) => subject);
    expect(subjects).toContain('You have withdrawn from Chess');
    await daysPass(shop, [tennis], 14);
    const late = await leave(family, sold.tom, 7_200, { withdraw: true });
    expect(late.body.code).toBe('TOO_LATE');
  });

  it('not of a seat that the office ended, nor by another', async () => {
    const family = await tomAndAna(shop);
    const { seats: sold } = family;
    const stranger = await aUser(app);
    const asked = { id: sold.tom, backCents: 0, to: 'card' } as const;
    expect((await app.send(leaveSeat, asked, stranger.token)).status).toBe(404);
    const end = { id: sold.tom, cents: 0, end: true, reason: 'Ill' };
    await app.send(overrideEnrolment, end, admin.token);
    expect((await leave(family, sold.tom, 0)).body.code).toBe('ENDED');
    expect((await family.quote(sold.tom)).body.code).toBe('ENDED');
    const withdrawn = await leave(family, sold.ana, 7_200, { withdraw: true });
    expect(withdrawn.body.code).toBe('TOO_LATE');
  });

  it('the database lets no line give more than it has', async () => {
    const { seats: sold } = await tomAndAna(shop);
    const more = `update payment_line set moved_cents = moved_cents - 7201
      where id = (select line_id from enrolment where id = '${sold.ana}')`;
    await expect(app.pool.query(more)).rejects.toThrow('payment_line_back');
  });
});

const askAbout = (token: string, id: string) =>
  app.send(askAboutSeat, { id, words: 'Tom has broken his arm.' }, token);

const creditOf = async ({ id }: { id: string }) => {
  const { rows } = await app.pool.query('select cents from credit where student_id = $1', [id]);
  return rows[0]?.cents ?? 0;
};

describe('the rest if resold', () => {
  const terms = { ...someTerms, begun: { card: 0, credit: 0 }, resold: 100 };
  const aFullClass = async () => {
    await setTerms(shop, terms);
    const klass = await aDatedClass(shop, { cents: 9_000, capacity: 2 });
    const [malik, stan] = [await aUser(app), await aUser(app)];
    const ids: string[] = [];
    for (const who of [malik, stan])
      ids.push((await buyTogether(shop, who, [{ klass }], 9_000)).seats[0]?.id ?? '');
    await daysPass(shop, [klass], 20 + 29);
    await setTerms(shop, someTerms);
    const [first = '', second = ''] = ids;
    for (const [who, id] of [
      [malik, first],
      [stan, second],
    ] as const) {
      const asked = { id, backCents: 0, to: 'credit', resold: true } as const;
      expect((await app.send(leaveSeat, asked, who.token)).status).toBe(200);
    }
    return { klass, malik, stan };
  };
  it('goes to who left first, as often as a seat is sold', async () => {
    const { klass, malik, stan } = await aFullClass();
    await buyTogether(shop, await aUser(app), [{ klass }], 4_500);
    await expect.poll(() => creditOf(malik)).toBe(4_500);
    expect(await creditOf(stan)).toBe(0);
    await buyTogether(shop, await aUser(app), [{ klass }], 4_500);
    await expect.poll(() => creditOf(stan)).toBe(4_500);
  });

  it('is void once the next meeting has begun', async () => {
    const { klass, malik } = await aFullClass();
    await app.pool.query(
      "update resale set since = since - interval '8 days' where class_id = $1",
      [klass.id],
    );
    await daysPass(shop, [klass], 7);
    await buyTogether(shop, await aUser(app), [{ klass }], 3_600);
    const { rows } = await app.pool.query('select state from resale where class_id = $1', [
      klass.id,
    ]);
    expect(rows.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(await creditOf(malik)).toBe(0);
  });
});

describe('asking the academy', () => {
  it('once in 14 days, answered with words', async () => {
    const { seats: sold, pia, paymentId } = await tomAndAna(shop);
    expect((await askAbout(pia.token, sold.tom)).body).toEqual({ modifiedCount: 1 });
    expect((await askAbout(pia.token, sold.tom)).body.code).toBe('ASKED_ALREADY');
    const { body } = await app.send(listAttention, {}, admin.token);
    expect(body.find((one) => one.paymentId === paymentId)).toMatchObject({
      what: 'Asks about leaving: Pia: Tennis',
      detail: 'Tom has broken his arm.',
    });
    await app.send(answerObjection, { id: sold.tom, words: 'We wait for him' }, admin.token);
    const [row] = await rowsOf(app, 'enrolment', `id = '${sold.tom}'`);
    expect(row).toMatchObject({ asked_at: null, answer: 'We wait for him' });
    const mails = await mailsTo(app, pia, 2);
    expect(mails.map(({ subject }) => subject)).toContain('About leaving Tennis');
    expect((await askAbout(pia.token, sold.tom)).status).toBe(200);
  });

  it('a stranger may not, and nobody once the seat has ended', async () => {
    const family = await tomAndAna(shop);
    const other = await aUser(app);
    expect((await askAbout(other.token, family.seats.tom)).status).toBe(404);
    await leave(family, family.seats.tom, 8_200);
    expect((await askAbout(family.pia.token, family.seats.tom)).body.code).toBe('ENDED');
  });

  it('answered by money: to the card and as credit, of anything', async () => {
    const family = await begun();
    const { seats: sold, pia, intent, paymentId } = family;
    await askAbout(pia.token, sold.tom);
    const given = { id: sold.tom, end: true, reason: 'His arm', leftCents: 9_000 };
    const all = { ...given, cents: 5_000, creditCents: 4_000 };
    expect((await app.send(overrideEnrolment, all, admin.token)).status).toBe(200);
    await statusBecomes(app, intent, 'part_refunded');
    expect(await moneyOf(paymentId)).toEqual(expect.arrayContaining(['owed 5000', 'back 4000']));
    const subjects = (await mailsTo(app, pia, 3)).map(({ subject }) => subject);
    expect(subjects).toContain('$40.00 credit for Tennis');
    const more = { id: sold.ana, cents: 7_000, creditCents: 201, end: false, reason: 'x' };
    expect((await app.send(overrideEnrolment, more, admin.token)).body.code).toBe('NOT_REFUNDABLE');
  });
});

describe('the terms', () => {
  it.each([
    [
      'steps.1.card',
      {
        steps: [
          { days: 9, card: 50, credit: 50 },
          { days: 3, card: 60, credit: 60 },
        ],
      },
    ],
    [
      'steps.1.days',
      {
        steps: [
          { days: 9, card: 50, credit: 50 },
          { days: 9, card: 40, credit: 40 },
        ],
      },
    ],
    ['steps.0.credit', { steps: [{ days: 9, card: 50, credit: 40 }] }],
    ['begun.credit', { begun: { card: 50, credit: 40 } }],
    ['withdraw', { withdraw: 7 as 14 }],
  ])('refused at %s', async (field, wrong) => {
    const { body } = await setTerms(shop, { ...someTerms, ...wrong });
    expect(body).toMatchObject({ code: 'INVALID_INPUT', field: `terms.${field}` });
  });

  it('a row never changes, and bad terms are no row', async () => {
    await expect(app.pool.query(`update leaving set terms = '{}'`)).rejects.toThrow('append');
    const rising = { ...someTerms, begun: { card: 50, credit: 20 } };
    await expect(
      app.pool.query('insert into leaving (terms) values ($1)', [rising]),
    ).rejects.toThrow('leaving_terms_check');
  });
});
