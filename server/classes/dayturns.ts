// The chore `day-turns`: every minute classes whose last meeting has begun leave the shelf, and one of
// which a meeting has begun costs less; after midnight kept pages are made anew, because "today" has changed.
import type { Services } from '../platform/services.ts';
import { type Db, execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { recomputeMeetings, today } from '../platform/db/zone.ts';
import { lockPlan } from './meetings.ts';

export function createDayTurns({ system }: Pick<Services, 'system'>) {
  /** The day of which this process last told. Telling twice is harmless. */
  let told = '';
  return async (): Promise<void> => {
    await system([], endClasses);
    await system([], countLeft);
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

/** The row is locked as by a claim, which compares the price that was seen. One being sold waits. */
async function countLeft(db: Db): Promise<void> {
  const left = sql`(select count(*) from meeting where class_id = class.id and state in ('proposed', 'on')
    and lower(during) > now())`;
  const begun = await query<{ id: string }>(db)`
    select id from class where not over and meetings_left > 0 and first_day <= ${today} and meetings_left > ${left}
    order by id for no key update skip locked`;
  if (begun.length > 0)
    await execute(db)`
      update class set meetings_left = ${left} where id = any (${begun.map(({ id }) => id)}::uuid[])`;
}
