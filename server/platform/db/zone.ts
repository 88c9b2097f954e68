// The academy's time zone. TIME_ZONE fills the setting once; afterwards the row counts.
import { ConfigError } from '../config.ts';
import { type Database, execute, query, sql } from './connection.ts';

/** IANA name. A query of its own, so that it is asked once and not for each row. */
export const academyZone = sql<string>`(select coalesce(time_zone, 'UTC') from academy)`;

/** The day at the academy now. A query of its own, so that it is computed once and not for each row. */
export const today = sql<string>`
  (select (now() at time zone ${academyZone})::date)`;

/** The moment at which a day begins at the academy. */
export const startOf = (day: string) =>
  sql<Date>`(${day}::date::timestamp at time zone ${academyZone})`;

/** Outside production, when nothing is set. */
const demoZone = 'Europe/Lisbon';

/**
 * Run at every start. Answers the zone. Meetings to come are computed anew where the rules of the
 * zone have changed since they were written.
 */
export async function settleTimeZone(
  { db }: Pick<Database, 'db'>,
  { timeZone, production }: { timeZone: string | null; production: boolean },
): Promise<string> {
  const { timeZone: stored } = await db
    .selectFrom('academy')
    .select('timeZone')
    .executeTakeFirstOrThrow();
  const zone = stored ?? timeZone ?? (production ? null : demoZone);
  if (!zone) throw new ConfigError(['TIME_ZONE is required in production, such as Europe/Lisbon']);
  if (!stored) {
    // The view of all names reads every file of zones.
    await execute(db)`select now() at time zone ${zone}`.catch((error: { code?: string }) => {
      if (error.code !== '22023') throw error;
      throw new ConfigError(['TIME_ZONE is a time zone that the database does not know']);
    });
    await db.updateTable('academy').set({ timeZone: zone }).where('timeZone', 'is', null).execute();
  }
  await recomputeMeetings(db);
  return zone;
}

/** A new version of the zone rules moves the instants of meetings to come, not their wall clock. */
export async function recomputeMeetings(db: Database['db']): Promise<void> {
  const outdated = sql`lower(during) > now() and lower(during) <> (day + starts) at time zone ${academyZone}`;
  const rows = await query(db)`select from meeting where ${outdated} limit 1`;
  // An update of no row, too, makes every process drop its kept pages.
  if (rows.length > 0) await execute(db)`update meeting set day = day where ${outdated}`;
}
