// Writes classes: instructors add and change them, admins approve and deny. Not for: reading
// classes (catalogue.ts).
import {
  addClass,
  approveClass,
  denyClass,
  giveFeedback,
  updateClass,
  facts as reviewedFacts,
} from '../../../contract/classes.ts';
import type { Parsed } from '../../../contract/call.ts';
import { deletedDomain, dollars } from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Database, sql, type Db, type RowOf } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import type { Class } from '../../db/schema.ts';
import { fail } from '../../http/fail.ts';
import type { Caller, On } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { newPlanMail } from '../mails.ts';
import { lockCaller } from '../people/users.ts';
import { type Facts, factsOf } from './reviewed.ts';

type Deps = {
  on: On;
  jobs: Pick<Jobs, 'send' | 'sendAll'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
} & Pick<Database, 'db' | 'transaction'>;

export function classes({ on, db, transaction, jobs, config }: Deps): void {
  const tell = createTell({ jobs, config });

  on(addClass, async (input, { who, key = null, status }) => {
    const {
      price,
      seat,
      email,
      instructor: _fromAccount,
      status: _alwaysPending,
      ...texts
    } = input;
    if (email !== undefined && email !== who.email) fail('EMAIL_MISMATCH', { field: 'email' });
    const added = await transaction(async (db) =>
      db
        .insertInto('class')
        .values({
          ...texts,
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
        .executeTakeFirst(),
    );
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

  on(approveClass, ({ id, version }, { who }) =>
    transaction((db) => decide(db, who, { id, status: 'approved', version }, tell)),
  );

  on(denyClass, ({ id }, { who }) =>
    transaction(async (db) => {
      const decided = await decide(db, who, { id, status: 'denied' }, tell);
      // A job releases the seats that are being paid for: we cannot call the card provider inside a
      // transaction.
      if (decided.modifiedCount > 0) await jobs.send(db, 'class-denied', { classId: id });
      return decided;
    }),
  );

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

type ClassRow = RowOf<'class', keyof Class>;

/** Another instructor's class is answered like one that does not exist. */
async function change(
  db: Db,
  who: Caller,
  { id, price, seat, ...texts }: Parsed<typeof updateClass>,
  tell: Tell,
) {
  const found = await db
    .selectFrom('class')
    .selectAll()
    .where('id', '=', id)
    .$if(who.role !== 'admin', (query) => query.where('instructorId', '=', who.id))
    .forUpdate()
    .executeTakeFirst();
  if (!found) fail('NOT_FOUND');
  if (seat !== undefined && seat < found.held + found.sold)
    fail('SEATS_BELOW_SOLD', { field: 'seat' });
  const fields = { ...texts, ...(price && { priceCents: price }), ...(seat && { capacity: seat }) };
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

async function decide(
  db: Db,
  who: Caller,
  {
    id,
    status,
    version,
  }: { id: string; status: 'approved' | 'denied'; version?: number | undefined },
  tell: Tell,
) {
  const found = await db
    .selectFrom('class')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) fail('NOT_FOUND');
  if (version !== undefined && version !== found.version) fail('CLASS_CHANGED');
  if (found.status === status) return { modifiedCount: 0 };
  const facts = factsOf(found);
  await db
    .updateTable('class')
    .set({ status, changed: [], updatedAt: sql`now()` })
    .$if(status === 'approved', (query) => query.set({ approved: JSON.stringify(facts) }))
    .where('id', '=', id)
    .execute();
  if (status === 'approved' && found.approved) await tell(db, id, found.approved as Facts, facts);
  await audit(db, {
    actorId: who.id,
    action: `class ${found.status} → ${status}`,
    subject: id,
    detail: found.name,
  });
  return { modifiedCount: 1 };
}

/** Mails the enrolled students when time or place changed. */
type Tell = (db: Db, classId: string, before: Facts, after: Facts) => Promise<void>;

const createTell =
  ({ jobs, config }: Pick<Deps, 'jobs' | 'config'>): Tell =>
  async (db, classId, before, after) => {
    if (before.schedule === after.schedule && before.place === after.place) return;
    const enrolled = await db
      .selectFrom('enrolment')
      .innerJoin('user', 'user.id', 'enrolment.studentId')
      .select(['user.email', 'user.name'])
      .distinct()
      .where('enrolment.classId', '=', classId)
      .where('enrolment.state', '=', 'active')
      // Deleted accounts keep their seat but have no address.
      .where('user.email', 'not like', `%${deletedDomain}`)
      .execute();
    await jobs.sendAll(
      db,
      'send-mail',
      enrolled.map((student) => newPlanMail(config, student, { before, after })),
    );
  };
