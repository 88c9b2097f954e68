// What the payer is told about a refund and an ended seat: by mail and on the receipt.
import { afterAll, describe, expect, it } from 'vitest';
import { getReceipt, overrideEnrolment, refundPayment } from '../../../../contract/payments.ts';
import { unique } from '../../../testing/app.ts';
import { aBoughtSeat, aShop, balanced, rowsOf, until } from '../../../testing/checkout.ts';
import { anAdmin, aUser } from '../../../testing/factories.ts';
import { aChild } from '../../../testing/family.ts';

const shop = await aShop();
const { app } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

const refund = (id: string) =>
  app.send(refundPayment, { id, reason: 'Asked by phone' }, admin.token);

const linesOf = async (id: string, { token }: { token: string }) =>
  (await app.send(getReceipt, { id }, token)).body.lines;

describe('the mail of a refund', () => {
  it('tells the payer whether the seat stays booked', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${paymentId}'`);
    const override = (card: number, end: boolean) =>
      app.send(
        overrideEnrolment,
        { id: enrolment?.id ?? '', card, end, reason: 'Rain' },
        admin.token,
      );
    const told = async (mails: number) => {
      const all = await until(
        () => app.mail.messages(who.email),
        (received) => received.length === mails,
      );
      return all.flatMap(({ text }) => /^The seat .*/m.exec(text)?.[0] ?? []).toSorted();
    };
    expect((await override(5, false)).status).toBe(200);
    expect(await told(2)).toEqual(['The seat stays booked.']);
    expect((await override(14.99, true)).status).toBe(200);
    expect(await told(3)).toEqual(['The seat is no longer booked.', 'The seat stays booked.']);
  });

  it('tells the payer whose seat it was, while they look after the child', async () => {
    for (const looksAfter of [true, false]) {
      const { who, paymentId, klass } = await aBoughtSeat(shop);
      const child = await aChild(app, looksAfter ? [who] : [await aUser(app)], { name: 'Mia' });
      // The seat of an account becomes that of its child: a sale to a child is tested elsewhere.
      await app.pool.query(
        `with line as (update payment_line set participant_id = $1 where payment_id = $2 returning hold_id),
           enrolled as (update enrolment set participant_id = $1 where payment_id = $2)
         update hold set participant_id = $1 from line where hold.id = line.hold_id`,
        [child.id, paymentId],
      );
      await refund(paymentId);
      const mails = await until(
        () => app.mail.messages(who.email),
        (all) => all.length === 2,
      );
      const mail = mails.find(({ subject }) => subject.startsWith('Refund'));
      expect(mail?.text).toContain(
        `the full price of ${klass.name}${looksAfter ? ', for Mia' : ''}. Reason`,
      );
    }
  });

  it('tells the payer at their new address, not at the one they gave up', async () => {
    const bought = await aBoughtSeat(shop);
    const email = `${unique('new')}@example.com`;
    await app.pool.query('update "user" set email = $1 where id = $2', [email, bought.who.id]);
    await refund(bought.paymentId);
    const mails = await until(
      () => app.mail.messages(email),
      (all) => all.length === 1,
    );
    expect(mails.map(({ subject }) => subject)).toEqual([`Refund for ${bought.klass.name}`]);
    expect(await app.mail.messages(bought.who.email)).toHaveLength(1);
  });
});

describe('the receipt of one seat', () => {
  it('says that the seat has ended, which a refund in full says by its status', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    expect(await linesOf(paymentId, who)).toBeUndefined();
    const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${paymentId}'`);
    const ended = { id: enrolment?.id ?? '', card: 0, end: true, reason: 'Moved away' };
    await app.send(overrideEnrolment, ended, admin.token);
    expect(await linesOf(paymentId, who)).toMatchObject([{ state: 'ended' }]);
    await refund(paymentId);
    await until(async () => (await linesOf(paymentId, who)) === undefined);
    expect(await linesOf(paymentId, who)).toBeUndefined();
  });
});
