// Calendar files: of a class, and feeds of a person behind a secret address. What a feed shows is
// decided at every read, so a guardian who was removed sees nothing more.
import type { Services } from '../platform/services.ts';
import {
  classCalendar,
  type Feed,
  listFeeds,
  makeFeed,
  readFeed,
  removeFeed,
} from '../../contract/classes/feeds.ts';
import {
  type Db,
  execute,
  query,
  queryOne,
  sql,
  type RowOf,
  instant,
} from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { own } from '../platform/db/write.ts';
import { today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import type { NoLonger } from '../platform/ends.ts';
import { type CalendarEvent, calendarText } from './ical.ts';

export function feeds({ on, db, write, config, ends }: Services): void {
  ends.onErase(async (db, { id }) => void (await endFeeds(db, id)));
  ends.onNoLonger(endFeedsOf);

  on(classCalendar, async ({ id }) => {
    const found = await queryOne<{ name: string }>(db)`
      select name from class where id = ${id} and status = 'approved'`;
    const { name } = found ?? fail('NOT_FOUND');
    return (await datesFile(db, config, { ids: [id], name })) ?? fail('NOT_FOUND');
  });

  on(
    listFeeds,
    (_input, { who }) =>
      query<Feed>(db)`
        select feed.id as _id, participant_id, participant.name, ${instant(sql`feed.created_at`)} as created_at,
          read_on::text
        from feed left join participant on participant.id = participant_id
        where feed.user_id = ${who.id} and ${stillTheirs}
        order by participant_id is not null, participant.name, feed.id`,
  );

  on(makeFeed, async ({ participantId = null }, { who }) => {
    const secret = newSecret();
    const insertedId = await write(who, async (db) => {
      await execute(db)`select from participant where id = ${participantId}::uuid for key share`;
      // Replaces the feed of the same kind.
      const rows = await query<{ id: string }>(db)`
        insert into feed (user_id, participant_id, secret_hash)
        select ${who.id}, ${participantId}, ${hashOf(secret)}
        where ${participantId}::uuid is null
          or exists (select from guardian where user_id = ${who.id} and participant_id = ${participantId}::uuid)
        on conflict (user_id, participant_id) do update
          set id = excluded.id, secret_hash = excluded.secret_hash, created_at = now(), read_on = null
        returning id`;
      return own((rows[0] ?? fail('NOT_FOUND')).id);
    });
    const url = `${config.publicUrl}/api/feeds/${secret}/rally.ics`;
    return { insertedId, url, webcal: url.replace(/^https?:/, 'webcal:') };
  });

  on(removeFeed, async ({ id }, { who }) => {
    const gone = await execute(db)`delete from feed where id = ${id} and user_id = ${who.id}`;
    return gone > 0 ? { deletedCount: gone } : fail('NOT_FOUND');
  });

  on(readFeed, async ({ secret }) => {
    // Any text is hashed and looked up: what is malformed takes the way of what is unknown.
    const found = await queryOne<Shown>(db)`
      select feed.id, feed.user_id, feed.participant_id, ${firstName} as name
      from feed left join participant on participant.id = feed.participant_id
      where feed.secret_hash = ${hashOf(secret)} and ${stillTheirs}`;
    const feed = found ?? fail('NOT_FOUND');
    await execute(db)`update feed set read_on = ${today}
      where id = ${feed.id} and read_on is distinct from ${today}`;
    const name = feed.name ? `${config.brand}: ${feed.name}` : config.brand;
    return fileOf(config, { name, events: await eventsOf(db, config, shownIn(feed)) });
  });
}

/** With the sessions of an account: a person who had access may have kept the address of a feed. */
export const endFeeds = (db: Db, userId: string) =>
  execute(db)`delete from feed where user_id = ${userId}`;

/** Of participants who are erased, or of one whom an account no longer looks after. */
const endFeedsOf: NoLonger = async (db, participantIds, userId) => {
  await execute(db)`delete from feed where participant_id = any (${participantIds}::uuid[])
    and (${userId}::uuid is null or user_id = ${userId}::uuid)`;
};

/** Those that no calendar program has ever read, after 12 months. */
export const forgetUnreadFeeds = (db: Db) =>
  execute(db)`delete from feed where read_on is null and created_at < now() - interval '12 months'`;

/** The feed of a participant ends with the care for them; a blocked account has none. */
const stillTheirs = sql<boolean>`exists (
  select from "user" where "user".id = feed.user_id and blocked_at is null) and (feed.participant_id is null or exists (
  select from guardian where guardian.user_id = feed.user_id and guardian.participant_id = feed.participant_id))`;

type Shown = RowOf<'feed', 'id' | 'userId' | 'participantId'> & { name: string | null };

/** Whose classes: under UIDs of their own, as an instructor may be enrolled in the class, too. */
const shownIn = ({ userId, participantId }: Shown) => sql`
  select enrolment.class_id, null::uuid as teacher_id, '.' || participant.id as suffix,
    case when participant.self_of = ${userId} then null else ${firstName} end as person
  from guardian join participant on participant.id = guardian.participant_id
    join enrolment on enrolment.participant_id = participant.id
      and (${activeEnrolment()} or enrolment.end_kind = 'academy' and exists (
        select from class where class.id = enrolment.class_id and class.status = 'cancelled'))
  where guardian.user_id = ${userId}
    and (${participantId}::uuid is null or participant.id = ${participantId}::uuid)
  union all select distinct class_id, instructor_id, '.teach', null from meeting
  where instructor_id = ${userId} and ${participantId}::uuid is null`;

export async function datesFile(
  db: Db,
  academy: Pick<Services['config'], 'publicUrl'>,
  { ids, name }: { ids: readonly string[]; name: string },
): Promise<string | null> {
  const shown = sql`select id as class_id, null::uuid as teacher_id, '' as suffix, null::text as person
    from class where id = any (${ids}::uuid[])`;
  const events = await eventsOf(db, academy, shown);
  return events.length > 0 ? fileOf(academy, { name, events }) : null;
}

const fileOf = (
  { publicUrl }: Pick<Services['config'], 'publicUrl'>,
  file: { name: string; events: CalendarEvent[] },
) => calendarText({ ...file, host: new URL(publicUrl).host });

// In the order of time, from 60 days back, cancelled ones until 30 days after their day.
const eventsOf = (
  db: Db,
  { publicUrl }: Pick<Services['config'], 'publicUrl'>,
  shown: ReturnType<typeof sql>,
) =>
  query<CalendarEvent>(db)`
    select meeting.id || shown.suffix as uid, sequence, changed_at, state = 'cancelled' as cancelled,
      lower(during) as starts_at, upper(during) as ends_at,
      concat_ws(', ', place.name, nullif(place.address, '')) as location,
      concat_ws(': ', shown.person, class.name) as summary,
      concat_ws(chr(10), 'Instructor: ' || teacher.name, 'Bring: ' || nullif(class.bring, ''), nullif(told, '')) as description,
      ${publicUrl}::text || '/classes/' || class.id as url
    from (${shown}) shown join class on class.id = shown.class_id
      join meeting on meeting.class_id = class.id
        and (shown.teacher_id is null or meeting.instructor_id = shown.teacher_id)
      join "user" teacher on teacher.id = meeting.instructor_id left join place on place.id = meeting.place_id
    where meeting.state in ('on', 'cancelled') and meeting.day >= ${today} - 60
      and (meeting.state = 'on' or meeting.day >= ${today} - 30)
    order by starts_at, uid`;

/** Of a child's name a calendar shows no more. */
const firstName = sql`substring(participant.name from '\\S+')`;
