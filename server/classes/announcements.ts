// Announcements: an instructor writes to the families of own classes, an admin to those of any.
import type { Services } from '../platform/services.ts';
import {
  announce,
  countFamilies,
  listAnnouncements,
  type Announcement,
} from '../../contract/classes/announcements.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { limits } from '../../contract/platform/limits.ts';
import { slice } from '../../contract/platform/rules.ts';
import {
  type Db,
  execute,
  exists,
  instant,
  query,
  sql,
  withoutNulls,
} from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { today } from '../platform/db/zone.ts';
import type { Act } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { familiesOf } from './families.ts';
import { mail } from '../mail/kinds.ts';

export function announcements({ on, db, write, jobs }: Services): void {
  on(countFamilies, async ({ classIds }, { who }) => {
    const ids = (await classesOf(db, who, classIds)).map(({ id }) => id);
    const families = await familiesOf(db, ids);
    return { families: families.length };
  });

  on(announce, async (input, { who }) => ({
    families: await write(who, (db) => store(db, who, input, jobs)),
  }));

  on(listAnnouncements, async ({ classId, ...page }, { who }) => {
    const which = classId ? sql`class.id = ${classId}` : hasBooked(who);
    if (classId) {
      const sees = exists(db)`
        select from class where ${which} and (${isStaffOf(who)} or ${hasBooked(who)})`;
      if (!(await sees)) fail('NOT_FOUND');
    }
    const { limit, offset } = slice(page);
    const rows = await query<Announcement & { total: number }>(db)`
      select announcement.id as _id, class.id as class_id, class.name as class_name, announcement.subject,
        announcement.words, author.name as from, ${instant(sql`announcement.at`)} as at,
        case when ${isStaffOf(who)} then announcement.families end as families, count(*) over ()::int as total
      from announcement join class on class.id = announcement.class_id join "user" author on author.id = announcement.author_id
      where ${which} order by announcement.at desc, announcement.id limit ${limit} offset ${offset}`;
    return { items: rows.map(withoutNulls), total: rows[0]?.total ?? 0 };
  });
}

/** Names a class that has had its five, because others may still be written to. */
async function refuseEnough(db: Db, ids: readonly string[]): Promise<void> {
  const [full] = await query<{ name: string }>(db)`
    select class.name from announcement join class on class.id = announcement.class_id
    where announcement.day = ${today} and announcement.place = ${limits.announcement.perDay}
      and class.id = any (${ids}::uuid[]) order by class.name limit 1`;
  if (full)
    fail('ANNOUNCED_ENOUGH', {
      message: `Five announcements were sent to ${full.name} today. Please wait until tomorrow.`,
    });
}

/** A class of another instructor is answered like one that does not exist. */
async function classesOf(
  db: Db,
  who: Caller,
  ids: string[] | undefined,
  lock = sql``,
): Promise<{ id: string }[]> {
  if (!ids && who.role !== 'admin') fail('NOT_FOUND');
  const wanted = ids ? sql`class.id = any (${ids}::uuid[])` : sql`not class.over`;
  const rows = await query<{ id: string }>(db)`
    select id from class
    where ${wanted} and (${who.role === 'admin'} or instructor_id = ${who.id})
    order by id ${lock}`;
  if (ids && rows.length < new Set(ids).size) fail('NOT_FOUND');
  return rows;
}

async function store(
  db: Db,
  who: Caller,
  { classIds, subject, words }: Parsed<typeof announce>,
  jobs: Jobs,
): Promise<Act<number>> {
  // One by one: each takes the next place of the day.
  await execute(db)`select pg_advisory_xact_lock(hashtextextended('announcement', 0))`;
  const ids = (await classesOf(db, who, classIds, sql`for key share`)).map(({ id }) => id);
  await refuseEnough(db, ids);
  const families = await familiesOf(db, ids);
  const rows = await query<{ act: string; id: string; classId: string }>(db)`
    insert into announcement (act, class_id, author_id, day, place, subject, words, families)
    select act, class.id, ${who.id}, ${today},
      1 + (select count(*) from announcement a where a.class_id = class.id and a.day = ${today}),
      ${subject}, ${words}, (
        select count(distinct guardian.user_id) from enrolment join told_guardian guardian using (participant_id)
        where enrolment.class_id = class.id and ${activeEnrolment()})
    from unnest(${ids}::uuid[]) class (id), (select gen_random_uuid() as act) one order by class.id
    returning act, id, class_id`;
  const mails = families.map(({ id: to, classId }) => {
    const announcementId = rows.find((row) => row.classId === classId)?.id ?? '';
    return mail('announcement', { to, announcementId });
  });
  await jobs.sendAll(db, 'send-mail', mails);
  const to = `${counted(ids.length, 'class', 'classes')}, ${counted(families.length, 'family', 'families')}`;
  return {
    answer: families.length,
    audit: {
      action: 'announcement',
      subject: ids.length === 1 ? (ids[0] ?? '') : (rows[0]?.act ?? ''),
      detail: `${subject.slice(0, 120)}; ${to}`,
    },
  };
}

const counted = (count: number, one: string, more: string) =>
  `${count} ${count === 1 ? one : more}`;

const isStaffOf = (who: Caller) =>
  sql<boolean>`(${who.role === 'admin'} or class.instructor_id = ${who.id})`;

const hasBooked = (who: Caller) => sql<boolean>`exists (
  select from enrolment join guardian using (participant_id)
  where enrolment.class_id = class.id and ${activeEnrolment()} and guardian.user_id = ${who.id})`;
