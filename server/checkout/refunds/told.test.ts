// What the payer and the guardians of a child are told about a refund and an ended seat: by mail and on
// the receipt.
import { afterAll, describe, expect, it } from 'vitest';
import {
  getReceipt,
  overrideEnrolment,
  refundPayment,
} from '../../../contract/checkout/payments.ts';
import { unique } from '../../testing/app.ts';
import { aBoughtBasket } from '../../testing/baskets.ts';
import {
  aBoughtSeat,
  aShop,
  balanced,
  rowsOf,
  mailsTo,
  settleAll,
  until,
} from '../../testing/checkout.ts';
import { anAdmin, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

const refund = (id: string) =>
  app.send(refundPayment, { id, reason: 'Asked by phone' }, admin.token);

/** The seat of an account becomes that of a child: a sale to a child is tested elsewhere. */
const becomesSeatOf = (child: { id: string }, paymentId: string) =>
  app.pool.query(
    `with line as (update payment_line set participant_id = $1 where payment_id = $2 returning hold_id),
       enrolled as (update enrolment set participant_id = $1 where payment_id = $2)
     update hold set participant_id = $1 from line where hold.id = line.hold_id`,
    [child.id, paymentId],
  );

const override = async (paymentId: string, change: { card: number; end: boolean }) => {
  const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${paymentId}'`);
  const id = enrolment?.id ?? '';
  return app.send(overrideEnrolment, { id, ...change, reason: 'Rain' }, admin.token);
};

const linesOf = async (id: string, { token }: { token: string }) =>
  (await app.send(getReceipt, { id }, token)).body.lines;

const isRefund = ({ subject }: { subject: string }) => subject.startsWith('Refund');

describe('the mail of a refund', () => {
  it('is one to each person for all seats of one act', async () => {
    const { who, paymentId } = await aBoughtBasket(shop, { prices: [1_000, 2_000, 3_000] });
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [who, other], { name: 'Mia' }), paymentId);
    expect((await refund(paymentId)).status).toBe(200);
    await mailsTo(app, who, 2);
    await settleAll(app);
    const [mail, ...more] = (await mailsTo(app, who)).filter(isRefund);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('We have refunded $60.00. Reason: Asked by phone\n');
    expect(mail?.text.match(/, for Mia: \$[123]0\.00\nThe full price\./g)).toHaveLength(3);
    const toOther = await mailsTo(app, other);
    expect(toOther.map(({ subject }) => subject)).toEqual(['3 seats have ended']);
  });

  it('tells the payer whether the seat stays booked', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const told = async (mails: number) => {
      const all = await mailsTo(app, who, mails);
      return all.flatMap(({ text }) => /^The seat .*/m.exec(text)?.[0] ?? []).toSorted();
    };
    expect((await override(paymentId, { card: 5, end: false })).status).toBe(200);
    expect(await told(2)).toEqual(['The seat stays booked.']);
    expect((await override(paymentId, { card: 14.99, end: true })).status).toBe(200);
    expect(await told(3)).toEqual(['The seat is no longer booked.', 'The seat stays booked.']);
  });

  it('tells whose seat it was, while they look after the child', async () => {
    for (const looksAfter of [true, false]) {
      const { who, paymentId, klass } = await aBoughtSeat(shop);
      const child = await aChild(app, looksAfter ? [who] : [await aUser(app)], { name: 'Mia' });
      await becomesSeatOf(child, paymentId);
      await refund(paymentId);
      const mails = await mailsTo(app, who, 2);
      const mail = mails.find(isRefund);
      expect(mail?.text).toContain(
        `the full price of ${klass.name}${looksAfter ? ', for Mia' : ''}. Reason`,
      );
    }
  });

  it('tells the payer at their new address, not at the old one', async () => {
    const bought = await aBoughtSeat(shop);
    // The receipt has left.
    await app.settled();
    const email = `${unique('new')}@example.com`;
    await app.pool.query('update "user" set email = $1 where id = $2', [email, bought.who.id]);
    await refund(bought.paymentId);
    const mails = await mailsTo(app, { email });
    expect(mails.map(({ subject }) => subject)).toEqual([`Refund for ${bought.klass.name}`]);
    expect(await app.mail.messages(bought.who.email)).toHaveLength(1);
  });
});

/** What ends a seat, by whom. */
const ends: Record<string, (bought: { paymentId: string; intent: string }) => Promise<unknown>> = {
  'an admin refunds the payment': ({ paymentId }) => refund(paymentId),
  'an admin ends the seat': ({ paymentId }) => override(paymentId, { card: 0, end: true }),
  'an admin refunds at the provider': ({ intent }) =>
    provider.ask('POST', '/v1/refunds', { payment_intent: intent }),
  'a dispute is lost': async ({ intent }) => {
    const { body } = await provider.knob('POST', '/sandbox/disputes', { payment_intent: intent });
    await provider.knob('POST', `/sandbox/disputes/${body.id}/close`, { status: 'lost' });
  },
};

describe('the guardians who did not pay', () => {
  it.each(Object.keys(ends))('are told once when %s', async (how) => {
    const bought = await aBoughtSeat(shop);
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [other, bought.who], { name: 'Mia' }), bought.paymentId);
    await ends[how]?.(bought);
    const [mail] = await mailsTo(app, other);
    expect(mail?.subject).toBe(`The seat of Mia in ${bought.klass.name} has ended`);
    expect(mail?.text).not.toMatch(/19\.99|receipt|Rain|phone/i);
    await settleAll(app);
    await app.settled();
    expect(await mailsTo(app, other)).toHaveLength(1);
    const toPayer = (await mailsTo(app, bought.who)).map(({ text }) => text).join('\n');
    expect(toPayer).not.toContain('Another guardian');
  });

  it('are told nothing while the seat stays booked', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [who, other]), paymentId);
    expect((await override(paymentId, { card: 5, end: false })).status).toBe(200);
    await mailsTo(app, who, 2);
    expect(await app.mail.messages(other.email)).toEqual([]);
  });
});

describe('the receipt of one seat', () => {
  it('says that the seat has ended, unless all is refunded', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    expect(await linesOf(paymentId, who)).toBeUndefined();
    await override(paymentId, { card: 0, end: true });
    expect(await linesOf(paymentId, who)).toMatchObject([{ state: 'ended' }]);
    await refund(paymentId);
    await until(async () => (await linesOf(paymentId, who)) === undefined);
    expect(await linesOf(paymentId, who)).toBeUndefined();
  });
});
