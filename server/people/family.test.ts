// Participants in the caller's care: list, add, change, remove; who may; what erasing leaves.
import { afterAll, describe, expect, it } from 'vitest';
import { exportAccount } from '../../contract/signin/export.ts';
import { addToCart, listCart } from '../../contract/checkout/cart.ts';
import {
  addParticipant,
  changeParticipant,
  inviteGuardian,
  listParticipants,
  removeGuardian,
  removeParticipant,
} from '../../contract/people/family.ts';
import { getUser } from '../../contract/academy/userpage.ts';
import { makeFeed } from '../../contract/classes/feeds.ts';
import {
  createIntent,
  getReceipt,
  listAttention,
  listEnrolments,
} from '../../contract/checkout/payments.ts';
import { aShop, balanced, record } from '../testing/checkout.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, eraseRow } from '../testing/family.ts';
import { findInDatabase } from '../testing/search.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterAll(() => balanced(shop));

const born = '2018-05-04';
const add = (who: TestUser, given: object = {}) =>
  app.send(addParticipant, { name: 'Mia', born, ...given }, who.token);
const list = async (who: TestUser) => (await app.send(listParticipants, {}, who.token)).body;
const remove = (who: TestUser, id: string) => app.send(removeParticipant, { id }, who.token);
const codeOf = ({ status, body }: { status: number; body: object }) => [
  status,
  'code' in body ? body.code : null,
];

/** Buys the seat of the child. */
async function buy(who: TestUser, klass: { id: string }, child: { id: string }) {
  const asked = { itemId: klass.id, participantId: child.id };
  const { body: item } = await app.send(addToCart, asked, who.token);
  const pay = { price: 19.99, itemId: item.insertedId };
  const { body } = await app.send(createIntent, pay, who.token);
  await provider.confirm(body.clientSecret);
  return (await record(app, who, body.clientSecret)).body.insertResult.insertedId;
}

describe('participants', () => {
  it('are oneself first, then the children', async () => {
    const [who, other] = [await aUser(app), await aUser(app)];
    expect(await list(who)).toEqual([
      {
        _id: who.id,
        self: true,
        name: who.name,
        born: null,
        age: null,
        care: 'none',
        guardians: [{ id: who.id, name: who.name, you: true }],
        invited: [],
        mayRemove: false,
        enrolled: false,
      },
    ]);
    const { status, body } = await add(who);
    expect(status).toBe(201);
    const shared = await aChild(app, [other, who]);
    await app.pool.query(
      `insert into care (participant_id, sealed, key, confirmed_at)
       values ($1, '\\x00', 1, now() - interval '11 months'), ($2, '\\x00', 1, now() - interval '13 months')`,
      [body.insertedId, shared.id],
    );
    const [, mia, theirs] = await list(who);
    expect(mia).toMatchObject({ _id: body.insertedId, born, care: 'filled', mayRemove: true });
    expect(mia?.age).toBeGreaterThan(7);
    expect(theirs).toMatchObject({ _id: shared.id, care: 'old', mayRemove: false });
    expect(theirs?.guardians.filter(({ you }) => you)).toHaveLength(1);
    expect(theirs?.guardians).toHaveLength(2);
  });

  it('typed by two accounts are both seen by the office', async () => {
    const klass = await aClass(app, { name: 'Judo' });
    const [one, other] = [await aUser(app), await aUser(app)];
    await buy(one, klass, await aChild(app, [one], { name: 'Leo Dup', born }));
    await buy(other, klass, await aChild(app, [other], { name: 'leo', born }));
    const { body } = await app.send(listAttention, {}, admin.token);
    expect(body.filter(({ what }) => what.includes('twice'))).toMatchObject([
      { what: 'The same child twice? Leo Dup: Judo', userId: other.id },
    ]);
    const page = await app.send(getUser, { id: other.id }, admin.token);
    expect(page.body.participants[1]?.twins).toEqual([{ id: one.id, name: one.name }]);
  });

  it('keep a birth date that a booked class needs, unless sure', async () => {
    const who = await aUser(app);
    const child = await aChild(app, [who], { name: 'Leo', born });
    const klass = await aClass(app, { name: 'Hoops' });
    await app.pool.query('update class set min_age = 5, max_age = 11 where id = $1', [klass.id]);
    await buy(who, klass, child);
    const change = (given: object) =>
      app.send(changeParticipant, { id: child.id, born: '2025-05-04', ...given }, who.token);
    const asked = await change({});
    expect(codeOf(asked)).toEqual([409, 'NO_LONGER_FITS']);
    expect(asked.body).toMatchObject({
      message: 'Leo would be 1; Hoops is for 5–11 years. Really?',
    });
    expect((await list(who))[1]).toMatchObject({ born, enrolled: true });
    expect((await change({ sure: true })).status).toBe(200);
    const { body } = await app.send(listAttention, {}, admin.token);
    expect(body.map(({ what }) => what)).toContain('Leo does not fit the ages of Hoops');
  });

  it('have a name and a birth date that can be', async () => {
    const who = await aUser(app);
    for (const [given, field] of [
      [{ name: 'see https://example.com' }, 'name'],
      [{ born: '1900-01-01' }, 'born'],
      [{ born: '2199-01-01' }, 'born'],
    ] as const)
      expect((await add(who, given)).body).toMatchObject({ code: 'INVALID_INPUT', field });
    const change = (given: object) =>
      app.send(changeParticipant, { id: who.id, ...given }, who.token);
    expect((await change({ name: 'Ada' })).body).toMatchObject({ field: 'name' });
    expect((await change({ born: '2199-01-01' })).body).toMatchObject({ field: 'born' });
    expect((await change({ born: '1990-01-31' })).body).toEqual({ modifiedCount: 1 });
    expect((await change({})).body).toEqual({ modifiedCount: 0 });
    expect(await list(who)).toMatchObject([{ name: who.name, born: '1990-01-31' }]);
  });

  it('are at most twenty children, also when added at once', async () => {
    const who = await aUser(app);
    await app.pool.query(
      `with child as (insert into participant (name, born) select 'x', '2018-05-04' from generate_series(1, 18) returning id)
       insert into guardian (user_id, participant_id) select $1, id from child`,
      [who.id],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(who)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    // Also for those with whom a child is shared.
    const other = await aUser(app);
    await aChild(app, [other, who]);
    expect(codeOf(await add(other, { shareWith: [who.id] }))).toEqual([409, 'FAMILY_FULL']);
    expect(await list(other)).toHaveLength(2);
  });

  it('are shared at once with guardians of another child', async () => {
    const [who, other, stranger] = [await aUser(app), await aUser(app), await aUser(app)];
    expect((await add(who, { shareWith: [other.id] })).status).toBe(404);
    await aChild(app, [who, other]);
    expect((await add(who, { shareWith: [other.id, stranger.id] })).status).toBe(404);
    const { body } = await add(who, { shareWith: [other.id, other.id.toUpperCase(), who.id] });
    const theirs = await list(other);
    expect(theirs.map(({ _id }) => _id)).toContain(body.insertedId);
    expect(await list(stranger)).toHaveLength(1);
  });
});

// FA5. The children of others: checks/access/access.test.ts.
it.each(['co-guarded', 'removed since', 'erased', "another's self"] as const)(
  'a participant is found by a guardian only: %s',
  async (of) => {
    const [who, other] = [await aUser(app), await aUser(app)];
    const { id } = of === "another's self" ? other : await aChild(app, [other, who]);
    if (of === 'erased') await eraseRow(app, { id });
    if (of === 'removed since') await app.send(removeGuardian, { id, who: who.id }, other.token);
    const found = of === 'co-guarded';
    expect((await list(who)).some(({ _id }) => _id === id)).toBe(found);
    const asked = [
      await app.send(changeParticipant, { id, name: 'Leo' }, who.token),
      await app.send(makeFeed, { participantId: id }, who.token),
      await app.send(inviteGuardian, { email: 'a@example.com', participantIds: [id] }, who.token),
    ];
    expect(asked.map(({ status }) => status)).toEqual(found ? [200, 201, 200] : [404, 404, 404]);
    expect((await remove(who, id)).status).toBe(404);
  },
);

describe('a child that is removed', () => {
  it('stays while it has a seat, or one is being paid for', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [who]);
    const asked = { itemId: klass.id, participantId: child.id };
    const { body: item } = await app.send(addToCart, asked, who.token);
    const pay = { price: 19.99, itemId: item.insertedId };
    const { body } = await app.send(createIntent, pay, who.token);
    expect(codeOf(await remove(who, child.id))).toEqual([409, 'PAYMENT_IN_PROGRESS']);
    await provider.confirm(body.clientSecret);
    await record(app, who, body.clientSecret);
    expect(codeOf(await remove(who, child.id))).toEqual([409, 'CHILD_ENROLLED']);
    await aMeetingRow(app, klass, { inMinutes: -24 * 60 });
    expect((await remove(who, child.id)).body).toEqual({ deletedCount: 1 });
  });

  it('FA8: leaves nothing, and its enrolment points at nobody', async () => {
    const [who, other, klass] = [await aUser(app), await aUser(app), await aClass(app)];
    const name = 'Quirina Zwetschgenbaum';
    const { body } = await add(who, { name, born: '2017-03-09' });
    const child = { id: body.insertedId };
    await app.pool.query('insert into guardian (user_id, participant_id) values ($1, $2)', [
      other.id,
      child.id,
    ]);
    const invitation = { email: 'aunt@zwetschgen.example', participantIds: [child.id] };
    expect((await app.send(inviteGuardian, invitation, who.token)).status).toBe(200);
    expect((await app.send(makeFeed, { participantId: child.id }, who.token)).status).toBe(201);
    const paymentId = await buy(who, klass, child);
    await app.pool.query(`update enrolment set ask = $2 where payment_id = $1`, [
      paymentId,
      `${name} has school then`,
    ]);
    const second = await aClass(app);
    const asked = { itemId: second.id, participantId: child.id };
    await app.send(addToCart, asked, other.token);
    await aMeetingRow(app, klass, { inMinutes: -24 * 60 });
    // Mails with the name are in the mailbox.
    await expect
      .poll(async () => (await findInDatabase(app, 'zwetschgen')).join())
      .toContain('public.mailbox');

    const { body: exported } = await app.send(exportAccount, {}, other.token);
    expect(exported.participants).toMatchObject([{}, { id: child.id, name, born: '2017-03-09' }]);
    expect(exported.guardians).toHaveLength(2);
    expect(exported.invitations).toEqual([]);
    expect(exported.enrolments).toMatchObject([{ participantId: child.id, paymentId: null }]);
    const own = (await app.send(exportAccount, {}, who.token)).body;
    expect(own.invitations).toMatchObject([{ participantId: child.id, byYou: true }]);
    expect(own.enrolments).toMatchObject([{ participantId: child.id, paymentId }]);

    expect((await remove(other, child.id)).status).toBe(404);
    expect((await remove(who, child.id)).status).toBe(200);
    expect(await findInDatabase(app, 'zwetschgen')).toEqual([]);
    expect(await findInDatabase(app, '2017-03-09')).toEqual([]);
    const { rows } = await app.pool.query<Record<string, unknown>>(
      `select name, born, made_by, erased_at is not null as erased, (select count(*)::int from enrolment where participant_id = participant.id) as enrolments,
        (select count(*)::int from guardian where participant_id = participant.id)
          + (select count(*)::int from cart_item where participant_id = participant.id)
          + (select count(*)::int from feed where participant_id = participant.id) as rest
       from participant where id = $1`,
      [child.id],
    );
    expect(rows).toEqual([
      { name: 'Removed child', born: null, made_by: null, erased: true, enrolments: 1, rest: 0 },
    ]);
    const { body: receipt } = await app.send(getReceipt, { id: paymentId }, who.token);
    expect(receipt.lines).toMatchObject([{ participant: null }]);
    expect((await app.send(listEnrolments, { email: who.email }, who.token)).body).toEqual([]);
  });
});

describe('enrolments', () => {
  it('are of all in one’s care, without what another paid', async () => {
    const [who, other, klass] = [await aUser(app), await aUser(app), await aClass(app)];
    // PostgreSQL's parser alone would take -12 for a number.
    const child = await aChild(app, [who, other], { name: 'Ada-12' });
    const paymentId = await buy(who, klass, child);
    await aMeetingRow(app, klass);
    const seen = async (user: TestUser) =>
      (await app.send(listEnrolments, { email: user.email }, user.token)).body;
    const shown = { classId: klass.id, participantId: child.id, participant: child.name };
    const [mine] = await seen(who);
    expect(mine).toMatchObject({ ...shown, paymentId, cents: 1_999, email: who.email });
    expect(mine?.next).toMatchObject({ place: null });
    const found = { email: who.email, search: child.name };
    expect((await app.send(listEnrolments, found, who.token)).body).toHaveLength(1);
    const [theirs] = await seen(other);
    expect(theirs).toMatchObject({ ...shown, paymentId: null, cents: null, email: other.email });
    expect(JSON.stringify(theirs)).not.toContain(who.email);
    const receipt = (user: TestUser) => app.send(getReceipt, { id: paymentId }, user.token);
    expect((await receipt(who)).body.lines).toMatchObject([{ participant: child.name }]);
    expect((await receipt(other)).status).toBe(404);
    // Removed since: neither the enrolment nor, on the receipt, the name.
    await app.send(removeGuardian, { id: child.id, who: who.id }, who.token);
    expect(await seen(who)).toEqual([]);
    expect((await receipt(who)).body.lines).toMatchObject([{ participant: null }]);
  });

  it('of oneself have no name, and say the next meeting', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    await buy(who, klass, who);
    await aMeetingRow(app, klass);
    const { body } = await app.send(listEnrolments, { email: who.email }, who.token);
    expect(body).toMatchObject([{ participantId: who.id, participant: null, next: {} }]);
    expect((await app.send(listCart, { email: who.email }, who.token)).body).toEqual([]);
  });
});
