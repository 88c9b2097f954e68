// Every two kinds of transactions at once, on one family and one class. They lock their rows in one
// order (docs/locking.md), so none waits for one that waits for it.
import { afterAll, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { addToCart, changeWho } from '../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../contract/checkout/checkout.ts';
import { cancelClass, classImpact } from '../../contract/checkout/cancel.ts';
import { giveCredit, payOutCredit } from '../../contract/checkout/credit.ts';
import { leaveSeat, quoteSeat } from '../../contract/checkout/leaving.ts';
import { denyClass, handOverClass, updateClass } from '../../contract/classes/classes.ts';
import { removeParticipant } from '../../contract/people/family.ts';
import { endWait, joinList, putFirst } from '../../contract/checkout/waits.ts';
import { setDates } from '../../contract/classes/meetings.ts';
import { overrideEnrolment, refundPayment } from '../../contract/checkout/payments.ts';
import { changePlace } from '../../contract/classes/places.ts';
import { blockUser, makeStudent } from '../../contract/people/staff.ts';
import { sql } from '../../server/platform/db/connection.ts';
import { lockAccount, replacePassword } from '../../server/signin/prove.ts';
import { unique } from '../../server/testing/app.ts';
import { aShop, balanced, record, secretOf } from '../../server/testing/checkout.ts';
import { aChild, aMeetingRow } from '../../server/testing/family.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { lengthOf } from '../../server/testing/length.ts';
import { aMeeting, aPlace, inDays } from '../../server/testing/meetings.ts';
import { aFullClass, inLine, moreSeats } from '../../server/testing/waiting.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));
const avery = await anAdmin(app);

/** A seat of the person, held, with an open payment. */
async function hold(who: TestUser, classId: string, participantId: string) {
  const item = await app.send(addToCart, { itemId: classId, participantId }, who.token);
  const input = { items: [item.body.insertedId], totalCents: 1_999 };
  const { body } = await app.send(openBasket, input, who.token);
  return body.clientSecret ?? '';
}

const give = ({ id: studentId }: TestUser) => {
  const given = { studentId, cents: 300, reason: 'Rain', key: crypto.randomUUID() };
  return app.send(giveCredit, given, avery.token);
};

/** Tom has a seat, Ana's is paid and not recorded, Leo's is being paid, and Pia has one in the cart. */
async function aFamily() {
  const [malik, pia, stan] = await Promise.all([anInstructor(app), aUser(app), aUser(app)]);
  // One of its two dates is over: a seat costs half of it, 19.99.
  const klass = await aClass(app, { instructor: malik, cents: 3_998 });
  const place = await aPlace(app);
  const meeting = await aMeeting(app, klass, { placeId: place.id });
  const today = await aMeetingRow(app, klass, { inMinutes: -10 });
  const [tom, ana, leo] = await Promise.all([
    aChild(app, [pia, stan]),
    aChild(app, [pia]),
    aChild(app, [pia]),
  ]);
  await give(pia);
  const bought = await hold(pia, klass.id, tom.id);
  await provider.confirm(bought);
  const { body } = await record(app, pia, bought);
  const paid = await hold(pia, klass.id, ana.id);
  await provider.confirm(paid);
  await hold(pia, klass.id, leo.id);
  // Noa waits for a seat in it, as one of a group that was passed, and in another class.
  const noa = await aChild(app, [pia, stan]);
  const other = await aFullClass(shop, { instructor: malik });
  const wait = await inLine(app, pia, [other], { people: [noa] });
  await app.pool.query(
    `with wish as (insert into wish (wait_id, class_id, state) values ($1, $2, 'passed') returning *)
     insert into waiter (wait_id, class_id, participant_id) select wait_id, class_id, $3 from wish`,
    [wait, klass.id, noa.id],
  );
  const idOf = (table: 'hold' | 'enrolment', whom: { id: string }) =>
    app.db
      .selectFrom(table)
      .select('id')
      .where('participantId', '=', whom.id)
      .executeTakeFirstOrThrow();
  const item = await app.send(addToCart, { itemId: klass.id }, pia.token);
  return {
    malik,
    pia,
    klass,
    place,
    meeting,
    today,
    tom,
    leo,
    noa,
    other,
    wait,
    paymentId: body.insertResult.insertedId,
    enrolment: (await idOf('enrolment', tom)).id,
    intent: secretOf(paid).intent,
    held: (await idOf('hold', leo)).id,
    item: item.body.insertedId,
  };
}
type Family = Awaited<ReturnType<typeof aFamily>>;

const kinds: Record<string, (of: Family) => Promise<unknown>> = {
  settle: ({ intent }) => app.money.settle(intent),
  open: ({ item, pia }) => {
    const input = { items: [item], totalCents: 1_999, creditCents: 200 };
    return app.send(openBasket, input, pia.token);
  },
  'pay out credit': ({ pia }) => app.send(payOutCredit, { cents: 100 }, pia.token),
  'give credit': ({ pia }) => give(pia),
  release: ({ held }) => app.money.giveUp({ id: held }, 'expired'),
  refund: ({ paymentId }) =>
    app.send(refundPayment, { id: paymentId, reason: 'Rain' }, avery.token),
  'give back a seat': ({ enrolment }) =>
    app.send(
      overrideEnrolment,
      { id: enrolment, cents: 500, end: true, reason: 'Rain' },
      avery.token,
    ),
  leave: async ({ enrolment: id, pia }) => {
    const { creditCents: backCents } = (await app.send(quoteSeat, { id }, pia.token)).body;
    return app.send(leaveSeat, { id, backCents, to: 'credit' }, pia.token);
  },
  'change class': async ({ enrolment: instead, tom, pia }) => {
    const to = { itemId: (await aClass(app, { cents: 1_000 })).id, participantId: tom.id };
    const items = (await app.send(addToCart, to, pia.token)).body.insertedId;
    const { body } = await app.send(quoteBasket, { items, instead }, pia.token);
    const insteadCents = (body.swap?.cents ?? 0) + (body.swap?.backCents ?? 0);
    const asked = { items: [items], totalCents: body.totalCents, instead, insteadCents };
    const { basketId: id } = (await app.send(openBasket, asked, pia.token)).body;
    return app.send(payBasket, { id }, pia.token);
  },
  tend: async ({ klass, other }) => {
    await moreSeats(app, other);
    await app.money.tend([klass.id]);
  },
  'leave the list': ({ wait, pia }) => app.send(endWait, { id: wait }, pia.token),
  'join a list': ({ other, pia }) =>
    app.send(
      joinList,
      { classIds: [other.id], participantIds: [pia.id], together: false },
      pia.token,
    ),
  'put first': ({ other, wait }) =>
    app.send(putFirst, { id: other.id, waitId: wait, reason: 'Rain' }, avery.token),
  'remove who waits': ({ noa, pia }) => app.send(removeParticipant, { id: noa.id }, pia.token),
  'another child': ({ enrolment, leo, pia }) =>
    app.send(changeWho, { id: enrolment, participantId: leo.id }, pia.token),
  change: ({ klass }) => app.send(updateClass, { id: klass.id, price: 25 }, avery.token),
  deny: ({ klass }) => app.send(denyClass, { id: klass.id, reason: 'Rain' }, avery.token),
  cancel: async ({ klass }) => {
    const { families } = (await app.send(classImpact, { id: klass.id }, avery.token)).body;
    const asked = { id: klass.id, reason: 'Rain', families };
    await app.send(cancelClass, asked, avery.token);
    await app.money.sweep();
  },
  dates: ({ klass, meeting, today, malik }) =>
    app.send(
      setDates,
      {
        id: klass.id,
        version: klass.dates + 2,
        tell: 'Later',
        meetings: [
          { _id: meeting.id, day: inDays(8), starts: '17:00', minutes: 60 },
          { _id: today.id, day: String(today.day), starts: today.starts.slice(0, 5), minutes: 60 },
        ],
      },
      malik.token,
    ),
  'hand over': async ({ klass }) =>
    app.send(handOverClass, { id: klass.id, to: (await anInstructor(app)).id }, avery.token),
  place: ({ place }) => app.send(changePlace, { id: place.id, name: unique('Court') }, avery.token),
  'delete the account': ({ pia }) =>
    app.send(deleteAccount, { email: pia.email, giveBack: true, renounce: true }, pia.token),
  'the coach leaves': ({ malik }) => app.send(deleteAccount, { email: malik.email }, malik.token),
  block: ({ pia }) => app.send(blockUser, { id: pia.id }, avery.token),
  demote: ({ malik }) => app.send(makeStudent, { id: malik.id, stopSale: true }, avery.token),
  'a new password': ({ pia }) =>
    app.system([], async (db) => {
      await lockAccount(db, pia);
      await replacePassword(db, pia.id, { newHash: '$argon2id$another' });
    }),
  'remove a child': ({ leo, pia }) => app.send(removeParticipant, { id: leo.id }, pia.token),
};

const deadlocks = async () => {
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(
    app.db,
  );
  return rows[0]?.n ?? -1;
};
/** PostgreSQL counts a deadlock when the connection is next idle. */
const settled = () => app.pool.query('select pg_stat_force_next_flush()');

const rounds = lengthOf(1);
const names = Object.keys(kinds);
it.each(names)('%s at once with each other kind ends', async (name) => {
  const found: string[] = [];
  let before = await deadlocks();
  const others = names.slice(names.indexOf(name));
  for (const other of Array.from({ length: rounds }, () => others).flat()) {
    const family = await aFamily();
    await Promise.all([kinds[name]?.(family), kinds[other]?.(family)]);
    await settled();
    const now = await deadlocks();
    if (now > before) found.push(`${name} and ${other} deadlock`);
    before = now;
  }
  expect(found).toEqual([]);
});

it('two kinds that lock in another order deadlock', async () => {
  const { pia, klass } = await aFamily();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const lockUser = sql`select from "user" where id = ${pia.id} for update`;
  const lockClass = sql`select from class where id = ${klass.id} for update`;
  const act = (locks: (typeof lockUser)[]) =>
    app.system([], async (db) => {
      for (const lock of locks) {
        await lock.execute(db);
        begun += 1;
        if (begun === 2) both.resolve();
        await both.promise;
      }
    });
  const ends = await Promise.allSettled([act([lockUser, lockClass]), act([lockClass, lockUser])]);
  const codes = ends.map(
    (end) => end.status === 'rejected' && (end.reason as { code?: string }).code,
  );
  expect(new Set(codes)).toEqual(new Set(['40P01', false]));
});
