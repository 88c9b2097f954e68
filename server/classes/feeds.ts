// Calendar files: of a class, and feeds of a person behind a secret address. What a feed shows is
// decided at every read, so a guardian who was removed sees nothing more.
import type { Services } from '../platform/services.ts';
import {
  classCalendar,
  listFeeds,
  makeFeed,
  readFeed,
  removeFeed,
} from '../../contract/classes/feeds.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { own } from '../platform/db/write.ts';
import { academyZone, today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import type { NoLonger } from '../platform/ends.ts';
import { type CalendarEvent, calendarText } from './ical.ts';

export function feeds({ on, db, write, config, ends }: Services): void {
  const { publicUrl } = config;
  const { host } = new URL(publicUrl);
  ends.onErase(async (db, { id }) => void (await endFeeds(db, id)));
  ends.onNoLonger(endFeedsOf);

  on(classCalendar, async ({ id }) => {
    const name = await offeredName(db, id);
    if (name === undefined) fail('NOT_FOUND');
    return (await datesFile(db, config, { ids: [id], name })) ?? fail('NOT_FOUND');
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
    const made = await write(who, async (db) => {
      await sql`select from participant where id = ${participantId}::uuid for key share`.execute(
        db,
      );
      return own(await keep(db, who, participantId, secret));
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

  on(readFeed, async ({ secret }) => {
    // Any text is hashed and looked up: what is malformed takes the way of what is unknown.
    const [feed] = (await selectFeed(hashOf(secret)).execute(db)).rows;
    if (!feed) fail('NOT_FOUND');
    const { userId, participantId } = feed;
    const [goes, teaches] = await Promise.all([
      selectAttended(userId, participantId).execute(db),
      feed.teaches ? selectTaught(userId).execute(db) : { rows: [] },
      !feed.readToday && sql`update feed set read_on = ${today} where id = ${feed.id}`.execute(db),
    ]);
    const { brand } = config;
    const name = feed.name ? `${brand}: ${firstName(feed.name)}` : brand;
    // Under UIDs of their own: the instructor may be enrolled in the class, too.
    const events = [
      ...eventsIn(goes.rows, publicUrl),
      ...eventsIn(teaches.rows, publicUrl, '.teach'),
    ];
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
const endFeedsOf: NoLonger = async (db, participantIds, userId) => {
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
  teaches: boolean;
  readToday: boolean;
  zone: string;
}

const selectFeed = (secretHash: Buffer) => sql<Feed>`
  select feed.id, feed.user_id, feed.participant_id, participant.name,
    feed.participant_id is null and exists (select from meeting where instructor_id = feed.user_id) as teaches,
    feed.read_on is not distinct from ${today} as read_today, ${academyZone} as zone
  from feed left join participant on participant.id = feed.participant_id
  where feed.secret_hash = ${secretHash} and ${stillTheirs}`;

const selectAttended = (userId: string, participantId: string | null) => sql<Row>`
  select class.id as class_id, participant.id as participant_id,
    case when participant.self_of = ${userId} then null else participant.name end as person,
    class.name, class.bring, ${meetingsAs(sql`meeting.class_id = class.id`)} as meetings
  from guardian join participant on participant.id = guardian.participant_id
    join enrolment on enrolment.participant_id = participant.id and ${activeEnrolment()}
    join class on class.id = enrolment.class_id
  where guardian.user_id = ${userId}
    and (${participantId}::uuid is null or participant.id = ${participantId}::uuid)`;

const selectTaught = (userId: string) => {
  const theirs = sql`meeting.class_id = class.id and meeting.instructor_id = ${userId}`;
  return sql<Row>`
    select class.id as class_id, null::uuid as participant_id, null::text as person,
      class.name, class.bring, ${meetingsAs(theirs)} as meetings
    from class where id in (select class_id from meeting where instructor_id = ${userId})`;
};

/** The feed of a participant ends with the care for them; a blocked account has none. */
const stillTheirs = sql<boolean>`exists (
  select from "user" where "user".id = feed.user_id and blocked_at is null) and (feed.participant_id is null or exists (
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
 * The dates of these classes; null if they have none. The caller has checked that the reader may see
 * the classes.
 */
export async function datesFile(
  db: Db,
  { publicUrl }: Pick<Services['config'], 'publicUrl'>,
  { ids, name }: { ids: readonly string[]; name: string },
): Promise<string | null> {
  const { rows } = await sql<Row>`
    select id as class_id, null::uuid as participant_id, null::text as person,
      class.name, class.bring, ${meetingsAs(sql`meeting.class_id = class.id`)} as meetings
    from class where id = any (${ids}::uuid[])`.execute(db);
  const events = eventsIn(rows, publicUrl);
  if (events.length === 0) return null;
  const { host } = new URL(publicUrl);
  const { rows: academy } = await sql<{ zone: string }>`select ${academyZone} as zone`.execute(db);
  return calendarText({ name, host, zone: academy[0]?.zone ?? 'UTC', events });
}

/** A class and the person for whom it is in the file. Words as approved last. */
interface Row {
  classId: string;
  participantId: string | null;
  person: string | null;
  name: string;
  bring: string;
  /** Null where there is none. */
  meetings: Alike[] | null;
}

/** Meetings that differ by their day alone. Instants are seconds since 1970. */
type Alike = [
  starts: string,
  minutes: number,
  clocksChange: boolean,
  cancelled: boolean,
  told: string,
  location: string,
  instructor: string,
  sequence: number,
  changed: number,
  ids: string[],
  days: string[],
  begins: number[],
];

/** Whole numbers: PostgreSQL takes longer to write fractions. */
const secondsOf = (instant: ReturnType<typeof sql>) =>
  sql`floor(date_part('epoch', ${instant}))::bigint`;

/** Its wall clock does not say when it is: the clocks change, or it was held in another zone. */
const inUtc = sql`(clocks_change or lower(during) <= now()
  and lower(during) <> (day + meeting.starts) at time zone ${academyZone})`;

/**
 * From 60 days back, cancelled ones until 30 days after their day, in any order. As one value: a row
 * for each meeting takes the process twice as long to read. Most meetings of a class are alike, and
 * what they have in common is written once.
 */
const meetingsAs = (which: ReturnType<typeof sql>) => sql`(
  select json_agg(alike) from (
    select json_build_array(meeting.starts, minutes, ${inUtc}, state = 'cancelled', told,
      concat_ws(', ', place.name, nullif(place.address, '')), teacher.name, sequence, ${secondsOf(sql`changed_at`)},
      json_agg(meeting.id), json_agg(day), json_agg(${secondsOf(sql`lower(during)`)})) as alike
    from meeting join "user" teacher on teacher.id = meeting.instructor_id left join place on place.id = meeting.place_id
    where ${which} and meeting.state in ('on', 'cancelled') and meeting.day >= ${today} - 60
      and (meeting.state = 'on' or meeting.day >= ${today} - 30)
    group by meeting.starts, minutes, ${inUtc}, state, told, sequence, changed_at, place.id, teacher.id
  ) meetings)`;

/** In the order of time. */
function eventsIn(rows: readonly Row[], publicUrl: string, suffix = ''): CalendarEvent[] {
  const events = rows.flatMap(({ meetings, ...row }) =>
    (meetings ?? []).flatMap((alike) => eventsOf(alike, row, publicUrl, suffix)),
  );
  return events.toSorted((a, b) => compare(a.starts, b.starts) || compare(a.uid, b.uid));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function eventsOf(
  alike: Alike,
  { classId, participantId, person, name, bring }: Omit<Row, 'meetings'>,
  publicUrl: string,
  suffix: string,
): CalendarEvent[] {
  const [starts, minutes, clocksChange, cancelled, told, ...rest] = alike;
  const [location, instructor, sequence, changed, ids, days, begins] = rest;
  const description = [`Instructor: ${instructor}`, bring && `Bring: ${bring}`, told];
  const shared = {
    sequence,
    changedAt: new Date(changed * 1_000),
    summary: person ? `${firstName(person)}: ${name}` : name,
    description: description.filter(Boolean).join('\n'),
    location,
    url: `${publicUrl}/classes/${classId}`,
    cancelled,
    clocksChange,
  };
  return ids.map((id, n) => {
    const [day = '', at = 0] = [days[n], begins[n]];
    const own = {
      uid: (participantId ? `${id}.${participantId}` : id) + suffix,
      startsAt: new Date(at * 1_000),
      endsAt: new Date((at + minutes * 60) * 1_000),
      starts: `${day}T${starts.slice(0, 5)}`,
      // Where the clocks change, the file names the instants instead.
      ends: laterOn(`${day}T${starts}`, minutes),
    };
    return Object.assign(own, shared);
  });
}

/** So many minutes after `2027-01-04T16:00:00`, as `2027-01-04T17:30`. */
function laterOn(starts: string, minutes: number): string {
  const end = Number(starts.slice(11, 13)) * 60 + Number(starts.slice(14, 16)) + minutes;
  const [hour, minute] = [Math.floor(end / 60), end % 60];
  return hour < 24
    ? `${starts.slice(0, 10)}T${twoDigits(hour)}:${twoDigits(minute)}`
    : new Date(Date.parse(`${starts}Z`) + minutes * 60_000).toISOString().slice(0, 16);
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

const firstName = (name: string) => name.trim().split(/\s+/)[0] ?? name;
