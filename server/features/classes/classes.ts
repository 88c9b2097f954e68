// Writes classes: instructors add and change them. Not for: reading classes (catalogue.ts),
// approving and denying them (decisions.ts).
import { type AgeRange, agesFromWords, agesInWords } from '../../../contract/ages.ts';
import { addClass, giveFeedback, updateClass } from '../../../contract/classes.ts';
import type { Parsed } from '../../../contract/call.ts';
import type { MeetingInput } from '../../../contract/meetings.ts';
import { dollars } from '../../../contract/rules.ts';
import { type Database, sql, type Db } from '../../db/connection.ts';
import { fail, refuseField } from '../../http/fail.ts';
import type { Caller, On } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { lockCaller } from '../people/users.ts';
import { examine } from './examine.ts';
import { createTell, type Mailing, type Tell } from './families.ts';
import { addMeetings, lockClass, lockPlan } from './meetings.ts';
import { byAdmin, byInstructor, type ClassRow, factsOf, isReviewed } from './reviewed.ts';

type Deps = { on: On } & Mailing & Pick<Database, 'db' | 'transaction'>;

export function classes({ on, db, transaction, jobs, config }: Deps): void {
  const tell = createTell({ jobs, config });

  on(addClass, async ({ meetings = [], ...input }, { who, key = null, status }) => {
    const {
      price,
      seat,
      email,
      instructor: _fromAccount,
      status: _alwaysPending,
      ...texts
    } = input;
    if (email !== undefined && email !== who.email) fail('EMAIL_MISMATCH', { field: 'email' });
    const added = await transaction(async (db) => {
      if (meetings.length > 0) await lockPlan(db);
      const klass = await db
        .insertInto('class')
        .values({
          ...texts,
          ...agesGiven(texts, noAges),
          instructorId: who.id,
          instructor: await lockCaller(db, who),
          priceCents: price,
          capacity: seat,
          formKey: key,
        })
        .onConflict((found) =>
          found.columns(['instructorId', 'formKey']).where('formKey', 'is not', null).doNothing(),
        )
        .returning('id')
        .executeTakeFirst();
      if (klass && meetings.length > 0) await propose(db, who, klass.id, { ...texts, meetings });
      return klass;
    });
    if (added) return { insertedId: added.id };
    const first = await db
      .selectFrom('class')
      .select('id')
      .where('instructorId', '=', who.id)
      .where('formKey', '=', key)
      .executeTakeFirst();
    if (!first) fail('NOT_FOUND'); // handed over to another instructor meanwhile
    status(200);
    return { insertedId: first.id };
  });

  on(updateClass, (changes, { who }) => transaction((db) => change(db, who, changes, tell)));

  on(giveFeedback, ({ id, feedback }, { who }) =>
    transaction(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('class')
        .set({ feedback, changed: [] })
        .where('id', '=', id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) fail('NOT_FOUND');
      await audit(db, {
        actorId: who.id,
        action: 'class feedback',
        subject: id,
        detail: feedback.slice(0, 200),
      });
      return { modifiedCount: 1 };
    }),
  );
}

type Texts = Pick<Parsed<typeof addClass>, 'schedule' | 'place' | 'ages' | 'minAge' | 'maxAge'>;

/** The dates of a new class wait for its approval. */
async function propose(
  db: Db,
  who: Caller,
  id: string,
  { meetings, schedule, place }: Texts & { meetings: MeetingInput[] },
): Promise<void> {
  const subject = { id, instructorId: who.id };
  const { rows } = await examine(db, who, { subject, meetings });
  await addMeetings(
    db,
    id,
    rows.map((row) => Object.assign(row, { state: 'proposed' })),
  );
  const words = await db
    .selectFrom('class')
    .select(['schedule', 'place', 'placeIds', 'endsAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  refuseOtherWords(words, { schedule: schedule || undefined, place: place || undefined });
}

/** While a class has dates, the words of time and place are made from them. */
function refuseOtherWords(
  found: Pick<ClassRow, 'schedule' | 'place' | 'placeIds' | 'endsAt'>,
  { schedule, place }: Texts,
): void {
  if (found.endsAt && schedule !== undefined && schedule !== found.schedule)
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
  { id, price, seat, ...texts }: Parsed<typeof updateClass>,
  tell: Tell,
) {
  const found = await lockClass(db, who, id);
  if (seat !== undefined && seat < found.held + found.sold)
    fail('SEATS_BELOW_SOLD', { field: 'seat' });
  refuseOtherWords(found, texts);
  const ages = agesGiven(texts, found);
  const fields = {
    ...texts,
    ...ages,
    ...(price && { priceCents: price }),
    ...(seat && { capacity: seat }),
  };
  const changed = Object.entries(fields).filter(
    ([name, value]) => value !== found[name as keyof ClassRow],
  );
  if (changed.length === 0) return { modifiedCount: 0 };
  const names = changed.map(([name]) => name);
  const after = { ...found, ...Object.fromEntries(changed) };
  await db
    .updateTable('class')
    .set({ ...Object.fromEntries(changed), updatedAt: sql`now()` })
    .$if(names.some(isReviewed), (query) => query.set({ version: sql`version + 1` }))
    .set(who.role === 'admin' ? byAdmin(found, after) : byInstructor(found, names))
    .where('id', '=', id)
    .execute();
  if (who.role === 'admin' && found.status === 'approved')
    await tell(db, id, factsOf(found), factsOf(after));
  const told = changed.map(([name, value]) => {
    if (name === 'priceCents')
      return `price ${dollars(found.priceCents)} → ${dollars(Number(value))}`;
    return name === 'capacity' ? `seats ${found.capacity} → ${value}` : name;
  });
  const detail = `${found.name}: ${told.join(', ')}`;
  await audit(db, { actorId: who.id, action: 'class changed', subject: id, detail });
  return { modifiedCount: 1 };
}
