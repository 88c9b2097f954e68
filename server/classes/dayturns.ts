// The chore `day-turns`: every minute classes whose last meeting has begun leave the shelf; after
// midnight kept pages are made anew, because "today" has changed.
import type { Services } from '../platform/services.ts';
import { type Db, execute, query, queryOne } from '../platform/db/connection.ts';
import { recomputeMeetings, today } from '../platform/db/zone.ts';
import { lockPlan } from './meetings.ts';

export function createDayTurns({ system }: Pick<Services, 'system'>) {
  /** The day of which this process last told. Telling twice is harmless. */
  let told = '';
  return async (): Promise<void> => {
    await system([], endClasses);
    await system([], async (db) => {
      await lockPlan(db);
      await recomputeMeetings(db);
      const { day = '' } =
        (await queryOne<{ day: string }>(db)`select ${today}::text as day`) ?? {};
      if (day !== told) await execute(db)`select pg_notify('classes', '')`;
      told = day;
    });
  };
}

/** A class that is being sold waits a minute. An update of no row, too, drops all kept pages. */
async function endClasses(db: Db): Promise<void> {
  const ended = await query<{ id: string }>(db)`
    select id from class where not over and closes_at <= now()
    order by id for no key update skip locked`;
  if (ended.length > 0)
    await execute(db)`
      update class set over = true where id = any (${ended.map(({ id }) => id)}::uuid[])`;
}
