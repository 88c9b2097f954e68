// New dates that do not suit a family: who may say so, for how long, and where an admin reads it.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answerObjection, objectToDates } from '../../contract/classes/objections.ts';
import {
  getReceipt,
  listAttention,
  listEnrolments,
  overrideEnrolment,
  refundPayment,
} from '../../contract/checkout/payments.ts';
import { aBoughtSeat, aShop, balanced, rowsOf, settleAll } from '../testing/checkout.ts';
import { anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

let bought: Awaited<ReturnType<typeof aBoughtSeat>>;
let id: string;
beforeEach(async () => {
  bought = await aBoughtSeat(shop);
  const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${bought.paymentId}'`);
  id = enrolment?.id ?? '';
});

const object = (who: TestUser, words?: string) =>
  app.send(objectToDates, { id, ...(words !== undefined && { words }) }, who.token);
const changed = async (daysAgo: number) => {
  const inMinutes = 24 * 60 * (20 - daysAgo);
  const { id: meeting } = await aMeetingRow(app, bought.klass, { inMinutes });
  await app.pool.query(`update enrolment set created_at = now() - interval '60 days'`);
  await app.pool.query(
    `update meeting set changed_at = now() - make_interval(days => $1, mins => -5) where id = $2`,
    [daysAgo, meeting],
  );
};
const attention = async () =>
  (await app.send(listAttention, {}, admin.token)).body.filter(
    ({ paymentId }) => paymentId === bought.paymentId,
  );
const shown = async () =>
  (await app.send(listEnrolments, { email: bought.who.email }, bought.who.token)).body[0];

describe('objecting to new dates', () => {
  it('is possible for fourteen days after the last change', async () => {
    expect((await object(bought.who)).body.code).toBe('TOO_LATE');
    expect(await shown()).toMatchObject({ mayObject: false });
    await changed(15);
    const late = await object(bought.who);
    expect([late.status, late.body.code]).toEqual([409, 'TOO_LATE']);
    await changed(14);
    expect(await shown()).toMatchObject({ mayObject: true });
    expect((await object(bought.who)).body).toEqual({ modifiedCount: 1 });
    expect(await shown()).toMatchObject({ mayObject: true, objected: true });
  });

  it('is not for those who bought the class with these dates', async () => {
    await changed(1);
    await app.pool.query('update enrolment set created_at = now() where id = $1', [id]);
    expect((await object(bought.who)).body.code).toBe('TOO_LATE');
  });

  it('is for each guardian; others do not find the enrolment', async () => {
    await changed(1);
    const [other, stranger] = [await aUser(app), await aUser(app)];
    const child = await aChild(app, [bought.who, other]);
    await app.pool.query('update hold set participant_id = $1 where id = $2', [
      child.id,
      bought.holdId,
    ]);
    await app.pool.query('update enrolment set participant_id = $1 where id = $2', [child.id, id]);
    expect((await object(other)).status).toBe(200);
    expect((await object(bought.who)).status).toBe(200);
    await app.pool.query('delete from guardian where user_id = $1 and participant_id = $2', [
      bought.who.id,
      child.id,
    ]);
    // Who paid and is no longer a guardian is a stranger, too.
    for (const who of [bought.who, stranger, admin]) expect((await object(who)).status).toBe(404);
  });
});

describe('an objection', () => {
  it('needs attention, with its words, until the refund', async () => {
    await changed(1);
    await object(bought.who, 'We have school then.');
    expect(await attention()).toMatchObject([
      {
        kind: 'dates',
        what: `New dates do not suit ${bought.who.name}: ${bought.klass.name}`,
        detail: 'We have school then.',
      },
    ]);
    const reason = 'The dates changed';
    await app.send(refundPayment, { id: bought.paymentId, reason }, admin.token);
    await settleAll(app);
    expect(await attention()).toEqual([]);
    expect((await object(bought.who)).status).toBe(404);
  });

  it('needs attention until it is answered, however old', async () => {
    await changed(1);
    await object(bought.who, 'We have school then.');
    await app.pool.query("update enrolment set asked_at = now() - interval '90 days'");
    expect(await attention()).toHaveLength(1);
    const receipt = await app.send(getReceipt, { id: bought.paymentId }, admin.token);
    expect(receipt.body.lines[0]?.objection).toBe('We have school then.');
    const settle = () => app.send(answerObjection, { id, words: 'Come on Thursdays' }, admin.token);
    expect((await settle()).body).toEqual({ modifiedCount: 1 });
    expect((await settle()).body).toEqual({ modifiedCount: 0 });
    expect(await attention()).toEqual([]);
    expect(await shown()).toMatchObject({ objected: false });
    await app.settled();
    const mails = (await app.mail.messages(bought.who.email)).filter(({ text }) =>
      text.includes('\n\nCome on Thursdays\n\nThe seat stays booked.'),
    );
    expect(mails).toHaveLength(1);
  });

  it('is answered by a refund of a part, too', async () => {
    await changed(1);
    await object(bought.who);
    const part = { id, cents: 500, end: false, reason: 'For the day you miss' };
    expect((await app.send(overrideEnrolment, part, admin.token)).status).toBe(200);
    await settleAll(app);
    expect(await attention()).toEqual([]);
  });
});
