// Writing classes: instructors add and change them, admins decide. Reading them stands in catalogue.ts.
import {
  addClass,
  approveClass,
  type ClassStatus,
  denyClass,
  giveFeedback,
  updateClass,
} from '../../contract/classes.ts';
import type { Parsed } from '../../contract/call.ts';
import { dollars } from '../../contract/rules.ts';
import { type Database, raw, type Sql } from '../db/connection.ts';
import type { Jobs } from '../db/jobs.ts';
import { fail } from '../http/fail.ts';
import type { Caller, On } from '../http/on.ts';
import { audit } from './audit.ts';

type Deps = { on: On; jobs: Pick<Jobs, 'send'> } & Pick<Database, 'sql' | 'transaction'>;

export function classes({ on, sql, transaction, jobs }: Deps): void {
  on(addClass, async ({ price, seat, email, instructor: _fromAccount, status: _alwaysPending, ...texts }, { who }) => {
    if (email !== undefined && email !== who.email) fail('EMAIL_MISMATCH', { field: 'email' });
    const { id } = await sql
      .insertInto('class')
      .values({ ...texts, instructorId: who.id, instructor: who.name, priceCents: price, capacity: seat })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { insertedId: id };
  });

  on(updateClass, (changes, { who }) => transaction((sql) => change(sql, who, changes)));

  on(approveClass, ({ id }, { who }) => transaction((sql) => decide(sql, who, id, 'approved')));

  on(denyClass, ({ id }, { who }) =>
    transaction(async (sql) => {
      const decided = await decide(sql, who, id, 'denied');
      // Seats that are being paid for are given up by a job: cancelling at the card provider is no work for a transaction.
      if (decided.modifiedCount > 0) await jobs.send(sql, 'class-denied', { classId: id });
      return decided;
    }),
  );

  on(giveFeedback, ({ id, feedback }, { who }) =>
    transaction(async (sql) => {
      const { numUpdatedRows } = await sql
        .updateTable('class')
        .set({ feedback })
        .where('id', '=', id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) fail('NOT_FOUND');
      await audit(sql, { actorId: who.id, action: 'class feedback', subject: id, detail: feedback.slice(0, 200) });
      return { modifiedCount: 1 };
    }),
  );
}

/** Someone else's class is as unknown as one that does not exist. */
async function change(sql: Sql, who: Caller, { id, price, seat, ...texts }: Parsed<typeof updateClass>) {
  const found = await sql
    .selectFrom('class')
    .selectAll()
    .where('id', '=', id)
    .$if(who.role !== 'admin', (query) => query.where('instructorId', '=', who.id))
    .forUpdate()
    .executeTakeFirst();
  if (!found) fail('NOT_FOUND');
  if (seat !== undefined && seat < found.held + found.sold) fail('SEATS_BELOW_SOLD', { field: 'seat' });
  const fields = { ...texts, ...(price && { priceCents: price }), ...(seat && { capacity: seat }) };
  const changed = Object.entries(fields).filter(([name, value]) => value !== found[name as keyof typeof found]);
  if (changed.length === 0) return { modifiedCount: 0 };
  // What an admin approved was this name, this picture and these words: new ones from the instructor are looked at again.
  const reworded = changed.some(([name]) => name !== 'priceCents' && name !== 'capacity');
  const again = reworded && found.status === 'approved' && who.role !== 'admin';
  await sql
    .updateTable('class')
    .set({ ...Object.fromEntries(changed), ...(again && { status: 'pending' }), updatedAt: raw`now()` })
    .where('id', '=', id)
    .execute();
  const told = changed.map(([name, value]) => {
    if (name === 'priceCents') return `price ${dollars(found.priceCents)} → ${dollars(Number(value))}`;
    return name === 'capacity' ? `seats ${found.capacity} → ${value}` : name;
  });
  const detail = `${found.name}: ${told.join(', ')}`;
  await audit(sql, { actorId: who.id, action: 'class changed', subject: id, detail });
  return { modifiedCount: 1 };
}

async function decide(sql: Sql, who: Caller, id: string, status: ClassStatus) {
  const found = await sql
    .selectFrom('class')
    .select(['name', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) fail('NOT_FOUND');
  if (found.status === status) return { modifiedCount: 0 };
  await sql
    .updateTable('class')
    .set({ status, updatedAt: raw`now()` })
    .where('id', '=', id)
    .execute();
  await audit(sql, { actorId: who.id, action: `class ${found.status} → ${status}`, subject: id, detail: found.name });
  return { modifiedCount: 1 };
}
