// The ledger: every row once and never changed (N9), many postings at once (N8), and books that are
// those of the provider to the cent (N15). What else the check of the books finds: the dates of classes
// (TP9), who looks after whom (FA9) and whose seat was paid for.
import { afterAll, describe, expect, it } from 'vitest';
import { aBoughtBasket } from '../testing/baskets.ts';
import {
  aBoughtSeat,
  aShop,
  balanced,
  booksOf,
  saidAfter,
  settleAll,
} from '../testing/checkout.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { refundPayment } from '../../contract/checkout/payments.ts';
import { post, sale } from './ledger.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

const columns =
  'key, debit, credit, cents, student_id, payment_id, refund_id, from_line, to_line, actor_id';

describe('N9: a row is written once and never changed', () => {
  it('every posting is refused when it is repeated', async () => {
    const admin = await anAdmin(app);
    const { paymentId } = await aBoughtBasket(shop);
    await app.send(refundPayment, { id: paymentId, reason: 'All' }, admin.token);
    await settleAll(app);
    const { rows } = await app.pool.query<{ key: string }>('select key from ledger');
    expect(new Set(rows.map(({ key }) => key.split(':')[0]))).toEqual(
      new Set(['sale', 'owed', 'sent']),
    );
    for (const { key } of rows)
      await expect(
        app.pool.query(
          `insert into ledger (${columns}) select ${columns} from ledger where key = $1`,
          [key],
        ),
      ).rejects.toMatchObject({ code: '23505' });
    for (const change of [
      'update ledger set cents = cents + 1',
      'delete from ledger',
      'truncate ledger',
    ])
      await expect(app.pool.query(change)).rejects.toThrow('append-only');
    // Control: without its key a repeated row is written, and the books say so.
    const said = await saidAfter(
      app,
      'alter table ledger drop constraint ledger_key_key',
      `insert into ledger (${columns}) select ${columns} from ledger where payment_id = '${paymentId}' and key like 'sent:%'`,
    );
    expect(said).toContain(`payment ${paymentId}: 0 cents at the provider, -3998 by the ledger`);
  });

  it('a row balances: one amount, two accounts, a line for sales', async () => {
    const { who, paymentId, lines } = await aBoughtBasket(shop);
    const line = { id: lines[0]?.id ?? '', paymentId, studentId: who.id };
    const row = sale({ ...line, id: lines[1]?.id ?? '' }, 100);
    const wrong: Partial<typeof row>[] = [
      { cents: -1 },
      { debit: 'owed', credit: 'owed' },
      { debit: 'sales' },
      { credit: 'owed' },
    ];
    for (const [nth, change] of wrong.entries())
      await expect(insert({ ...row, key: `wrong:${nth}`, ...change })).rejects.toMatchObject({
        code: '23514',
      });
    await expect(post(app.db, row)).rejects.toMatchObject({ code: '23505' });
    await post(app.db, { ...row, key: 'nothing', cents: 0 });
    expect((await app.pool.query(`select from ledger where key = 'nothing'`)).rowCount).toBe(0);
  });
});

interface Row {
  key: string;
  debit: string;
  credit: string;
  cents: number;
  studentId: string;
  toLine?: string;
}
const insert = ({ key, debit, credit, cents, studentId, toLine }: Row) =>
  app.pool.query(
    'insert into ledger (key, debit, credit, cents, student_id, to_line) values ($1, $2, $3, $4, $5, $6)',
    [key, debit, credit, cents, studentId, toLine ?? null],
  );

it('a posting that comes many times at once is written once', async () => {
  const { id } = await aUser(app);
  const once = { key: 'once', debit: 'card', credit: 'owed', cents: 7, studentId: id };
  const done = await Promise.allSettled(Array.from({ length: 20 }, () => insert(once)));
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

describe('N15: the books are those of the provider, to the cent', () => {
  it('and each fault of a cent is found', async () => {
    const { paymentId, lines, intent } = await aBoughtBasket(shop, { prices: [1_999, 2_501] });
    const [line] = lines;
    const off = 'alter table ledger disable trigger append_only';
    const faults: [planted: string[], said: string][] = [
      [
        [off, `update ledger set cents = cents - 1 where to_line = '${line?.id}'`],
        `intent ${intent}: 4500 cents are there, 4499 by the ledger`,
      ],
      [
        [off, `delete from ledger where payment_id = '${paymentId}'`],
        `line ${line?.id} of payment ${paymentId}: 1999 cents kept, 0 by the ledger`,
      ],
      [
        [`update payment_line set worth_cents = 1998 where id = '${line?.id}'`],
        `payment ${paymentId}: 4500 cents of card, credit and swap, but its lines are worth 4499`,
      ],
      [
        [`update payment_line set back_cents = 1 where id = '${line?.id}'`],
        `line ${line?.id} of payment ${paymentId}: 1 cents back, but 0 in refunds`,
      ],
      [
        [`update payment set status = 'part_refunded' where id = '${paymentId}'`],
        `payment ${paymentId} is part_refunded, its refunds say succeeded`,
      ],
      [
        [`update payment set seats = 1 where id = '${paymentId}'`],
        `payment ${paymentId}: pending, 1 seats, with 2 active enrolments, 0 refunds`,
      ],
    ];
    for (const [planted, said] of faults) expect(await saidAfter(app, ...planted)).toContain(said);
  });
});

it('TP9: the dates of a class are those of its meetings', async () => {
  const dated = await aClass(app);
  for (const [inMinutes, state] of [
    [-5_000, 'on'],
    [700, 'on'],
    [1_500, 'on'],
    [10_780, 'on'],
    [20_000, 'cancelled'],
    [12_000, 'proposed'],
  ] as const)
    await aMeetingRow(app, dated, { inMinutes, state });
  const cancelled = await aClass(app);
  await aMeetingRow(app, cancelled, { state: 'cancelled' });
  await aClass(app);
  expect(await booksOf(app)).toEqual([]);
  for (const wrong of [
    `first_day = first_day + 1`,
    `last_day = last_day - 1`,
    `ends_at = ends_at - interval '1 minute'`,
    `slots = slots # 1`,
    `plan = '[[1, "09:00", 60]]'`,
    `first_day = null, last_day = null, ends_at = null, slots = 0, plan = null`,
  ])
    expect(await saidAfter(app, `update class set ${wrong} where id = '${dated.id}'`)).toBe(
      `class ${dated.id}: its dates are not those of its meetings`,
    );
  expect(
    await saidAfter(app, `update class set ends_at = null where id = '${cancelled.id}'`),
  ).toContain('not those of its meetings');
});

it('FA9: everybody who is not erased is looked after', async () => {
  const who = await aUser(app);
  const child = await aChild(app, [who]);
  const alone = `delete from guardian where participant_id = '${child.id}'`;
  expect(await saidAfter(app, alone)).toBe(`participant ${child.id}: nobody looks after them`);
  const erased = `update participant set erased_at = now() where id = '${child.id}'`;
  expect(await saidAfter(app, alone, erased)).toBe('');
});

it('an enrolment is that of whose seat was paid for, once', async () => {
  const { who, paymentId, klass } = await aBoughtSeat(shop);
  const child = await aChild(app, [who]);
  expect(
    await saidAfter(
      app,
      `update enrolment set participant_id = '${child.id}' where payment_id = '${paymentId}'`,
    ),
  ).toContain('its participant is not the one whose seat was paid for');
  const twice = await saidAfter(
    app,
    'drop index hold_one_per_class',
    `insert into hold (student_id, participant_id, class_id, list_cents, slot)
     select '${who.id}', '${child.id}', '${klass.id}', 1999, n from generate_series(1, 2) n`,
  );
  expect(twice).toContain(`participant ${child.id}: 2 live holds of class ${klass.id}`);
});
