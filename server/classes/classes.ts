// Writes classes: instructors add and change them.
import type { Services } from '../platform/services.ts';
import { type AgeRange, agesFromWords, agesInWords } from '../../contract/people/ages.ts';
import { addClass, giveFeedback, updateClass } from '../../contract/classes/classes.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import type { MeetingInput } from '../../contract/classes/meetings.ts';
import { sql, type Db, queryOne } from '../platform/db/connection.ts';
import { type Act, changed, own, unchanged } from '../platform/db/write.ts';
import { fail, refuseField, refusing, unknownSport } from '../platform/http/fail.ts';
import type { Caller, Context } from '../platform/http/on.ts';
import { mayTeach } from '../people/users.ts';
import { examine } from './examine.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { tell, tellNewPlan } from './families.ts';
import { amount } from '../mail/common.ts';
import { mail } from '../mail/kinds.ts';
import { addMeetings, lockClass, lockPlan, teachersIn } from './meetings.ts';
import {
  byInstructor,
  type ClassRow,
  dropProposed,
  isReviewed,
  propose,
  proposedValues,
} from './proposals.ts';

export function classes(services: Services): void {
  const { on, db, write, writeAccounts, jobs } = services;

  on(addClass, ({ instructor: _fromAccount, status: _alwaysPending, ...given }, context) => {
    const { email, instructorId, ...input } = given;
    const { who } = context;
    if (who.role === 'admin')
      return add(input, context, instructorId ?? refuseField('instructorId', 'is required'));
    if (email !== undefined && email !== who.email) fail('EMAIL_MISMATCH', { field: 'email' });
    if (instructorId !== undefined && instructorId !== who.id)
      refuseField('instructorId', 'must be your own id');
    return add(input, context, who.id);
  });

  async function add(
    { meetings = [], price, seat, ...texts }: Added,
    { who, key, status }: Pick<Context<typeof addClass>, 'who' | 'key' | 'status'>,
    instructorId: string,
  ) {
    const isAdmin = who.role === 'admin';
    const ids = [instructorId, ...teachersIn(meetings)];
    const make = () =>
      writeAccounts(who, { ids, lock: 'key share' }, async (db, accounts) => {
        const instructor = accounts.find(({ id }) => id === instructorId);
        if (!instructor || !mayTeach(instructor))
          fail('NOT_AN_INSTRUCTOR', { field: 'instructorId' });
        if (meetings.length > 0) await lockPlan(db);
        const klass = await db
          .insertInto('class')
          .values({
            sport: anySport,
            ...texts,
            ...agesGiven(texts, noAges),
            instructorId,
            priceCents: price,
            capacity: seat,
            // What an admin makes, the office has seen.
            ...(isAdmin && { status: 'approved', proposedAt: null }),
            formKey: key ?? null,
          })
          .onConflict((found) =>
            found.columns(['instructorId', 'formKey']).where('formKey', 'is not', null).doNothing(),
          )
          .returning('id')
          .executeTakeFirst();
        if (!klass) {
          // Sent again, or the one of before was handed over meanwhile.
          const first = await queryOne<{ insertedId: string }>(db)`
            select id as inserted_id from class
            where instructor_id = ${instructorId} and form_key = ${key ?? null}`;
          if (!first) fail('NOT_FOUND');
          status(200);
          return { answer: first, unaudited: 'unchanged' };
        }
        const subject = { id: klass.id, instructorId };
        if (meetings.length > 0) await addDates(db, who, subject, { ...texts, meetings });
        const answer = { insertedId: klass.id };
        if (!isAdmin) return own(answer);
        // Ids, not names: the audit log is kept after an account is deleted.
        const detail = `for ${instructorId}`;
        return { answer, audit: { action: 'class added', subject: klass.id, detail } };
      });
    return refusingClashes(make, async () => {
      const subject = { id: null, instructorId };
      const { rows } = await examine(db, who, { subject, meetings });
      return clashesOf(db, who, { classId: null, wanted: rows });
    }).catch(refusing(unknownSport));
  }

  on(updateClass, (changes, { who }) =>
    write(who, (db) => change(db, who, changes, services)).catch(refusing(unknownSport)),
  );

  on(giveFeedback, ({ id, feedback }, { who }) =>
    write(who, async (db) => {
      const before = await lockClass(db, who, id);
      await db.updateTable('class').set({ feedback, changed: [] }).where('id', '=', id).execute();
      // The same words are mailed once.
      if (feedback && feedback !== before.feedback)
        await tell(db, jobs, who.id, mail('feedback', { to: before.instructorId, classId: id }));
      const detail = feedback.slice(0, 200);
      return changed({ action: 'class feedback', subject: id, detail });
    }),
  );
}

/** Of a class for which none was named: Other, or the last one of the list. */
const anySport = sql<string>`(select name from sport order by name = 'Other' desc, rank desc limit 1)`;

type Added = Omit<Parsed<typeof addClass>, 'instructorId' | 'instructor' | 'email' | 'status'>;

type Texts = Pick<Parsed<typeof addClass>, 'schedule' | 'place' | 'ages' | 'minAge' | 'maxAge'>;

/** The dates of a new class wait for its approval with it. */
async function addDates(
  db: Db,
  who: Caller,
  subject: { id: string; instructorId: string },
  { meetings, schedule, place }: Texts & { meetings: MeetingInput[] },
): Promise<void> {
  const { id } = subject;
  const { rows } = await examine(db, who, { subject, meetings });
  await addMeetings(
    db,
    id,
    rows.map((row) => Object.assign(row, { state: who.role === 'admin' ? 'on' : 'proposed' })),
  );
  const words = await queryOne<ClassRow>(db)`select * from class where id = ${id}`;
  if (words)
    refuseOtherWords(words, { schedule: schedule || undefined, place: place || undefined });
}

/** While a class has dates, the words of time and place are made from them. */
function refuseOtherWords(
  found: Pick<ClassRow, 'schedule' | 'place' | 'placeIds' | 'endsAt' | 'overAt'>,
  { schedule, place }: Texts,
): void {
  if (found.endsAt && !found.overAt && schedule !== undefined && schedule !== found.schedule)
    refuseField('schedule', 'is made from the dates of the class');
  if (found.placeIds.length > 0 && place !== undefined && place !== found.place)
    refuseField('place', 'is made from the dates of the class');
}

type Ages = AgeRange & { ages: string };
const noAges: Ages = { minAge: null, maxAge: null, ages: '' };

/** A new range makes new words; otherwise new words make a new range. */
function agesGiven({ minAge, maxAge, ages }: Texts, found: Ages): Partial<Ages> {
  const range = {
    minAge: minAge === undefined ? found.minAge : minAge,
    maxAge: maxAge === undefined ? found.maxAge : maxAge,
  };
  if ((range.minAge ?? 0) > (range.maxAge ?? Infinity))
    refuseField('maxAge', 'must not be less than minAge');
  if (range.minAge !== found.minAge || range.maxAge !== found.maxAge)
    return { ...range, ages: agesInWords(range) };
  return ages === undefined || ages === found.ages ? range : { ages, ...agesFromWords(ages) };
}

async function change(
  db: Db,
  who: Caller,
  { id, price, seat, partPrice, ...texts }: Parsed<typeof updateClass>,
  { jobs, config }: Services,
): Promise<Act<{ modifiedCount: number }>> {
  const found = await lockClass(db, who, id);
  if (found.status === 'cancelled') return unchanged;
  if (partPrice !== undefined && who.role !== 'admin')
    refuseField('partPrice', 'is decided by an admin');
  if (seat !== undefined && seat < found.held + found.sold)
    fail('SEATS_BELOW_SOLD', { field: 'seat' });
  refuseOtherWords(found, texts);
  const waits = who.role !== 'admin' && found.status === 'approved';
  const shown: ClassRow = waits ? { ...found, ...proposedValues(found) } : found;
  const ages = agesGiven(texts, shown);
  const fields = {
    ...texts,
    ...ages,
    ...(price && { priceCents: price }),
    ...(seat && { capacity: seat }),
    ...(partPrice !== undefined && { partPrice }),
  };
  const different = Object.entries(fields).filter(
    ([name, value]) => value !== shown[name as keyof ClassRow],
  );
  if (different.length === 0) return unchanged;
  const names = different.map(([name]) => name);
  const values = Object.fromEntries(different);
  if (waits) await propose(db, found, values);
  else {
    if (found.proposal) await dropProposed(db, found, names);
    await db
      .updateTable('class')
      .set({ ...values, updatedAt: sql`now()` })
      .$if(names.some(isReviewed), (query) => query.set({ version: sql`version + 1` }))
      .set(who.role === 'admin' ? {} : byInstructor(found, names))
      .where('id', '=', id)
      .execute();
    await tellNewPlan(db, jobs, found, values);
  }
  const told = different.map(([name, value]) => {
    if (name === 'priceCents')
      return `price ${amount(config, shown.priceCents)} → ${amount(config, Number(value))}`;
    if (name === 'partPrice') return `price of what is left ${value ? 'on' : 'off'}`;
    return name === 'capacity' ? `seats ${shown.capacity} → ${value}` : name;
  });
  const spoken = told.map(
    (name) => ({ minAge: 'ages', maxAge: 'ages', img: 'photo' })[name] ?? name,
  );
  const news = { to: found.instructorId, classId: id, changes: [...new Set(spoken)] };
  await tell(db, jobs, who.id, mail('class-changed', news));
  return changed({
    action: waits ? 'class change proposed' : 'class changed',
    subject: id,
    detail: `${found.name}: ${told.join(', ')}`,
  });
}
