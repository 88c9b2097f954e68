// The chore forget-old: what it deletes and when, that guardians are told 30 days before, and that
// what is still needed stays.
import { beforeAll, describe, expect, it } from 'vitest';
import { noCare, writeCare } from '../../contract/people/care.ts';
import { testApp } from '../testing/app.ts';
import { aClass, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, enrol } from '../testing/family.ts';
import { createForgetOld } from './forget.ts';

const app = await testApp();
const forgetOld = createForgetOld({
  ...app,
  reseal: () => Promise.resolve(0),
  forgetSignIns: () => Promise.resolve(),
});
let eva: TestUser;
let tom: TestUser;
beforeAll(async () => {
  [eva, tom] = await Promise.all([aUser(app), aUser(app)]);
});

const day = 24 * 60;
const inDays = (days: number) => ({ inMinutes: days * day });
const write = (id: string) => app.send(writeCare, { id, ...noCare, note: 'x' }, eva.token);
const hasCare = async (id: string) =>
  (await app.pool.query('select from care where participant_id = $1', [id])).rows.length === 1;
const back = (column: string) => `${column} = ${column} - make_interval(days => $2)`;
/** Moves everything about the participant, so that this many days have passed. */
const pass = async (id: string, days: number) => {
  await app.pool.query(
    `with c as (update care set ${back('confirmed_at')}, ${back('warned_at')} where participant_id = $1),
      g as (update guardian set ${back('since')} where participant_id = $1),
      i as (update cart_item set ${back('created_at')} where participant_id = $1)
     update participant set ${back('created_at')}, ${back('changed_at')}, ${back('warned_at')} where id = $1`,
    [id, days],
  );
};
const count = async (from: string, values: string[]) => {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from ${from}`,
    values,
  );
  return rows[0]?.n;
};
/** Sent mails to this person about the participant; those that wait are waited for. */
const mailsTo = async ({ id: to, email }: TestUser, id: string) => {
  await app.settled();
  const waiting = `pgboss.job where name = 'send-mail' and data -> 'ids' ->> 'to' = $1 and state < 'completed'`;
  await expect.poll(() => count(waiting, [to])).toBe(0);
  return count(`mailbox where recipient = $1 and body like '%' || $2 || '%'`, [email, id]);
};

describe('care facts', () => {
  it('are deleted a year after the last meeting, told before', async () => {
    const child = await aChild(app, [eva, tom]);
    await write(child.id);
    await pass(child.id, 500);
    const [older, last] = [await aClass(app), await aClass(app)];
    await aMeetingRow(app, older, inDays(-400));
    await aMeetingRow(app, last, inDays(-320));
    await enrol(app, older.id, eva, child);
    await enrol(app, last.id, eva, child);

    await forgetOld();
    expect([await hasCare(child.id), await mailsTo(eva, child.id)]).toEqual([true, 0]);

    await app.pool.query(`update meeting set day = day - 20 where class_id = $1`, [last.id]);
    await forgetOld();
    await forgetOld();
    expect(await hasCare(child.id)).toBe(true);
    expect([await mailsTo(eva, child.id), await mailsTo(tom, child.id)]).toEqual([1, 1]);

    // Told 29 days ago, then 31.
    await app.pool.query(`update meeting set day = day - 31 where class_id = $1`, [last.id]);
    await app.pool.query(
      `update care set warned_at = now() - interval '29 days' where participant_id = $1`,
      [child.id],
    );
    await forgetOld();
    expect(await hasCare(child.id)).toBe(true);
    await app.pool.query(
      `update care set warned_at = now() - interval '30 days 1 hour' where participant_id = $1`,
      [child.id],
    );
    await forgetOld();
    expect(await hasCare(child.id)).toBe(false);
    expect(await mailsTo(eva, child.id)).toBe(1);
  });

  it('stay when confirmed or booked again, and are warned of anew', async () => {
    const child = await aChild(app, [eva]);
    await write(child.id);
    await pass(child.id, 340);
    await forgetOld();
    expect(await mailsTo(eva, child.id)).toBe(1);
    await write(child.id);
    await pass(child.id, 40);
    await forgetOld();
    expect([await hasCare(child.id), await mailsTo(eva, child.id)]).toEqual([true, 1]);

    await pass(child.id, 300);
    await forgetOld();
    expect(await mailsTo(eva, child.id)).toBe(2);
    const soon = await aClass(app);
    await aMeetingRow(app, soon, inDays(3));
    await enrol(app, soon.id, eva, child);
    await pass(child.id, 40);
    await forgetOld();
    expect([await hasCare(child.id), await mailsTo(eva, child.id)]).toEqual([true, 2]);
    // Its year begins when that class is over, and the warning of before does not count.
    await app.pool.query(`update meeting set day = day - 340 where class_id = $1`, [soon.id]);
    await forgetOld();
    expect([await hasCare(child.id), await mailsTo(eva, child.id)]).toEqual([true, 3]);
  });

  it('stay while the child is enrolled in a class without dates', async () => {
    const child = await aChild(app, [eva]);
    await write(child.id);
    await enrol(app, (await aClass(app)).id, eva, child);
    await pass(child.id, 1_000);
    await forgetOld();
    expect([await hasCare(child.id), await mailsTo(eva, child.id)]).toEqual([true, 0]);
  });
});

const isErased = async (id: string) =>
  (await app.pool.query('select from participant where id = $1 and erased_at is not null', [id]))
    .rows.length === 1;

describe('a child', () => {
  it('without a class is erased after two years, told before', async () => {
    const child = await aChild(app, [eva]);
    await pass(child.id, 690);
    await forgetOld();
    expect(await mailsTo(eva, child.id)).toBe(0);
    await pass(child.id, 20);
    await forgetOld();
    expect([await isErased(child.id), await mailsTo(eva, child.id)]).toEqual([false, 1]);
    await pass(child.id, 31);
    await forgetOld();
    // With the mails about it.
    expect([await isErased(child.id), await mailsTo(eva, child.id)]).toEqual([true, 0]);
  });

  it.each([
    [
      'changed since',
      (id: string) => app.pool.query(`update participant set name = 'Mia' where id = $1`, [id]),
    ],
    ['with care facts since', write],
    ['ever enrolled', async (id: string) => enrol(app, (await aClass(app)).id, eva, { id })],
  ])('%s stays', async (_why, touch) => {
    const child = await aChild(app, [eva]);
    await pass(child.id, 710);
    await forgetOld();
    await pass(child.id, 31);
    await touch(child.id);
    await forgetOld();
    expect(await isErased(child.id)).toBe(false);
  });

  it('an account itself is never erased', async () => {
    const { id } = await aUser(app);
    await pass(id, 2_000);
    await forgetOld();
    await forgetOld();
    expect(await isErased(id)).toBe(false);
  });
});

it('old invitations, unread feeds and marks go, new ones stay', async () => {
  const child = await aChild(app, [eva]);
  const other = await aChild(app, [eva]);
  const klass = await aClass(app);
  const { id: meeting } = await aMeetingRow(app, klass, inDays(-800));
  await app.pool.query(
    `insert into invitation (secret_hash, participant_id, email, invited_by, expires_at) values
      ('a', $1, 'old@example.com', $2, now() - interval '1 minute'), ('b', $1, 'new@example.com', $2, now() + interval '1 minute')`,
    [child.id, eva.id],
  );
  await app.pool.query(
    `insert into feed (user_id, participant_id, secret_hash, created_at, read_on) values
      ($1, null, 'a', now() - interval '366 days', null), ($1, $2, 'b', now() - interval '366 days', current_date),
      ($1, $3, 'c', now() - interval '360 days', null)`,
    [eva.id, child.id, other.id],
  );
  await app.pool.query(
    `insert into mark (id, meeting_id, participant_id, status, at) values
      (gen_random_uuid(), $1, $2, 'present', now() - interval '24 months 1 day'),
      (gen_random_uuid(), $1, $2, 'late', now() - interval '24 months' + interval '1 day')`,
    [meeting, child.id],
  );
  await forgetOld();
  const left = async (query: string) =>
    (await app.pool.query<{ x: string }>(query)).rows.map(({ x }) => x);
  expect(await left('select email as x from invitation')).toEqual(['new@example.com']);
  expect(await left(`select convert_from(secret_hash, 'utf8') as x from feed order by 1`)).toEqual([
    'b',
    'c',
  ]);
  expect(await left('select status as x from mark')).toEqual(['late']);
});
