// The chore `reminders`: from four in the afternoon each family gets one mail with all meetings of the
// next day. Who was reminded is written with the mail, so no one is reminded twice.
import type { Some } from '../platform/services.ts';
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import { activeEnrolment, erasedAccount } from '../platform/db/states.ts';
import { today } from '../platform/db/zone.ts';
import { mail } from '../mail/kinds.ts';

const batch = 200;

export const createReminders =
  ({ system, jobs, fromHour = 16 }: Some<'system' | 'jobs'> & { fromHour?: number }) =>
  async (): Promise<void> => {
    for (;;) {
      const reminded = await system([], async (db) => {
        const { day, ids } = await remindable(db, fromHour);
        if (ids.length === 0) return 0;
        const mails = ids.map((to) => mail('reminder', { to, day }));
        await jobs.sendAll(db, 'send-mail', mails);
        return ids.length;
      });
      if (reminded < batch) break;
    }
    await system([], async (db) => {
      await execute(db)`delete from reminder where day < ${today} - 7`;
    });
  };

const tomorrow = sql`(${today} + 1)`;

const hourNow = sql`
  extract(hour from now() at time zone coalesce((select time_zone from academy), 'UTC'))`;

/** Guardians of a participant who has a meeting; everybody is their own. */
export const expected = sql`
  meeting join enrolment on enrolment.class_id = meeting.class_id and ${activeEnrolment()}
    join told_guardian guardian on guardian.participant_id = enrolment.participant_id`;

/** Of two processes one writes the row, and the other waits and finds it. */
async function remindable(db: Db, fromHour: number): Promise<{ day: string; ids: string[] }> {
  const rows = await query<{ userId: string; day: string }>(db)`
    insert into reminder (user_id, day)
    select u.id, ${tomorrow} from "user" u
    where ${hourNow} >= ${fromHour} and not 'reminders' = any (u.mail_off) and u.bounced_at is null
      and not ${erasedAccount()}
      and u.id in (select guardian.user_id from ${expected}
        where meeting.day = ${tomorrow} and meeting.state = 'on')
      and not exists (select from reminder r where r.user_id = u.id and r.day = ${tomorrow})
    order by u.id limit ${batch}
    on conflict do nothing returning user_id, day::text as day`;
  return { day: rows[0]?.day ?? '', ids: rows.map(({ userId }) => userId) };
}
