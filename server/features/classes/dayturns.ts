// The chore `day-turns`: every minute classes that have ended leave the shelf; after midnight kept
// pages are made anew, because "today" has changed.
import { type Database, sql } from '../../db/connection.ts';
import { recomputeMeetings } from '../../db/zone.ts';
import { today } from './dates.ts';
import { lockPlan } from './meetings.ts';

export function createDayTurns({ transaction }: Pick<Database, 'transaction'>) {
  /** The day of which this process last told. Telling twice is harmless. */
  let told = '';
  return async (): Promise<void> => {
    await transaction(async (db) => {
      // A class that is locked by a sale is taken in the next minute.
      await sql`update class set over = true where id in (
        select id from class where not over and ends_at <= now() order by id for no key update skip locked)`.execute(
        db,
      );
    });
    await transaction(async (db) => {
      await lockPlan(db);
      await recomputeMeetings(db);
      const { rows } = await sql<{ day: string }>`select ${today}::text as day`.execute(db);
      const day = rows[0]?.day ?? '';
      if (day !== told) await sql`select pg_notify('classes', '')`.execute(db);
      told = day;
    });
  };
}
