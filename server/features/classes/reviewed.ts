// The facts of a class that an admin reviews, and which values the public sees while a change waits
// for approval.
import { type Fact, facts } from '../../../contract/classes.ts';
import { type RowOf, sql } from '../../db/connection.ts';
import type { Class } from '../../db/schema.ts';

export type ClassRow = RowOf<'class', keyof Class>;

export type Facts = Record<Fact, string>;

export const factsOf = (row: Facts): Facts =>
  Object.fromEntries(facts.map((fact) => [fact, row[fact]])) as Facts;

/**
 * A reviewed fact of the table `class` as SQL: the last approved value while the class is pending. A
 * fact that did not exist at the approval is empty.
 */
export const approvedFact = (fact: Fact) =>
  sql<string>`case when class.status = 'approved' or class.approved is null then ${sql.ref(`class.${fact}`)}
    else coalesce(class.approved ->> ${sql.lit(fact)}, '') end`;

/** These facts as columns of a SELECT, each under its own name. */
export const approvedFacts = (...chosen: Fact[]) =>
  sql.join(chosen.map((fact) => sql`${approvedFact(fact)} as ${sql.ref(fact)}`));

export const isReviewed = (name: string) => facts.some((fact) => fact === name);

/** Columns that an admin knows by other names. */
const wireNames: Record<string, string> = {
  priceCents: 'price',
  capacity: 'seat',
  minAge: 'ages',
  maxAge: 'ages',
};

/** An admin's change of an approved class needs no approval. */
export const byAdmin = (found: ClassRow, after: ClassRow) =>
  found.status === 'approved' ? { approved: JSON.stringify(factsOf(after)) } : {};

/**
 * A new name, photo or text of an approved class is reviewed again. Any change of a denied class
 * submits it again, because the feedback may have been about its price.
 */
export function byInstructor(found: ClassRow, names: string[]) {
  const wasSeen =
    found.status !== 'pending' || found.approved || found.feedback || found.changed.length > 0;
  const wire = names.map((name) => wireNames[name] ?? name);
  const again =
    found.status === 'denied' || (found.status === 'approved' && names.some(isReviewed));
  return {
    ...(wasSeen && { changed: [...new Set([...found.changed, ...wire])] }),
    ...(again && { status: 'pending', handedInAt: sql<Date>`now()` }),
    ...(found.status === 'approved' &&
      !found.approved && { approved: JSON.stringify(factsOf(found)) }),
  };
}
