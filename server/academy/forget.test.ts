// The chore forget-old: what it deletes and when, that guardians are told 30 days before, and that
// what is still needed stays.
import { describe, expect, it } from 'vitest';
import { noCare, writeCare } from '../../contract/people/care.ts';
import { execute, query, sql } from '../platform/db/connection.ts';
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
const [eva, tom] = [await aUser(app), await aUser(app)];

const day = 24 * 60;
const inDays = (days: number) => ({ inMinutes: days * day });
const write = (id: string) => app.send(writeCare, { id, ...noCare, note: 'x' }, eva.token);
const hasCare = async (id: string) =>
  (await query(app.db)`select from care where participant_id = ${id}`).length === 1;
/** Moves everything about the participant, so that this many days have passed. */
const pass = (id: string, days: number) => {
  const back = (name: string) =>
    sql`${sql.ref(name)} = ${sql.ref(name)} - make_interval(days => ${days})`;
  return execute(app.db)`
    with c as (update care set ${back('confirmed_at')}, ${back('warned_at')} where participant_id = ${id}),
      g as (update guardian set ${back('since')} where participant_id = ${id}),
      i as (update cart_item set ${back('created_at')} where participant_id = ${id})
    update participant set ${back('created_at')}, ${back('changed_at')}, ${back('warned_at')} where id = ${id}`;
};
/** Sent mails to this person about the participant; those that wait are waited for. */
const mailsTo = async ({ id: to, email }: TestUser, id: string) => {
  await app.settled();
  const waiting = () => query(app.db)`select from pgboss.job
    where name = 'send-mail' and data -> 'ids' ->> 'to' = ${to} and state < 'completed'`;
  await expect.poll(waiting).toEqual([]);
  return (await app.mail.messages(email)).filter(({ text }) => text.includes(id)).length;
};

/** Its meetings were so many days earlier. */
const longer = ({ id }: { id: string }, days: number) =>
  execute(app.db)`update meeting set day = day - ${days}::int where class_id = ${id}`;

/** Whether the chore leaves the care facts, and how many mails have said that it will not. */
const kept = async (id: string) => {
  await forgetOld();
  return [await hasCare(id), await mailsTo(eva, id)];
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

    expect(await kept(child.id)).toEqual([true, 0]);

    await longer(last, 20);
    await forgetOld();
    await forgetOld();
    expect(await hasCare(child.id)).toBe(true);
    expect([await mailsTo(eva, child.id), await mailsTo(tom, child.id)]).toEqual([1, 1]);

    // Told 29 days ago, then 31.
    const told = (ago: string) => execute(app.db)`
      update care set warned_at = now() - ${ago}::interval where participant_id = ${child.id}`;
    await longer(last, 31);
    await told('29 days');
    expect(await kept(child.id)).toEqual([true, 1]);
    await told('30 days 1 hour');
    expect(await kept(child.id)).toEqual([false, 1]);
  });

  it('stay when confirmed or booked again, and are warned of anew', async () => {
    const child = await aChild(app, [eva]);
    await write(child.id);
    await pass(child.id, 340);
    expect(await kept(child.id)).toEqual([true, 1]);
    await write(child.id);
    await pass(child.id, 40);
    expect(await kept(child.id)).toEqual([true, 1]);

    await pass(child.id, 300);
    expect(await kept(child.id)).toEqual([true, 2]);
    const soon = await aClass(app);
    await aMeetingRow(app, soon, inDays(3));
    await enrol(app, soon.id, eva, child);
    await pass(child.id, 40);
    expect(await kept(child.id)).toEqual([true, 2]);
    // Its year begins when that class is over, and the warning of before does not count.
    await longer(soon, 340);
    expect(await kept(child.id)).toEqual([true, 3]);
  });

  it('stay while the child is enrolled in a class without dates', async () => {
    const child = await aChild(app, [eva]);
    await write(child.id);
    await enrol(app, (await aClass(app)).id, eva, child);
    await pass(child.id, 1_000);
    expect(await kept(child.id)).toEqual([true, 0]);
  });
});

const isErased = async (id: string) => {
  const rows = query(app.db)`select from participant where id = ${id} and erased_at is not null`;
  return (await rows).length === 1;
};

describe('a child', () => {
  it('without a class is erased after two years, told before', async () => {
    const child = await aChild(app, [eva]);
    await pass(child.id, 690);
    const seen: unknown[] = [];
    for (const days of [0, 20, 31]) {
      await pass(child.id, days);
      await forgetOld();
      seen.push([await isErased(child.id), await mailsTo(eva, child.id)]);
    }
    // With the mails about it.
    expect(seen).toEqual([
      [false, 0],
      [false, 1],
      [true, 0],
    ]);
  });

  it.each([
    [
      'changed since',
      (id: string) => execute(app.db)`update participant set name = 'Mia' where id = ${id}`,
    ],
    ['with allergies and contacts since', write],
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
  await execute(app.db)`
    insert into invitation (secret_hash, participant_id, email, invited_by, expires_at) values
      ('a', ${child.id}, 'old@example.com', ${eva.id}, now() - interval '1 minute'),
      ('b', ${child.id}, 'new@example.com', ${eva.id}, now() + interval '1 minute')`;
  await execute(app.db)`
    insert into feed (user_id, participant_id, secret_hash, created_at, read_on) values
      (${eva.id}, null, 'a', now() - interval '366 days', null),
      (${eva.id}, ${child.id}, 'b', now() - interval '366 days', current_date),
      (${eva.id}, ${other.id}, 'c', now() - interval '360 days', null)`;
  await execute(app.db)`
    insert into mark (id, meeting_id, participant_id, status, at) values
      (gen_random_uuid(), ${meeting}, ${child.id}, 'present', now() - interval '24 months 1 day'),
      (gen_random_uuid(), ${meeting}, ${child.id}, 'late', now() - interval '24 months' + interval '1 day')`;
  await forgetOld();
  const left = await query(app.db)`
    select (select string_agg(email, ', ') from invitation) as invitations,
      (select string_agg(convert_from(secret_hash, 'utf8'), '' order by secret_hash) from feed) as feeds,
      (select string_agg(status, ', ') from mark) as marks`;
  expect(left).toEqual([{ invitations: 'new@example.com', feeds: 'bc', marks: 'late' }]);
});
