import { afterAll, describe, expect, it } from 'vitest';
import { connect } from '../../platform/db/connection.ts';
import { testApp } from '../../testing/app.ts';
import { aClass } from '../../testing/factories.ts';
import { seats } from '../../testing/checkout.ts';
import { waiters } from '../../testing/overtaken.ts';
import { patient } from '../../testing/patient.ts';
import { createClaims, mostHolds } from './claim.ts';
import { freeSeat, sellSeat, unsellSeat } from './counters.ts';

const app = await testApp();
// Two processes have two pools.
const databases = [connect(app.url, patient), connect(app.url, patient)];
afterAll(() => Promise.all(databases.map((database) => database.close())));

async function students(count: number): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    `insert into "user" (name, email) select 'S', gen_random_uuid() || '@example.com' from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

type Priced = { id: string; priceCents: number };
const askFor = (klass: Priced, studentId: string, cartItemId: string | null = null) => ({
  claims: [
    {
      studentId,
      participantId: studentId,
      classId: klass.id,
      cartItemId,
      amountCents: klass.priceCents,
    },
  ],
  most: mostHolds.alone,
});

const granted = (answers: unknown[]) => answers.filter((answer) => answer !== null).length;

const processes = databases.map(({ db }) => createClaims(db));
const claim = async (klass: Priced, studentId: string, index: number) =>
  (await processes[index % processes.length]?.(askFor(klass, studentId)))?.[0] ?? null;

describe('claims', () => {
  it('sell every seat and not one more, in two processes', async () => {
    const crowd = await students(60);
    const klass = await aClass(app, { capacity: 20 });
    const answers = await Promise.all(crowd.map((student, index) => claim(klass, student, index)));
    expect(granted(answers)).toBe(20);
    expect(await seats(app, klass.id)).toMatchObject({ held: 20 });
  });

  it('give one student one seat, from forty tabs', async () => {
    const [student = ''] = await students(1);
    const klass = await aClass(app, { capacity: 20 });
    await Promise.all(Array.from({ length: 40 }, (_, index) => claim(klass, student, index)));
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    const { rows } = await app.pool.query(`select from hold where student_id = $1`, [student]);
    expect(rows).toHaveLength(1);
  });

  it('give one student at most three seats, in any classes', async () => {
    const crowd = await students(8);
    const classes = await Promise.all(
      Array.from({ length: 8 }, () => aClass(app, { capacity: 100 })),
    );
    const pairs = crowd.flatMap((student, turn) =>
      classes.map((klass, index) => ({ student, klass: classes[(index + turn) % 8] ?? klass })),
    );
    const answers = await Promise.all(
      pairs.map(({ student, klass }, index) => claim(klass, student, index)),
    );
    expect(granted(answers)).toBeLessThanOrEqual(24);
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from hold where student_id = any($1) group by student_id`,
      [crowd],
    );
    expect(rows.every(({ n }) => n <= 3)).toBe(true);
    for (const klass of classes) {
      const { rows: live } = await app.pool.query('select from hold where class_id = $1', [
        klass.id,
      ]);
      expect(await seats(app, klass.id)).toMatchObject({ held: live.length });
    }
  });

  it('refuse a class not approved, another price, an unknown class', async () => {
    const [student = ''] = await students(1);
    const [pending, klass] = [await aClass(app, { status: 'pending' }), await aClass(app)];
    expect(await claim(pending, student, 0)).toBeNull();
    expect(await claim({ ...klass, priceCents: klass.priceCents - 1 }, student, 0)).toBeNull();
    expect(await claim({ id: crypto.randomUUID(), priceCents: 1_999 }, student, 0)).toBeNull();
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    expect(await claim(klass, student, 0)).toMatchObject({ amountCents: klass.priceCents });
  });

  it('are served in order of arrival', async () => {
    const klass = await aClass(app, { capacity: 5 });
    const crowd = await students(40);
    const answers = await Promise.all(crowd.map((student) => claim(klass, student, 0)));
    expect(answers.map((answer) => answer !== null)).toEqual(crowd.map((_, place) => place < 5));
  });

  it('of other classes do not wait for a locked class', async () => {
    const [locked, open] = [await aClass(app, { capacity: 5 }), await aClass(app, { capacity: 5 })];
    const [crowd, others] = [await students(8), await students(8)];
    const other = await app.pool.connect();
    await other.query('begin');
    await other.query('select from class where id = $1 for update', [locked.id]);
    const waiting = crowd.map((student) => claim(locked, student, 0));
    const answers = await Promise.all(others.map((student) => claim(open, student, 0)));
    expect(answers.map((answer) => answer !== null)).toEqual(crowd.map((_, place) => place < 5));
    await other.query('commit');
    other.release();
    expect((await Promise.all(waiting)).map((answer) => answer !== null)).toEqual(
      crowd.map((_, place) => place < 5),
    );
    // Nor do claims that arrive afterwards.
    const [late = ''] = await students(1);
    expect(await claim(locked, late, 0)).toBeNull();
  });

  it('that waited for the release of the last seat are refused', async () => {
    const [first = '', second = ''] = await students(2);
    const klass = await aClass(app, { capacity: 1 });
    expect(await claim(klass, first, 0)).not.toBeNull();
    const releasing = await app.pool.connect();
    await releasing.query('begin');
    await releasing.query('select from class where id = $1 for no key update', [klass.id]);
    const waiting = claim(klass, second, 1);
    await waiters(app, 1);
    await releasing.query(`update hold set state = 'released' where class_id = $1`, [klass.id]);
    await releasing.query('update class set held = 0 where id = $1', [klass.id]);
    await releasing.query('commit');
    releasing.release();
    expect(await waiting).toBeNull();
    expect(await claim(klass, second, 1)).not.toBeNull();
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
  });

  it('answer the others when one of them violates a constraint', async () => {
    const klass = await aClass(app, { capacity: 100 });
    const crowd = await students(20);
    const unknown = crypto.randomUUID();
    const answers = await Promise.allSettled(
      [...crowd.slice(0, 10), unknown, ...crowd.slice(10)].map((who) => claim(klass, who, 0)),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(answers[10]?.status).toBe('rejected');
    expect(await seats(app, klass.id)).toMatchObject({ held: 20 });
  });
});

it('is refused by the database when code forgets the guard', async () => {
  const klass = await aClass(app, { capacity: 1 });
  const oversell = app.pool.query('update class set held = held + 2 where id = $1', [klass.id]);
  await expect(oversell).rejects.toThrow('class_seats');
});

const held = (db: typeof app.db, id: string) => sellSeat(db, id, 'held');
const free = (db: typeof app.db, id: string) => sellSeat(db, id, 'free');

async function aClassWith(counters: { held: number; sold: number }) {
  const { id, name } = await aClass(app, { capacity: 3 });
  await app.db.updateTable('class').set(counters).where('id', '=', id).execute();
  return { id, name };
}

it.each([
  ['freed', { held: 2, sold: 1 }, freeSeat, { held: 1, sold: 1 }],
  ['sold to the student who held it', { held: 2, sold: 1 }, held, { held: 1, sold: 2 }],
  ['sold to a student who did not hold it', { held: 1, sold: 1 }, free, { held: 1, sold: 2 }],
  ['given back', { held: 1, sold: 2 }, unsellSeat, { held: 1, sold: 1 }],
])('a seat is %s', async (_what, before, move, after) => {
  const { id } = await aClassWith(before);
  const other = await aClassWith(before);
  await move(app.db, id);
  expect(await seats(app, id)).toMatchObject(after);
  expect(await seats(app, other.id)).toMatchObject(before);
});

it.each([
  ['freed when none is held', { held: 0, sold: 1 }, freeSeat],
  ['sold as held when none is held', { held: 0, sold: 1 }, held],
  ['sold when none is free', { held: 1, sold: 2 }, free],
  ['given back when none is sold', { held: 1, sold: 0 }, unsellSeat],
])('a seat is not %s: the counters are already wrong', async (_what, before, move) => {
  const { id } = await aClassWith(before);
  await expect(move(app.db, id)).rejects.toThrow('the seats of a class do not add up');
  expect(await seats(app, id)).toMatchObject(before);
});
