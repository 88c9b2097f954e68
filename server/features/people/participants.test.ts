// Which rows a transaction about a whole family has locked.
import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { aUser } from '../../testing/factories.ts';
import { lockFamily } from './participants.ts';

const app = await testApp();

it('a child that is added while the family is being locked is locked, too', async () => {
  const who = await aUser(app);
  // As an addition does it: the account's own participant, then the child.
  const adds = await app.pool.connect();
  await adds.query('begin');
  await adds.query('select from participant where id = $1 for no key update', [who.id]);
  const locked = app.db.transaction().execute(async (db) => {
    await lockFamily(db, who.id);
    const other = await app.pool.connect();
    try {
      return await other
        .query('select from participant where made_by = $1 and self_of is null for update nowait', [
          who.id,
        ])
        .then(
          () => 'free',
          ({ code }: { code: string }) => code,
        );
    } finally {
      other.release();
    }
  });
  await expect
    .poll(async () => {
      const { rows } = await app.pool.query<{ waits: number }>(
        `select count(*)::int as waits from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%from participant where id in%'`,
      );
      return rows[0]?.waits;
    })
    .toBe(1);
  await adds.query(
    `with child as (insert into participant (name, born, made_by) values ('Mia', '2019-02-03', $1) returning id)
     insert into guardian (user_id, participant_id) select $1, id from child`,
    [who.id],
  );
  await adds.query('commit');
  adds.release();
  // 55P03: not available.
  expect(await locked).toBe('55P03');
});
