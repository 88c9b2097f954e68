// The mails of this room, from their rows at the moment when they are sent.
import { type Db, query } from '../platform/db/connection.ts';
import { activeEnrolment, erasedAccount } from '../platform/db/states.ts';
import { today } from '../platform/db/zone.ts';
import { announcementMail, reminderMail, type Tomorrow } from '../classes/texts.ts';
import type { Mails } from '../mail/kinds.ts';
import { alarmsMail, classesMail, type Notice } from './texts.ts';
import { expected } from './reminders.ts';

export const officeMails = {
  // While the account has booked the class, and the author has an account.
  announcement: async ({ announcementId }, { db, config, person }) => {
    const rows = await query<Record<'className' | 'subject' | 'words' | 'name' | 'email', string>>(
      db,
    )`
      select class.name as class_name, subject, announcement.words, u.name, u.email
      from announcement join class on class.id = class_id join "user" u on u.id = author_id
      where announcement.id = ${announcementId} and not ${erasedAccount()}
        and exists (select from enrolment join told_guardian guardian using (participant_id)
          where enrolment.class_id = class.id and ${activeEnrolment()} and guardian.user_id = ${person.id})`;
    const [said] = rows;
    return said ? announcementMail(config, person, { ...said, from: said }) : null;
  },
  // In the words of the day before: on the day itself they are wrong.
  reminder: async ({ day }, { db, config, person }) => {
    const meetings = person.mailOff.includes('reminders')
      ? []
      : await tomorrowOf(db, person.id, day);
    return meetings.length > 0 ? reminderMail(config, person, { day, meetings }) : null;
  },
  'classes-to-review': async ({ subjects }, { db, config, person }) => {
    const rows = await query<Notice>(db)`
      select id::text as subject, class.name as words from class
      where id::text = any (${subjects}::text[]) and proposed_at is not null and not over order by class.name, id`;
    const wanted = person.role === 'admin' && !person.mailOff.includes('digests');
    return wanted && rows.length > 0 ? classesMail(config, person, rows) : null;
  },
  alarms: async ({ subjects }, { db, config, person }) => {
    const rows = await query<Notice>(db)`
      select subject, words from notice
      where kind = 'alarm' and subject = any (${subjects}::text[]) order by at, subject`;
    return person.role === 'admin' && rows.length > 0 ? alarmsMail(config, person, rows) : null;
  },
} satisfies Partial<Mails>;

const tomorrowOf = (db: Db, userId: string, day: string) =>
  query<Tomorrow>(db)`
    select class.name, class.bring,
      case when participant.self_of = guardian.user_id then null else participant.name end as child,
      to_char(meeting.starts, 'HH24:MI') as starts, meeting.minutes, coalesce(place.name, '') as place,
      coalesce(place.address, '') as address, teacher.name as instructor
    from ${expected}
      join participant on participant.id = enrolment.participant_id
      join class on class.id = meeting.class_id join "user" teacher on teacher.id = meeting.instructor_id
      left join place on place.id = meeting.place_id
    where guardian.user_id = ${userId} and meeting.day = ${day} and meeting.day = ${today} + 1 and meeting.state = 'on'
    order by meeting.starts, class.name, participant.name`;
