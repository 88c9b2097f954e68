// The chore `reminders`: the day before a meeting, from four in the afternoon on, each family gets
// one mail with all meetings of the next day. Who was reminded is written in the transaction that
// queues the mail, so no one is reminded twice.
import type { Some } from '../../services.ts';
import { type Db, sql } from '../../db/connection.ts';
import { activeEnrolment, erasedAccount } from '../../db/states.ts';
import { today } from '../../db/zone.ts';
import { reminderMail, type Tomorrow } from '../mails/classes.ts';

/** Accounts per transaction. */
const batch = 200;

export const createReminders =
  ({
    system,
    jobs,
    config,
    fromHour = 16,
  }: Some<'system' | 'jobs', 'brand' | 'publicUrl'> & { fromHour?: number }) =>
  async (): Promise<void> => {
    for (;;) {
      const reminded = await system([], async (db) => {
        const { day, ids } = await remindable(db, fromHour);
        if (ids.length === 0) return 0;
        const people = await meetingsOf(db, day, ids);
        const mails = people.map(({ meetings, ...person }) =>
          reminderMail(config, person, { day, meetings }),
        );
        if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
        return ids.length;
      });
      if (reminded < batch) break;
    }
    await system([], async (db) => {
      await sql`delete from reminder where day < ${today} - 7`.execute(db);
    });
  };

const tomorrow = sql`(${today} + 1)`;

const hourNow = sql`
  extract(hour from now() at time zone coalesce((select time_zone from academy), 'UTC'))`;

/** Guardians of a participant who has a meeting tomorrow; everybody is their own. */
const expected = sql`
  meeting join enrolment on enrolment.class_id = meeting.class_id and ${activeEnrolment()}
    join told_guardian guardian on guardian.participant_id = enrolment.participant_id`;

/** Of two processes one writes the row, and the other waits and finds it. */
async function remindable(db: Db, fromHour: number): Promise<{ day: string; ids: string[] }> {
  const { rows } = await sql<{ userId: string; day: string }>`
    insert into reminder (user_id, day)
    select u.id, ${tomorrow} from "user" u
    where ${hourNow} >= ${fromHour} and not 'reminders' = any (u.mail_off) and u.bounced_at is null
      and not ${erasedAccount()}
      and u.id in (select guardian.user_id from ${expected}
        where meeting.day = ${tomorrow} and meeting.state = 'on')
      and not exists (select from reminder r where r.user_id = u.id and r.day = ${tomorrow})
    order by u.id limit ${batch}
    on conflict do nothing returning user_id, day::text as day`.execute(db);
  return { day: rows[0]?.day ?? '', ids: rows.map(({ userId }) => userId) };
}

interface Row extends Omit<Tomorrow, 'child'> {
  userId: string;
  email: string;
  userName: string;
  participantId: string;
  child: string | null;
}

async function meetingsOf(db: Db, day: string, ids: readonly string[]) {
  const { rows } = await sql<Row>`
    select u.id as user_id, u.email, u.name as user_name, meeting.class_id, class.name, class.bring,
      participant.id as participant_id, case when participant.self_of = u.id then null else participant.name end as child,
      to_char(meeting.starts, 'HH24:MI') as starts, meeting.minutes, coalesce(place.name, '') as place,
      coalesce(place.address, '') as address, teacher.name as instructor
    from ${expected}
      join participant on participant.id = enrolment.participant_id join "user" u on u.id = guardian.user_id
      join class on class.id = meeting.class_id join "user" teacher on teacher.id = meeting.instructor_id
      left join place on place.id = meeting.place_id
    where u.id = any (${ids}::uuid[]) and meeting.day = ${day} and meeting.state = 'on'
    order by u.id, meeting.starts, class.name, participant.name`.execute(db);
  return [...Map.groupBy(rows, ({ userId }) => userId)].map(([id, mine]) => ({
    id,
    email: mine[0]?.email ?? '',
    name: mine[0]?.userName ?? '',
    meetings: mine.map(({ child, participantId, ...row }): Tomorrow => ({
      ...row,
      child: child === null ? null : { id: participantId, name: child },
    })),
  }));
}
