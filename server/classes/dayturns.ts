// The chore `day-turns`: every minute classes whose last meeting has begun leave the shelf; after
// midnight kept pages are made anew, because "today" has changed.
import type { Services } from '../platform/services.ts';
import { type Db, sql } from '../platform/db/connection.ts';
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
      const { rows } = await sql<{ day: string }>`select ${today}::text as day`.execute(db);
      const day = rows[0]?.day ?? '';
      if (day !== told) await sql`select pg_notify('classes', '')`.execute(db);
      told = day;
    });
  };
}

/** A class that is being sold waits a minute. An update of no row, too, drops all kept pages. */
async function endClasses(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from class where not over and closes_at <= now()
    order by id for no key update skip locked`.execute(db);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql`update class set over = true where id = any (${ids}::uuid[])`.execute(db);
}
