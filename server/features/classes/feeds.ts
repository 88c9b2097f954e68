// Calendar files: of a class, and feeds of a person behind a secret address. What a feed shows is
// decided at every read, so a guardian who was removed sees nothing more.
import {
  classCalendar,
  listFeeds,
  makeFeed,
  readFeed,
  removeFeed,
} from '../../../contract/feeds.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { hashOf, newSecret } from '../../db/hashed.ts';
import { today } from '../../db/zone.ts';
import { fail } from '../../http/fail.ts';
import type { Caller, On } from '../../http/on.ts';
import type { NoLonger } from '../people/participants.ts';
import { lockCaller, refuseUnconfirmed } from '../people/users.ts';
import { meetingColumns } from './dates.ts';
import { type CalendarEvent, calendarText } from './ical.ts';
import { approvedFact } from './reviewed.ts';

interface Parts {
  on: On;
  db: Database['db'];
  prepare: Database['prepare'];
  transaction: Database['transaction'];
  config: { brand: string; publicUrl: string };
}

export function feeds({ on, db, prepare, transaction, config }: Parts): void {
  const { brand, publicUrl } = config;
  const { host } = new URL(publicUrl);

  on(classCalendar, async ({ id }) => {
    const name = await offeredName(db, id);
    if (name === undefined) fail('NOT_FOUND');
    return (await datesFile(db, config, { id, name })) ?? fail('NOT_FOUND');
  });

  on(listFeeds, async (_input, { who }) => {
    const rows = await db
      .selectFrom('feed')
      .leftJoin('participant', 'participant.id', 'feed.participantId')
      .select(['feed.id', 'feed.participantId', 'participant.name', 'feed.createdAt'])
      .select(sql<string | null>`feed.read_on::text`.as('readOn'))
      .where('feed.userId', '=', who.id)
      .where(stillTheirs)
      .orderBy(sql`feed.participant_id is not null, participant.name, feed.id`)
      .execute();
    return rows.map(({ id, participantId, name, createdAt, readOn }) => ({
      _id: id,
      participantId,
      name,
      createdAt: createdAt.toISOString(),
      readOn,
    }));
  });

  on(makeFeed, async ({ participantId = null }, { who }) => {
    const secret = newSecret();
    const made = await transaction(async (db) => {
      await sql`select from participant where id = ${participantId}::uuid for key share`.execute(
        db,
      );
      await lockCaller(db, who);
      await refuseUnconfirmed(db, who);
      return keep(db, who, participantId, secret);
    });
    const url = `${publicUrl}/api/feeds/${secret}/rally.ics`;
    return { insertedId: made.id, url, webcal: url.replace(/^https?:/, 'webcal:') };
  });

  on(removeFeed, async ({ id }, { who }) => {
    const { numDeletedRows } = await db
      .deleteFrom('feed')
      .where('id', '=', id)
      .where('userId', '=', who.id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) fail('NOT_FOUND');
    return { deletedCount: Number(numDeletedRows) };
  });

  const feedOf = prepare('feed', selectFeed);
  const attended = prepare('feed, attended', selectAttended);
  const taught = prepare('feed, taught', selectTaught);

  on(readFeed, async ({ secret }) => {
    // Any text is hashed and looked up: what is malformed takes the way of what is unknown.
    const [feed] = await feedOf(hashOf(secret));
    if (!feed) fail('NOT_FOUND');
    const { userId, participantId } = feed;
    const [goes, teaches] = await Promise.all([
      attended(userId, participantId),
      participantId ? [] : taught(userId),
      !feed.readToday && sql`update feed set read_on = ${today} where id = ${feed.id}`.execute(db),
    ]);
    const event = asEvent(publicUrl);
    // Under UIDs of their own: the instructor may be enrolled in the class, too.
    const asTeacher = (row: Row) => {
      const own = event(row);
      return Object.assign(own, { uid: `${own.uid}.teach` });
    };
    const name = feed.name ? `${brand}: ${firstName(feed.name)}` : brand;
    const events = [...goes.map(event), ...teaches.map(asTeacher)];
    return calendarText({ name, host, zone: feed.zone, events });
  });
}

/** Replaces the feed of the same kind. */
async function keep(db: Db, { id }: Caller, participantId: string | null, secret: string) {
  const { rows } = await sql<{ id: string }>`
    insert into feed (user_id, participant_id, secret_hash)
    select ${id}, ${participantId}, ${hashOf(secret)}
    where ${participantId}::uuid is null
      or exists (select from guardian where user_id = ${id} and participant_id = ${participantId}::uuid)
    on conflict (user_id, participant_id) do update
      set id = excluded.id, secret_hash = excluded.secret_hash, created_at = now(), read_on = null
    returning id`.execute(db);
  return rows[0] ?? fail('NOT_FOUND');
}

/** With the sessions of an account: a person who had access may have kept the address of a feed. */
export const endFeeds = (db: Db, userId: string) =>
  sql`delete from feed where user_id = ${userId}`.execute(db);

/** Of participants who are erased, or of one whom an account no longer looks after. */
export const endFeedsOf: NoLonger = async (db, participantIds, userId) => {
  await sql`delete from feed where participant_id = any (${participantIds}::uuid[])
    and (${userId}::uuid is null or user_id = ${userId}::uuid)`.execute(db);
};

/** Those that no calendar program has ever read, after 12 months. */
export const forgetUnreadFeeds = (db: Db) =>
  sql`delete from feed where read_on is null and created_at < now() - interval '12 months'`.execute(
    db,
  );

interface Feed {
  id: string;
  userId: string;
  participantId: string | null;
  name: string | null;
  readToday: boolean;
  zone: string;
}

const selectFeed = (secretHash: Buffer) => sql<Feed>`
  select feed.id, feed.user_id, feed.participant_id, participant.name,
    feed.read_on is not distinct from ${today} as read_today, ${academyZone} as zone
  from feed left join participant on participant.id = feed.participant_id
  where feed.secret_hash = ${secretHash} and ${stillTheirs}`;

const selectAttended = (userId: string, participantId: string | null) =>
  selectEvents(sql`(
    select enrolment.class_id, participant.id as participant_id,
      case when participant.self_of = ${userId} then null else participant.name end as person
    from guardian join participant on participant.id = guardian.participant_id
      join enrolment on enrolment.participant_id = participant.id and enrolment.state = 'active'
    where guardian.user_id = ${userId}
      and (${participantId}::uuid is null or participant.id = ${participantId}::uuid)) goes
    on goes.class_id = meeting.class_id`);

const selectTaught = (userId: string) =>
  selectEvents(sql`(select ${userId}::uuid as instructor_id, null::uuid as participant_id, null as person) goes
    on goes.instructor_id = meeting.instructor_id`);

/** The feed of a participant ends with the care for them. */
const stillTheirs = sql<boolean>`(feed.participant_id is null or exists (
  select from guardian where guardian.user_id = feed.user_id and guardian.participant_id = feed.participant_id))`;

async function offeredName(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('class')
    .select('name')
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .executeTakeFirst();
  return row?.name;
}

/**
 * The dates of one class; null if it has none. The caller has checked that the reader may see the
 * class.
 */
export async function datesFile(
  db: Db,
  { publicUrl }: Pick<Parts['config'], 'publicUrl'>,
  { id, name }: { id: string; name: string },
): Promise<string | null> {
  const whole = sql`(select ${id}::uuid as class_id, null::uuid as participant_id, null as person) goes
    on goes.class_id = meeting.class_id`;
  const { rows } = await selectEvents(whole).execute(db);
  if (rows.length === 0) return null;
  const { host } = new URL(publicUrl);
  const { rows: academy } = await sql<{ zone: string }>`select ${academyZone} as zone`.execute(db);
  const events = rows.map(asEvent(publicUrl));
  return calendarText({ name, host, zone: academy[0]?.zone ?? 'UTC', events });
}

interface Row extends Omit<CalendarEvent, 'uid' | 'summary' | 'description' | 'url'> {
  id: string;
  classId: string;
  participantId: string | null;
  person: string | null;
  name: string;
  bring: string;
  instructor: string;
  told: string;
}

/** Around a change of the clocks the wall clock does not name one instant. */
const clocksChange = sql`(
  (lower(meeting.during) - interval '3 hours') at time zone meeting.zone - (lower(meeting.during) - interval '3 hours') at time zone 'UTC'
  <> (upper(meeting.during) + interval '3 hours') at time zone meeting.zone - (upper(meeting.during) + interval '3 hours') at time zone 'UTC')`;

/**
 * The meetings of those who `goes` names, one for each person: from 60 days back, cancelled ones
 * until 30 days after their day. Words as approved last.
 */
function selectEvents(goes: ReturnType<typeof sql>) {
  const { starts, startsAt, endsAt, day } = meetingColumns;
  return sql<Row>`
    select meeting.id, meeting.class_id, goes.participant_id, goes.person, meeting.sequence, meeting.changed_at,
      ${approvedFact('name')} as name, ${approvedFact('bring')} as bring, teacher.name as instructor, meeting.told,
      concat_ws(', ', place.name, nullif(place.address, '')) as location, meeting.state = 'cancelled' as cancelled,
      ${startsAt} as starts_at, ${endsAt} as ends_at, ${day} || 'T' || ${starts} as starts,
      to_char(upper(meeting.during) at time zone meeting.zone, 'YYYY-MM-DD"T"HH24:MI') as ends,
      meeting.zone, ${clocksChange} as clocks_change
    from meeting join ${goes} join class on class.id = meeting.class_id
      join "user" teacher on teacher.id = meeting.instructor_id left join place on place.id = meeting.place_id
    where meeting.state <> 'proposed' and meeting.day >= ${today} - 60
      and (meeting.state = 'on' or meeting.day >= ${today} - 30)
    order by meeting.day, meeting.starts, meeting.id, goes.participant_id`;
}

const asEvent =
  (publicUrl: string) =>
  ({
    id,
    classId,
    participantId,
    person,
    name,
    bring,
    instructor,
    told,
    ...row
  }: Row): CalendarEvent =>
    Object.assign(row, {
      uid: participantId ? `${id}.${participantId}` : id,
      summary: person ? `${firstName(person)}: ${name}` : name,
      description: [`Instructor: ${instructor}`, bring && `Bring: ${bring}`, told]
        .filter(Boolean)
        .join('\n'),
      url: `${publicUrl}/classes/${classId}`,
    });

const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name;

/** It makes an empty calendar a valid one: RFC 5545 wants a component. */
const academyZone = sql<string>`(select coalesce(time_zone, 'UTC') from academy)`;
