// An offer is a hold: who may take it, what paying ends, and what ends without it.
import { afterAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../contract/signin/account.ts';
import { quoteBasket } from '../../../contract/checkout/checkout.ts';
import { denyClass } from '../../../contract/classes/classes.ts';
import { removeGuardian, removeParticipant } from '../../../contract/people/family.ts';
import { blockUser } from '../../../contract/people/staff.ts';
import { aShop, balanced, mailsTo, record, rowsOf, seats, until } from '../../testing/checkout.ts';
import { anAdmin, aUser, type TestUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { promisedMs } from '../../testing/length.ts';
import {
  aFullClass,
  buy,
  inLine,
  moreSeats,
  offerOf,
  runsOut,
  sayNo,
  statesOf,
  take,
} from '../../testing/waiting.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));
const avery = await anAdmin(app);

/** Pia and Stan look after Tom, for whom a seat is offered. */
async function anOffer() {
  const klass = await aFullClass(shop, { name: 'Tennis' });
  const [pia, stan] = [await aUser(app), await aUser(app)];
  const tom = await aChild(app, [pia, stan], { name: 'Tom' });
  const wait = await inLine(app, pia, [klass], { people: [tom] });
  await moreSeats(app, klass);
  const offer = await offerOf(app, pia, klass);
  return { klass, pia, stan, tom, wait, holds: offer?.holds ?? [] };
}
const ends = async (wait: string, klass: { id: string }, ended: string) =>
  expect(
    await until(
      async () => (await statesOf(app, wait, klass))[0],
      (state) => state === ended,
    ),
  ).toBe(ended);

describe('an offer', () => {
  it('is taken by any guardian, who pays', async () => {
    const { klass, pia, stan, wait, holds } = await anOffer();
    expect((await take(app, await aUser(app), holds)).body.code).toBe('NOT_IN_CART');
    const { body } = await take(app, stan, holds);
    expect((await rowsOf(app, 'hold', `id = '${holds[0]}'`))[0]).toMatchObject({
      student_id: stan.id,
    });
    // The other one is told who pays, as for any seat.
    expect((await take(app, pia, holds)).body.code).toBe('BASKET_REFUSED');
    await provider.confirm(body.clientSecret ?? '');
    expect((await record(app, stan, body.clientSecret ?? '')).status).toBe(201);
    expect(await statesOf(app, wait, klass)).toEqual(['enrolled']);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 2 });
  });

  it('takes none of the twelve seats a family may hold', async () => {
    const { pia, holds } = await anOffer();
    expect((await rowsOf(app, 'hold', `id = '${holds[0]}'`))[0]).toMatchObject({ slot: null });
    const slot = app.pool.query('update hold set slot = 1 where id = $1', [holds[0]]);
    await expect(slot).rejects.toThrow('hold_slot_cart');
    const quote = await app.send(quoteBasket, { items: holds.join() }, pia.token);
    expect(quote.body).toMatchObject({ totalCents: 1_999 });
  });

  it('cannot be paid when it has run out', async () => {
    const { klass, pia, holds } = await anOffer();
    await runsOut(app, klass);
    const { body } = await take(app, pia, holds);
    expect(body).toMatchObject({ code: 'BASKET_REFUSED', lines: [{ code: 'OFFER_OVER' }] });
  });

  it('is not given up while its card is being charged', async () => {
    const { klass, pia, stan, wait, holds } = await anOffer();
    const { body } = await take(app, pia, holds);
    await provider.confirm(body.clientSecret ?? '');
    expect((await sayNo(app, stan, wait, klass)).body.code).toBe('ALREADY_PAID');
    expect(await statesOf(app, wait, klass)).toEqual(['enrolled']);
  });

  it('N20: ends the other classes when it is paid, not before', async () => {
    const [tuesday, thursday] = [await aFullClass(shop), await aFullClass(shop)];
    const pia = await aUser(app);
    const wait = await inLine(app, pia, [tuesday, thursday]);
    await moreSeats(app, tuesday);
    await moreSeats(app, thursday);
    expect(await statesOf(app, wait, tuesday, thursday)).toEqual(['offered', 'paused']);
    const second = app.pool.query(
      `update wish set state = 'offered' where wait_id = $1 and state = 'paused'`,
      [wait],
    );
    await expect(second).rejects.toThrow('wish_one_offer');
    await buy(shop, pia, tuesday);
    expect(await statesOf(app, wait, tuesday, thursday)).toEqual(['enrolled', 'elsewhere']);
    await app.money.tend([thursday.id]);
    expect(
      (await rowsOf(app, 'hold', `class_id = '${thursday.id}' and state = 'held'`)).length,
    ).toBe(0);
  });

  it('of a group may be taken in part; the rest runs out', async () => {
    const klass = await aFullClass(shop);
    const pia = await aUser(app);
    const people = [await aChild(app, [pia]), await aChild(app, [pia])];
    const wait = await inLine(app, pia, [klass], { people, together: true });
    await moreSeats(app, klass, 2);
    const [one = ''] = (await offerOf(app, pia, klass))?.holds ?? [];
    const { body } = await take(app, pia, [one]);
    await provider.confirm(body.clientSecret ?? '');
    await record(app, pia, body.clientSecret ?? '');
    expect(await statesOf(app, wait, klass)).toEqual(['offered']);
    await runsOut(app, klass);
    expect(await statesOf(app, wait, klass)).toEqual(['enrolled']);
  });
});

const subjects = async (who: TestUser, count: number) =>
  (await mailsTo(app, who, count)).map(({ subject }) => subject);

describe('mails', () => {
  it('tell every guardian of an offer, and who is off the list', async () => {
    const { klass, pia, stan, tom } = await anOffer();
    for (const who of [pia, stan])
      expect(await subjects(who, 1)).toEqual(['A seat for Tom: Tennis']);
    await runsOut(app, klass);
    expect(await subjects(pia, 2)).toContain('Tom is off the list for Tennis');
    const mail = (await app.mail.messages(pia.email)).find(({ subject }) => /off/.test(subject));
    expect(mail?.text).toContain(`/classes/${klass.id}?list=${tom.id}`);
  });

  it('name no child to an address that is not proven', async () => {
    const klass = await aFullClass(shop, { name: 'Tennis' });
    const pia = await aUser(app);
    await app.pool.query('update "user" set proven_at = null where id = $1', [pia.id]);
    await inLine(app, pia, [klass], { people: [await aChild(app, [pia], { name: 'Ana' })] });
    await moreSeats(app, klass);
    expect(await subjects(pia, 1)).toEqual(['A seat for your child: Tennis']);
  });

  it('remind three hours before the end', async () => {
    const { klass } = await anOffer();
    const { rows } = await app.pool.query<{ hours: number }>(
      `select extract(epoch from hold.expires_at - job.start_after) / 3600 as hours
       from pgboss.job join hold on hold.wait_id::text = job.data->'ids'->>'waitId' and hold.state = 'held'
       where name = 'send-mail' and data->'ids'->>'again' = 'true' and hold.class_id = $1`,
      [klass.id],
    );
    expect(rows.map(({ hours }) => Math.round(hours))).toEqual([3, 3]);
  });
});

describe('a wait ends', () => {
  it('when its account is deleted or blocked, or the child removed', async () => {
    for (const end of [
      ({ pia }: Offered) =>
        app.send(deleteAccount, { email: pia.email, giveBack: true }, pia.token),
      ({ pia }: Offered) => app.send(blockUser, { id: pia.id }, avery.token),
    ]) {
      const offered = await anOffer();
      const { klass, wait } = offered;
      expect((await end(offered)).status).toBe(200);
      await until(
        async () => (await statesOf(app, wait, klass))[0],
        (state) => state !== 'offered',
      );
      expect(['left', 'expired']).toContain((await statesOf(app, wait, klass))[0]);
      await app.money.sweep();
      expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    }
    const klass = await aFullClass(shop);
    const pia = await aUser(app);
    const ana = await aChild(app, [pia]);
    const wait = await inLine(app, pia, [klass], { people: [ana] });
    await moreSeats(app, klass);
    expect((await app.send(removeParticipant, { id: ana.id }, pia.token)).status).toBe(200);
    await ends(wait, klass, 'left');
  });

  it('when the account no longer looks after the child', async () => {
    const { klass, pia, stan, tom, wait } = await anOffer();
    const gone = { id: tom.id, who: pia.id };
    expect((await app.send(removeGuardian, gone, pia.token)).status).toBe(200);
    await until(
      async () => (await statesOf(app, wait, klass))[0],
      (state) => state !== 'offered',
    );
    expect(await offerOf(app, stan, klass)).toBeUndefined();
  });

  it('with its class', async () => {
    const { klass, wait, pia } = await anOffer();
    expect((await app.send(denyClass, { id: klass.id, reason: 'Rain' }, avery.token)).status).toBe(
      200,
    );
    await ends(wait, klass, 'closed');
    await until(
      async () => (await app.mail.messages(pia.email)).map(({ subject }) => subject),
      (all) => all.includes('Tom is off the list for Tennis'),
    );
  });
});
type Offered = Awaited<ReturnType<typeof anOffer>>;

it('thirty seats for forty who wait are offered at once', async () => {
  const klass = await aFullClass(shop);
  await app.pool.query(
    `with who as (insert into "user" (name, email, proven_at) select 'W', gen_random_uuid() || '@example.com', now()
        from generate_series(1, 40) returning id),
      flag as (update class set queued = true where id = $1 returning id),
      made as (insert into wait (student_id, seats) select who.id, 1 from who, flag returning id, student_id),
      wishes as (insert into wish (wait_id, class_id) select id, $1 from made returning wait_id)
    insert into waiter (wait_id, class_id, participant_id)
      select wait_id, $1, student_id from wishes join made on made.id = wait_id`,
    [klass.id],
  );
  await app.pool.query('update class set capacity = capacity + 30 where id = $1', [klass.id]);
  const began = performance.now();
  await app.money.tend([klass.id]);
  const took = performance.now() - began;
  expect(await rowsOf(app, 'hold', `class_id = '${klass.id}' and state = 'held'`)).toHaveLength(30);
  console.log(`30 of 40 who wait are offered a seat in ${Math.round(took)} ms`);
  expect(took).toBeLessThan(promisedMs(200));
});
