// What each event mails, to whom, and once. Mails of receipts, refunds, dates, guardians and
// passwords have their tests with their features; digests and reminders in office/notices.test.ts.
import { describe, expect, it } from 'vitest';
import { addToCart } from '../../contract/checkout/cart.ts';
import {
  approveClass,
  denyClass,
  giveFeedback,
  updateClass,
} from '../../contract/classes/classes.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { setDates } from '../../contract/classes/meetings.ts';
import { execute } from '../platform/db/connection.ts';
import { createNotices } from '../academy/notices.ts';
import { aShop, record } from '../testing/checkout.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aChild } from '../testing/family.ts';
import { inDays } from '../testing/meetings.ts';
import { aConfirmedMember, Visitor } from '../testing/visitor.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
const admin = await anAdmin(app);

async function mailsTo(email: string) {
  await app.settled();
  return app.sent.filter(({ to }) => to === email);
}

it('paid: the payer gets the receipt, guardians what was booked', async () => {
  const klass = await aClass(app);
  const [payer, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [payer, other], { name: 'Mia' });
  const { body: item } = await app.send(
    addToCart,
    { itemId: klass.id, participantId: child.id },
    payer.token,
  );
  const asked = { price: 19.99, itemId: item.insertedId };
  const { body } = await app.send(createIntent, asked, payer.token);
  await provider.confirm(body.clientSecret);
  await record(app, payer, body.clientSecret);
  expect((await mailsTo(payer.email))[0]?.text).toContain('The seat of Mia');
  const [booked, ...more] = await mailsTo(other.email);
  expect([booked?.subject, more]).toEqual([`Mia is booked for ${klass.name}`, []]);
  expect(booked?.text).not.toMatch(/19\.99|receipt/i);
});

/** Eleven minutes later. */
async function later(minutes = 11) {
  await execute(app.db)`update notice set at = at - make_interval(mins => ${minutes})`;
  await createNotices({ ...app, freeDisk: async () => 1 })();
}

const aPending = async () => {
  const instructor = await anInstructor(app);
  return { instructor, klass: await aClass(app, { instructor, status: 'pending' }) };
};

describe('the instructor is told', () => {
  it('of a denial in one mail, also when the reason follows', async () => {
    const { instructor, klass } = await aPending();
    await app.send(denyClass, { id: klass.id }, admin.token);
    expect(await mailsTo(instructor.email)).toEqual([]);
    for (let n = 0; n < 2; n++)
      await app.send(denyClass, { id: klass.id, reason: 'No photo' }, admin.token);
    const [mail, ...more] = await mailsTo(instructor.email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('was denied, because:\n\nNo photo\n');
    await later();
    expect(await mailsTo(instructor.email)).toHaveLength(1);
  });

  it('of a denial without a reason after ten minutes, once', async () => {
    const { instructor, klass } = await aPending();
    await app.send(denyClass, { id: klass.id }, admin.token);
    await later(9);
    expect(await mailsTo(instructor.email)).toEqual([]);
    await later();
    await later();
    const [mail, ...more] = await mailsTo(instructor.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`Denied: ${klass.name}`);
    expect(mail?.text).not.toContain('because');
  });

  it('of an approval once, of no denial taken back by it', async () => {
    const { instructor, klass } = await aPending();
    await app.send(denyClass, { id: klass.id }, admin.token);
    for (let n = 0; n < 2; n++) await app.send(approveClass, { id: klass.id }, admin.token);
    const subjects = (await mailsTo(instructor.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([`${klass.name} is approved`]);
  });

  it('of feedback, the same words once', async () => {
    const { instructor, klass } = await aPending();
    for (const feedback of ['Well done', 'Well done'])
      await app.send(giveFeedback, { id: klass.id, feedback }, admin.token);
    const [mail, ...more] = await mailsTo(instructor.email);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('\n\nWell done\n\n');
  });

  it('of changes by an admin, and not of their own', async () => {
    const { instructor, klass } = await aPending();
    await app.send(updateClass, { id: klass.id, price: 30 }, instructor.token);
    expect(await mailsTo(instructor.email)).toEqual([]);
    await app.send(updateClass, { id: klass.id, price: 40, place: 'Court 9' }, admin.token);
    const meetings = [{ day: inDays(9), starts: '10:00', minutes: 60 }];
    await app.send(setDates, { id: klass.id, version: 0, meetings }, admin.token);
    const mails = await mailsTo(instructor.email);
    expect(mails.map(({ text }) => /your class .*\./.exec(text)?.[0])).toEqual([
      `your class ${klass.name}: place, price $30.00 → $40.00.`,
      expect.stringMatching(/^your class .*: new: \w{3} \d+ \w{3}, 10:00\.$/),
    ]);
  });
});

it('a sign-in from a new network is told with time and browser', async () => {
  const { email, password, visitor: home } = await aConfirmedMember(app);
  const agent = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/19.0 Safari/605.1' };
  const told = async (visitor: Visitor, password: string) => {
    await visitor.auth('sign-in/email', { email, password }, agent);
    return (await mailsTo(email)).filter(({ subject }) => subject.startsWith('New sign-in'));
  };
  expect(await told(home, password)).toEqual([]);
  await execute(app.db)`update "user" set registered_at = now() where email = ${email}`;
  expect(await told(home, password)).toEqual([]);
  const elsewhere = new Visitor(app);
  elsewhere.address = '198.51.100.7';
  const [mail, ...more] = await told(elsewhere, password);
  expect(more).toEqual([]);
  expect(mail?.text).toMatch(/When: \d+ \w+ \d{4}, \d\d:\d\d\nBrowser: Safari on iPhone\n/);
  expect(await told(elsewhere, password)).toHaveLength(1);
  expect(await told(new Visitor(app), 'Wrong#2026')).toHaveLength(1);
});
