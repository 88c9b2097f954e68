// The mails of this room, from their rows at the moment when they are sent.
import { type Db, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, erasedAccount } from '../platform/db/states.ts';
import type { Message } from '../mail/mail.ts';
import {
  approvedMail,
  calledOffMail,
  changedMail,
  deniedMail,
  feedbackMail,
  givenBackMail,
  handedOverMail,
  newPlanMail,
  refusedMail,
  takenOverMail,
  changeInWords,
  type Met,
  newDatesMail,
  officeDatesMail,
  substituteMail,
} from './texts.ts';
import type { MailBrand, Addressed } from '../mail/common.ts';
import type { Kind, Kinds, Mails, Moved, Render } from '../mail/kinds.ts';
import { datesFile } from './feeds.ts';

export async function withDates(
  db: Db,
  config: MailBrand,
  { ids, message }: { ids: readonly string[]; message: Message },
): Promise<Message> {
  const calendar = await datesFile(db, config, { ids, name: config.brand });
  return calendar === null ? message : { ...message, calendar };
}

const classOf = (db: Db, id: string) =>
  db
    .selectFrom('class')
    .select(['id as classId', 'name', 'name as className', 'schedule', 'place', 'status'])
    .select(['feedback', 'sold as children', 'instructorId', 'cancelNote'])
    .where('id', '=', id);

const bookedBy = (db: Db, { id }: { id: string }, classId: string) =>
  classOf(db, classId)
    .where(
      sql<boolean>`exists (select from enrolment join told_guardian guardian using (participant_id)
        where enrolment.class_id = class.id and ${activeEnrolment()} and guardian.user_id = ${id})`,
    )
    .executeTakeFirst();

const taughtBy = (db: Db, { id }: { id: string }, classId: string) =>
  classOf(db, classId).where('instructorId', '=', id).executeTakeFirst();

type Taught = NonNullable<Awaited<ReturnType<typeof taughtBy>>>;

const toTeacher =
  <K extends Kind>(write: Write<Taught & Kinds[K]>) =>
  async (
    ids: Kinds[K] & { classId: string },
    { db, config, person }: Parameters<Render<'approved'>>[1],
  ) => {
    const found = await taughtBy(db, person, ids.classId);
    return found ? write(config, person, { ...found, ...ids }) : null;
  };
type Write<Given> = (academy: MailBrand, person: Addressed, given: Given) => Message | null;

const nameOf = async (db: Db, id: string) =>
  (
    await queryOne<{ name: string }>(db)`
      select name from "user" where id = ${id} and not ${erasedAccount('user')}`
  )?.name;

export const classMails = {
  'new-plan': async ({ classId, before }, { db, config, person }) => {
    const after = await bookedBy(db, person, classId);
    if (!after || (before.schedule === after.schedule && before.place === after.place)) return null;
    return newPlanMail(config, person, { before, after });
  },
  'new-dates': async ({ classId, moved }, { db, config, person }) => {
    const found = await bookedBy(db, person, classId);
    const news = await changesOf(db, moved);
    if (!found || news.changes.length === 0) return null;
    const message = newDatesMail(config, person, { ...found, ...news });
    return withDates(db, config, { ids: [classId], message });
  },
  'office-dates': async ({ classId, moved, by, told }, { db, config, person }) => {
    const found = await classOf(db, classId).executeTakeFirst();
    const news = await changesOf(db, moved);
    const name = await nameOf(db, by);
    if (!found || !name || news.changes.length === 0 || person.role !== 'admin') return null;
    return officeDatesMail(config, person, { ...found, ...news, by: { name }, told });
  },
  'teaching-changed': async ({ classId, moved, counts, removed }, { db, config, person }) => {
    const found = await classOf(db, classId).executeTakeFirst();
    if (!found) return null;
    const { changes, tell } = await changesOf(db, moved);
    const owns = found.instructorId === person.id;
    const meetings = changes.flatMap(({ id, after, instructor, to }) =>
      after && instructor && to === person.id && !owns ? [{ id, ...after }] : [],
    );
    if (meetings.length > 0) return substituteMail(config, person, { ...found, tell, meetings });
    const theirs = changes.filter(({ from }) => owns || from === person.id);
    if (theirs.length === 0 && !removed) return null;
    const isShort = theirs.length <= 5 && !removed;
    const words = isShort ? theirs.map(changeInWords) : [`dates (${counts})`];
    return changedMail(config, person, { ...found, changes: words });
  },
  'class-changed': toTeacher<'class-changed'>(changedMail),
  approved: toTeacher<'approved'>((academy, person, found) =>
    found.status === 'approved' ? approvedMail(academy, person, found) : null,
  ),
  denied: toTeacher<'denied'>((academy, person, { explained, ...found }) => {
    const reason = explained ? found.feedback : '';
    return found.status === 'denied' ? deniedMail(academy, person, { ...found, reason }) : null;
  }),
  'change-refused': toTeacher<'change-refused'>(refusedMail),
  feedback: toTeacher<'feedback'>((academy, person, { feedback: words, ...found }) =>
    words ? feedbackMail(academy, person, { ...found, words }) : null,
  ),
  'handed-over': async ({ classId, from, teacher }, { db, config, person }) => {
    const found =
      person.id === from
        ? await classOf(db, classId).executeTakeFirst()
        : await bookedBy(db, person, classId);
    const to = await nameOf(db, teacher);
    if (found?.instructorId !== teacher || !to) return null;
    return handedOverMail(config, person, { ...found, to });
  },
  'class-taken-over': toTeacher<'class-taken-over'>(takenOverMail),
  'class-called-off': async ({ classId }, { db, config, person }) => {
    const found = await classOf(db, classId).executeTakeFirst();
    const reason = found?.cancelNote;
    return reason ? calledOffMail(config, person, { ...found, reason }) : null;
  },
  'seats-given-back': toTeacher<'seats-given-back'>(givenBackMail),
} satisfies Partial<Mails>;

type Now = Met & { id: string; state: string; told: string; instructorId: string } & {
  giveBack: boolean;
};

/** What has become of each meeting until now, and what was said about it last. */
async function changesOf(db: Db, moved: readonly Moved[]) {
  const rows = await query<Now>(db)`
    select meeting.id, day::text, to_char(starts, 'HH24:MI') as starts, minutes, coalesce(place.name, '') as place,
      meeting.state, told, instructor_id, give_back
    from meeting left join place on place.id = place_id
    where meeting.id = any (${moved.map(({ id }) => id)}::uuid[])`;
  const names = await query<{ id: string; name: string }>(db)`
    select id, name from place where id = any (${moved.map(({ was }) => was?.placeId)}::uuid[])
    union all select id, name from "user" where id = any (${[
      ...moved.map(({ from }) => from),
      ...rows.map(({ instructorId }) => instructorId),
    ]}::uuid[])`;
  const named = (id: string | null | undefined) => names.find((row) => row.id === id)?.name ?? '';
  const changes = moved.flatMap(({ id, from, was, chosen }) => {
    const now = rows.find((row) => row.id === id);
    const to = now?.instructorId ?? null;
    const isNew = chosen && to !== from;
    const change = {
      id,
      from,
      to,
      before: was && wordsOf({ ...was, place: named(was.placeId) }),
      after: !now || now.state === 'cancelled' ? null : wordsOf(now),
      instructor: isNew ? named(to) : '',
      former: isNew ? named(from) : '',
    };
    const { before, after } = change;
    return JSON.stringify(before) === JSON.stringify(after) && !isNew ? [] : [change];
  });
  const givesBack = rows.some(({ giveBack }) => giveBack);
  return { changes, tell: rows.find(({ told }) => told)?.told ?? '', givesBack };
}

const wordsOf = ({ day, starts, minutes, place }: Met): Met => ({ day, starts, minutes, place });
