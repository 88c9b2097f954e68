// Joining the list of a class, leaving it, and who goes first.
import { afterAll, describe, expect, it } from 'vitest';
import { classLine, classWaiting, putFirst } from '../../../contract/checkout/waits.ts';
import { aBoughtSeat, aShop, balanced, intoCart, openIntent } from '../../testing/checkout.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { waiters } from '../../testing/overtaken.ts';
import {
  aFullClass,
  inLine,
  join,
  moreSeats,
  sayNo,
  statesOf,
  waitsOf,
} from '../../testing/waiting.ts';
import { writeAsks } from '../seats/grant.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));
const avery = await anAdmin(app);

type Id = { id: string };
const lineOf = async ({ id }: Id, token: string) => (await app.send(classLine, { id }, token)).body;

const refused = async (...given: Parameters<typeof join>) => (await join(...given)).body.code;

describe('joining', () => {
  it('tells the place in each class', async () => {
    const [tuesday, thursday] = [await aFullClass(shop), await aFullClass(shop)];
    const [pia, stan] = [await aUser(app), await aUser(app)];
    await join(app, stan, [tuesday]);
    const { status, body } = await join(app, pia, [tuesday, thursday]);
    expect(status).toBe(201);
    expect(body.waits[0]?.places.toSorted((a, b) => b.place - a.place)).toEqual([
      { classId: tuesday.id, place: 2, odds: null },
      { classId: thursday.id, place: 1, odds: null },
    ]);
    expect((await app.send(classWaiting, { id: tuesday.id })).body.waiting).toBe(2);
  });

  it('is one wait together, else one for each', async () => {
    const klass = await aFullClass(shop);
    const pia = await aUser(app);
    const children = [await aChild(app, [pia]), await aChild(app, [pia])];
    const alone = await join(app, pia, [klass], { people: children });
    expect(alone.body.waits).toHaveLength(2);
    const other = await aFullClass(shop);
    await join(app, pia, [other], { people: children, together: true });
    const wait = (await waitsOf(app, pia)).find(({ seats }) => seats === 2);
    expect(wait?.participants.map(({ name }) => name).toSorted()).toEqual(
      children.map(({ name }) => name).toSorted(),
    );
  });

  it('is refused with the reason', async () => {
    const [klass, open] = [await aFullClass(shop), await aClass(app)];
    const [pia, stan] = [await aUser(app), await aUser(app)];
    const tom = await aChild(app, [pia]);
    expect((await join(app, pia, [klass, open])).body).toMatchObject({
      code: 'SEATS_FREE',
      classId: open.id,
    });
    expect(await refused(app, stan, [klass], { people: [tom] })).toBe('NOT_FOUND');
    expect(await refused(app, pia, [await aClass(app, { status: 'denied' })])).toBe('CLASS_CLOSED');
    const small = await aFullClass(shop);
    await app.pool.query('update class set max_age = 5, min_age = 4 where id = $1', [small.id]);
    // Of oneself nobody knows, in a class for children.
    for (const one of [tom, pia])
      expect(await refused(app, pia, [small], { people: [one] })).toBe('WRONG_AGE');
    await join(app, pia, [klass]);
    expect(await refused(app, pia, [klass])).toBe('ALREADY_WAITING');
    const bought = await aBoughtSeat(shop, await aClass(app, { capacity: 1 }));
    expect(await refused(app, bought.who, [bought.klass])).toBe('ALREADY_ENROLLED');
    for (let n = 1; n < 12; n++) await join(app, pia, [await aFullClass(shop)]);
    expect(await refused(app, pia, [await aFullClass(shop)])).toBe('TOO_MANY_WAITS');
  });

  it('F5: takes no seat off the sale', async () => {
    const klass = await aFullClass(shop);
    await moreSeats(app, klass);
    const pia = await aUser(app);
    const people = [await aChild(app, [pia]), await aChild(app, [pia])];
    const group = await inLine(app, pia, [klass], { people, together: true });
    expect(await statesOf(app, group, klass)).toEqual(['passed']);
    await aBoughtSeat(shop, klass);
    await app.money.sweep();
    expect(await statesOf(app, group, klass)).toEqual(['waiting']);
  });

  it('N18: the flag cannot be cleared while somebody is in line', async () => {
    const klass = await aFullClass(shop);
    await join(app, await aUser(app), [klass]);
    const clear = app.pool.query('update class set queued = false where id = $1', [klass.id]);
    await expect(clear).rejects.toThrow('wish_in_line');
    const jump = app.pool.query(
      `with w as (insert into wait (student_id, seats) values ($1, 1) returning id)
       insert into wish (wait_id, class_id) select id, $2 from w`,
      [avery.id, (await aClass(app)).id],
    );
    await expect(jump).rejects.toThrow('wish_in_line');
  });
});

describe('an ordinary buyer', () => {
  it('gets no seat while somebody waits', async () => {
    const klass = await aFullClass(shop);
    const [ann, bob] = [await aUser(app), await aUser(app)];
    await intoCart(app, bob, await aClass(app));
    const moved = 'update cart_item set class_id = $1 where student_id = $2';
    await app.pool.query(moved, [klass.id, bob.id]);
    const wait = await inLine(app, ann, [klass]);
    await app.pool.query('update class set capacity = 2 where id = $1', [klass.id]);
    expect((await openIntent(app, bob, klass)).body.code).toBe('SOLD_OUT');
    await app.money.tend([klass.id]);
    expect(await statesOf(app, wait, klass)).toEqual(['offered']);
    await sayNo(app, ann, wait);
  });
});

/** Bob's claim begins before Ann joins, and a seat is freed behind both. Whether Bob gets it. */
async function race(claims: () => Promise<unknown>, klass: Id, ann: Id): Promise<void> {
  const [seller, joiner, freer] = [
    await app.pool.connect(),
    await app.pool.connect(),
    await app.pool.connect(),
  ];
  const lock = 'select from class where id = $1 for no key update';
  try {
    await app.pool.query('update class set capacity = sold + 1, held = 0 where id = $1', [
      klass.id,
    ]);
    await seller.query('begin');
    await seller.query(lock, [klass.id]);
    await seller.query('update class set held = held + 1 where id = $1', [klass.id]);
    const joins = (async () => {
      await joiner.query('begin');
      await joiner.query('select from class where id = $1 for update', [klass.id]);
      await joiner.query('update class set queued = true where id = $1', [klass.id]);
      await joiner.query(
        `with w as (insert into wait (student_id, seats) values ($1, 1) returning id),
          v as (insert into wish (wait_id, class_id) select id, $2 from w returning wait_id)
         insert into waiter (wait_id, class_id, participant_id) select wait_id, $2, $1 from v`,
        [ann.id, klass.id],
      );
      await joiner.query('commit');
    })();
    await waiters(app, 1);
    const frees = (async () => {
      await freer.query('begin');
      await freer.query(lock, [klass.id]);
      await freer.query('update class set held = held - 1 where id = $1', [klass.id]);
      await freer.query('commit');
    })();
    await waiters(app, 2);
    const claimed = claims();
    await waiters(app, 3);
    await seller.query('commit');
    await Promise.all([joins, frees, claimed]);
  } finally {
    for (const session of [seller, joiner, freer]) session.release();
  }
}

/** In how many rounds Bob, whose claim began first, gets the seat for which Ann waits. */
async function jumps(claim: (bob: Id, klass: Id & { priceCents: number }) => Promise<boolean>) {
  const [klass, ann, bob] = [await aFullClass(shop), await aUser(app), await aUser(app)];
  let jumped = 0;
  for (let round = 0; round < 20; round++) {
    let got = false;
    await race(async () => (got = await claim(bob, klass)), klass, ann);
    if (got) jumped++;
    // The worker has heard of the seat.
    await app.money.tend([klass.id]);
    for (const undo of [
      `delete from hold where class_id = $1 and state = 'held'`,
      'delete from waiter where class_id = $1',
      'delete from wish where class_id = $1',
      'update class set queued = false, held = 0, capacity = 1 where id = $1',
    ])
      await app.pool.query(undo, [klass.id]);
  }
  return jumped;
}

describe('N18: a claim that began before somebody joined', () => {
  it('gets nothing, in twenty rounds', async () => {
    const claimed = await jumps(async (bob, { id: classId, priceCents: amountCents }) => {
      const seat = { studentId: bob.id, participantId: bob.id, classId, cartItemId: null };
      const [holds] = await writeAsks(app.db, [{ claims: [{ ...seat, amountCents }], most: 3 }]);
      return holds !== null;
    });
    expect(claimed).toBe(0);
  });

  it('control: a look at the list with its old snapshot jumps', async () => {
    const claimed = await jumps(async (bob, klass) => {
      const { rows } = await app.pool.query(
        `with room as (select id, seats_left from class where id = $2 for no key update), made as (
          insert into hold (student_id, participant_id, class_id, list_cents, slot)
          select $1, $1, id, 1999, 1 from room where seats_left > 0
            and not exists (select from wish where class_id = $2 and in_line) returning class_id)
         update class set held = held + 1 from made where class.id = made.class_id returning class.id`,
        [bob.id, klass.id],
      );
      return rows.length > 0;
    });
    expect(claimed).toBeGreaterThan(10);
  });
});

describe('leaving', () => {
  it('ends one class or all, and is for any guardian', async () => {
    const [tuesday, thursday] = [await aFullClass(shop), await aFullClass(shop)];
    const [pia, stan] = [await aUser(app), await aUser(app)];
    const people = [await aChild(app, [pia, stan])];
    const wait = await inLine(app, pia, [tuesday, thursday], { people });
    expect((await sayNo(app, await aUser(app), wait)).status).toBe(404);
    expect((await sayNo(app, stan, wait, tuesday)).body).toEqual({ modifiedCount: 1 });
    expect(await statesOf(app, wait, tuesday, thursday)).toEqual(['left', 'waiting']);
    await sayNo(app, pia, wait);
    expect((await sayNo(app, pia, wait)).body).toEqual({ modifiedCount: 0 });
    const [over] = await waitsOf(app, stan);
    expect(over).toMatchObject({ open: false, classes: [{ ended: 'left' }, { ended: 'left' }] });
    await app.money.tend([tuesday.id, thursday.id]);
    const { rows } = await app.pool.query('select from class where queued and id = any ($1)', [
      [tuesday.id, thursday.id],
    ]);
    expect(rows).toEqual([]);
  });
});

describe('the line of a class', () => {
  it('has names for the office, and none for who teaches', async () => {
    const malik = await anInstructor(app);
    const klass = await aFullClass(shop, { instructor: malik });
    const pia = await aUser(app);
    const ana = await aChild(app, [pia]);
    await join(app, pia, [klass], { people: [ana] });
    const [row] = await lineOf(klass, avery.token);
    expect(row).toMatchObject({ place: 1, who: { name: pia.name, children: [ana.name] } });
    expect(await lineOf(klass, malik.token)).toEqual([{ ...row, who: null }]);
    const other = await anInstructor(app);
    expect((await app.send(classLine, { id: klass.id }, other.token)).status).toBe(404);
  });

  it('lets the office put somebody first, and tells the others', async () => {
    const klass = await aFullClass(shop);
    const [pia, stan] = [await aUser(app), await aUser(app)];
    const before = await inLine(app, pia, [klass]);
    const behind = await inLine(app, stan, [klass]);
    const input = { id: klass.id, waitId: behind, reason: 'Their seat was sold twice' };
    expect((await app.send(putFirst, input, avery.token)).body).toEqual({ modifiedCount: 1 });
    expect((await lineOf(klass, avery.token)).map(({ waitId }) => waitId)).toEqual([
      behind,
      before,
    ]);
    const [told] = await waitsOf(app, pia);
    expect(told?.history.map(({ text }) => text)).toContain(
      `The office put another family first for ${klass.name}.`,
    );
    expect(JSON.stringify(told)).not.toContain(stan.name);
    await moreSeats(app, klass);
    expect(await statesOf(app, behind, klass)).toEqual(['offered']);
    expect((await app.send(putFirst, input, avery.token)).body).toEqual({ modifiedCount: 0 });
    const other = { ...input, id: (await aFullClass(shop)).id };
    expect((await app.send(putFirst, other, avery.token)).status).toBe(404);
  });

  it('tells the odds of a sport, from ten cases on', async () => {
    const given = { sport: 'Tennis' } as const;
    const past = await aFullClass(shop, given);
    const ended = (count: number, offered: string) =>
      app.pool.query(
        `with w as (insert into wait (student_id, seats, ended, ended_at) select $1, 1, 'left', now()
            from generate_series(1, $3::int) returning id)
         insert into wish (wait_id, class_id, state, ended, ended_at, offered_at)
         select id, $2, 'ended', 'left', now(), ${offered} from w`,
        [avery.id, past.id, count],
      );
    await ended(7, 'now()');
    await ended(2, 'null');
    const pia = await aUser(app);
    const odds = async () => {
      const { body } = await join(app, pia, [await aFullClass(shop, given)]);
      return body.waits[0]?.places[0]?.odds;
    };
    expect(await odds()).toBeNull();
    await ended(1, 'null');
    expect(await odds()).toEqual({ offered: 7, of: 10 });
  });
});
