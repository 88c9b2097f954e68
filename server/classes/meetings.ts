// Writes meetings. Every writer takes the lock `plan` first, then the class.
import type { Services } from '../platform/services.ts';
import type { Parsed, Answer } from '../../contract/platform/call.ts';
import { type MeetingInput, setDates } from '../../contract/classes/meetings.ts';
import { type Db, execute, query, sql, queryOne } from '../platform/db/connection.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import type { Condition } from '../platform/db/lists.ts';
import type { Act } from '../platform/db/write.ts';
import { fail, refuseField } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail, type Moved } from '../mail/kinds.ts';
import { asRows, clashesOf, refusingClashes, type Wanted, isConflict } from './conflicts.ts';
import { examine, type Run, checkingDates } from './examine.ts';
import { adminsToTell, familiesOf, tell } from './families.ts';
import { byInstructor, type ClassRow, dropProposed } from './proposals.ts';
import { academyZone } from '../platform/db/zone.ts';

export function meetings(services: Services): void {
  checkingDates(services);
  services.on(setDates, (input, { who }) => changeDates(services, who, input));
}

// Planning is rare and goes one by one, so two writers cannot deadlock on the exclusion constraints.
// The lock is for comfort; the constraints are the guard.
export const lockPlan = (db: Db) =>
  execute(db)`select pg_advisory_xact_lock(hashtextextended('plan', 0))`;

/** By id, as a batch of marks locks them (rollcall/marks.ts). Before a statement that changes several. */
export const lockMeetings = (db: Db, which: Condition) =>
  execute(db)`select from meeting where ${which} order by id for no key update`;

const ofClasses = (ids: readonly string[]): Condition =>
  sql<boolean>`class_id = any (${ids}::uuid[])`;

/** Who teaches a class, before it is locked: who may be written to its meetings is locked first. */
export async function instructorOf(db: Db, classId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(db)`
    select instructor_id as id from class where id = ${classId}`;
  return rows.map(({ id }) => id);
}

export const teachersIn = (meetings: readonly MeetingInput[]) =>
  meetings.flatMap(({ instructorId }) => instructorId ?? []);

export async function changeDates(
  { db, writeAccounts, jobs }: Pick<Services, 'db' | 'writeAccounts' | 'jobs'>,
  who: Caller,
  input: Parsed<typeof setDates>,
): Promise<Dated> {
  let wanted: Wanted[] = [];
  const ids = [...(await instructorOf(db, input.id)), ...teachersIn(input.meetings)];
  return refusingClashes(
    () =>
      writeAccounts(who, { ids, lock: 'key share' }, async (db) => {
        await lockPlan(db);
        const found = await lockClass(db, who, input.id);
        if (found.status === 'cancelled') fail('CLASS_CLOSED');
        if (found.dates !== input.version) fail('DATES_CHANGED');
        const subject = { id: found.id, instructorId: found.instructorId };
        const run = await examine(db, who, { subject, meetings: input.meetings });
        wanted = run.rows.filter(({ cancelled }) => !cancelled);
        const giveBack = input.giveBack ?? false;
        if (giveBack && who.role !== 'admin') refuseField('giveBack', 'is decided by an admin');
        return apply(db, who, { found, run, words: input.tell, giveBack }, jobs);
      }),
    () => clashesOf(db, who, { classId: input.id, wanted }),
  );
}

/** Another instructor's class is answered like one that does not exist. */
export const lockClass = async (db: Db, who: Caller, id: string) =>
  (await queryOne<ClassRow>(db)`select * from class
    where id = ${id} and (${who.role === 'admin'} or instructor_id = ${who.id}) for update`) ??
  fail('NOT_FOUND');

type Dated = Answer<typeof setDates>;

interface Change {
  found: ClassRow;
  run: Run;
  words: string | undefined;
  /** Who paid gets credit for the dates that are cancelled now. */
  giveBack: boolean;
}

async function apply(
  db: Db,
  who: Caller,
  { found, run, words = '', giveBack }: Change,
  jobs: Jobs,
): Promise<Act<Dated>> {
  const modifiedCount = run.changed.length + run.removed.length;
  if (modifiedCount === 0) return { answer: { modifiedCount, told: 0 }, unaudited: 'unchanged' };
  const isBooked = found.held + found.sold > 0;
  if (isBooked && run.removed.length > 0) fail('FAMILIES_BOOKED', { field: 'meetings' });
  await lockMeetings(db, ofClasses([found.id]));
  await refuseMarked(db, run);
  if (isBooked && !words) refuseField('tell', 'is required: families have booked this class');
  const isAtOnce = isBooked || (found.status === 'approved' && who.role === 'admin');
  const added = await store(db, found.id, run, {
    state: isAtOnce ? 'on' : 'proposed',
    told: words,
    giveBack,
  });
  if (giveBack)
    for (const { was, cancelled } of run.changed)
      if (was && cancelled) await jobs.send(db, 'date-cancelled', { meetingId: was.id });
  await review(db, found, isBooked || who.role === 'admin');
  const families = isBooked ? await familiesOf(db, [found.id]) : [];
  const told = { found, run, families, moved: movedIn(run, added) };
  await tellFamilies(db, who, told, jobs);
  await tellTeachers(db, who, told, jobs);
  const detail = `${countsOf(run)}; ${families.length} told${giveBack ? '; credit given' : ''}`;
  return {
    answer: { modifiedCount, told: families.length },
    audit: { action: 'dates changed', subject: found.id, detail },
  };
}

// A meeting with a roll call is never removed, and never moved: its marks would go with it. It can
// be cancelled, and another person can teach it. The lock comes first: a mark that is being added is
// waited for, and one that comes later is judged by the new time.
async function refuseMarked(db: Db, { rows, removed }: Run): Promise<void> {
  const moved = rows.flatMap((row, n) => (row.was && row.moved ? [{ n, id: row.was.id }] : []));
  if (removed.length + moved.length === 0) return;
  const ids = sql`${[...removed, ...moved].map(({ id }) => id)}::uuid[]`;
  await execute(db)`select from meeting where id = any (${ids}) order by id for update`;
  const marked = await query<{ id: string }>(db)`
    select id from meeting where id = any (${ids}) and exists (select from mark where meeting_id = meeting.id)`;
  const isMarked = ({ id }: { id: string }) => marked.some((meeting) => meeting.id === id);
  if (removed.some(isMarked))
    fail('FAMILIES_BOOKED', {
      field: 'meetings',
      message: 'A roll call was taken at one of these meetings: it cannot be removed.',
    });
  const first = moved.find(isMarked);
  if (first) refuseField(`meetings.${first.n}.day`, 'is of a meeting whose roll call was taken');
}

function countsOf({ changed, removed }: Run): string {
  const added = changed.filter(({ was }) => was === null).length;
  const cancelled = changed.filter((row) => row.cancelled).length;
  const others = changed.length - added - cancelled;
  return `${added} added, ${others} changed, ${cancelled} cancelled, ${removed.length} removed`;
}

/** In one statement, at whose end the constraints are checked: meetings may change places. */
async function store(
  db: Db,
  classId: string,
  { changed, removed }: Run,
  { state, told, giveBack }: { state: 'proposed' | 'on'; told: string; giveBack: boolean },
): Promise<string[]> {
  const touched = changed.map(({ was, cancelled, ...row }) =>
    Object.assign(row, { id: was?.id, state: cancelled ? 'cancelled' : state }),
  );
  const known = touched.filter(({ id }) => id);
  const added = touched.filter(({ id }) => !id);
  if (removed.length > 0)
    await execute(db)`delete from meeting where id = any (${removed.map(({ id }) => id)}::uuid[])`;
  if (known.length > 0)
    await execute(db)`update meeting set day = w.day, starts = w.starts, minutes = w.minutes,
        place_id = w."placeId", instructor_id = w."instructorId", state = w.state,
        give_back = ${giveBack} and w.state = 'cancelled', told = ${told}, sequence = sequence + 1, changed_at = now()
      from ${asRows(known)} where meeting.id = w.id`;
  return added.length > 0 ? addMeetings(db, classId, added, told) : [];
}

/** New rows, whose ids are answered in their order. The trigger tells the class its new words. */
export async function addMeetings(
  db: Db,
  classId: string,
  rows: readonly (Wanted & { state: string })[],
  told = '',
): Promise<string[]> {
  const made = await query<{ id: string }>(db)`
    insert into meeting (class_id, day, starts, minutes, place_id, instructor_id, state, told)
    select ${classId}, w.day, w.starts, w.minutes, w."placeId", w."instructorId", w.state, ${told}
    from ${asRows(rows)} order by n returning id`;
  return made.map(({ id }) => id);
}

/** What the change means for the review of the class, whose words the trigger has changed. */
async function review(db: Db, found: ClassRow, isAtOnce: boolean): Promise<void> {
  const after = await queryOne<{ place: string }>(db)`
    select place from class where id = ${found.id}`;
  const names = ['schedule', ...(after?.place === found.place ? [] : ['place'])];
  await db
    .updateTable('class')
    .set({ ...(isAtOnce ? {} : byInstructor(found, names)), updatedAt: sql`now()` })
    .where('id', '=', found.id)
    .execute();
  if (found.proposal || (isAtOnce && found.status === 'approved'))
    await dropProposed(db, found, ['schedule', 'place']);
}

interface Told extends Pick<Change, 'found' | 'run'> {
  families: readonly { id: string }[];
  moved: readonly Moved[];
}

/** And the office of what an instructor did: it has to know the same day. */
async function tellFamilies(db: Db, who: Caller, told: Told, jobs: Jobs) {
  const { found, families, moved } = told;
  if (families.length === 0) return;
  const news = { classId: found.id, moved };
  const line = { ...news, by: who.id, told: families.length };
  const admins = who.role === 'admin' ? [] : await adminsToTell(db);
  await jobs.sendAll(db, 'send-mail', [
    ...families.map(({ id: to }) => mail('new-dates', { to, ...news })),
    ...admins.map(({ id: to }) => mail('office-dates', { to, ...line })),
  ]);
}

function tellTeachers(db: Db, who: Caller, { found, run, moved }: Told, jobs: Jobs) {
  const taken = run.changed.flatMap(({ cancelled, chosen, instructorId }) =>
    chosen && !cancelled ? [instructorId] : [],
  );
  const former = moved.map(({ from }) => from);
  const byAdmin = who.role === 'admin' ? [found.instructorId] : [];
  const teachers = [...new Set([...byAdmin, ...former, ...taken])].flatMap((id) => id ?? []);
  const removed = run.removed.length > 0;
  const change = { classId: found.id, moved, counts: countsOf(run), removed };
  const mails = teachers.map((to) => mail('teaching-changed', { to, ...change }));
  return tell(db, jobs, who.id, ...mails);
}

/** The meetings that changed, in the order of time, with what they were. `added`: the ids of new ones. */
function movedIn({ changed }: Run, added: readonly string[]): Moved[] {
  const ids = added.values();
  return changed
    .map(({ was, chosen, day }) => ({ was, chosen, day, id: was?.id ?? ids.next().value ?? '' }))
    .toSorted((a, b) => ((a.was ?? a).day < (b.was ?? b).day ? -1 : 1))
    .map(({ was, chosen, id }) => {
      const from = was?.instructorId ?? null;
      if (!was || was.state === 'cancelled') return { id, chosen, from, was: null };
      const { day, starts, minutes, placeId } = was;
      return { id, chosen, from, was: { day, starts, minutes, placeId } };
    });
}

/** Calendar programs take a change by its sequence. */
async function changeMeetings(db: Db, which: Condition, to: ReturnType<typeof sql>): Promise<void> {
  await lockMeetings(db, which);
  await execute(db)`
    update meeting set ${to}, sequence = sequence + 1, changed_at = now() where ${which}`;
}

/** The class is approved: its proposed meetings take place. A constraint may refuse (23P01). */
export const bookMeetings = (db: Db, classId: string) =>
  changeMeetings(db, sql`class_id = ${classId} and state = 'proposed'`, sql`state = 'on'`);

/** The class is denied and nobody is enrolled: places and instructor are free again. */
export const freeMeetings = (db: Db, classIds: readonly string[]) =>
  changeMeetings(
    db,
    sql`state = 'on' and class_id in (
      select id from class where id = any (${classIds}::uuid[]) and sold = 0)`,
    sql`state = 'proposed'`,
  );

/** Cancels a class for good. What has not begun does not take place; who would have taught it? */
export async function callOff(db: Db, classId: string, told: string): Promise<string[]> {
  await execute(db)`
    update class set status = 'cancelled', cancelled_at = now(), cancel_note = ${told}, proposal = null,
      proposed_at = null, changed = '{}', updated_at = now()
    where id = ${classId}`;
  const which = sql<boolean>`class_id = ${classId} and state in ('proposed', 'on') and ${toCome}`;
  const teachers = await query<{ id: string }>(db)`
    select distinct instructor_id as id from meeting where ${which} order by 1`;
  await changeMeetings(db, which, sql`state = 'cancelled', told = ${told}`);
  return teachers.map(({ id }) => id);
}

/** A substitute leaves. Meetings that take place keep them here (leaving.ts refuses). */
export async function handBack(db: Db, substitute: string): Promise<void> {
  await lockMeetings(db, sql`instructor_id = ${substitute} and upper(during) > now()`);
  await execute(db)`update meeting set instructor_id = class.instructor_id, sequence = sequence + 1
    from class where class.id = meeting.class_id and class.instructor_id <> ${substitute}
      and meeting.instructor_id = ${substitute} and meeting.state <> 'on' and upper(meeting.during) > now()`;
}

const toCome = sql<boolean>`lower(during) > now()`;

export async function meetingsToCome(db: Db): Promise<number> {
  const rows = await query(db)`select from meeting where ${toCome} and state <> 'cancelled'`;
  return rows.length;
}

/** The new zone is written, and all classes are locked. The trigger of `meeting` computes the instants. */
export async function moveMeetings(db: Db, keep: 'clocks' | 'instants' | undefined) {
  const n = await meetingsToCome(db);
  if (n > 0 && !keep) refuseField('meetings', `is required: ${n} meetings are to come`);
  const local = sql`(lower(during) at time zone ${academyZone})`;
  const moment = keep === 'instants' ? sql`${local}::date, ${local}::time` : sql`day, starts`;
  await changeMeetings(db, toCome, sql`(day, starts) = row (${moment})`);
  return `; ${n} meetings keep their ${keep === 'instants' ? 'instants' : 'clock times'}`;
}

/** A meeting that has begun stays, and a place or an instructor has one at a time. */
export function refuseOverlap(error: unknown): never {
  if (!isConflict(error)) throw error;
  refuseField('timeZone', 'moves a meeting into another one: try again when none is under way');
}
