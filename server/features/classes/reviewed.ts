// The facts of a class that an admin reviews, and which values the public sees while a change waits
// for approval.
import { sql } from '../../db/connection.ts';

export const reviewedFacts = [
  'name',
  'img',
  'sport',
  'description',
  'ages',
  'schedule',
  'place',
] as const;
export type ReviewedFact = (typeof reviewedFacts)[number];
export type Facts = Record<ReviewedFact, string>;

export const factsOf = (row: Facts): Facts => {
  const { name, img, sport, description, ages, schedule, place } = row;
  return { name, img, sport, description, ages, schedule, place };
};

/**
 * A reviewed fact of the table `class` as SQL: the last approved value while the class is pending.
 */
export const approvedFact = (fact: ReviewedFact) =>
  sql<string>`case when class.status = 'approved' then ${sql.ref(`class.${fact}`)}
    else coalesce(class.approved ->> ${sql.lit(fact)}, ${sql.ref(`class.${fact}`)}) end`;

/** These facts as columns of a SELECT, each under its own name. */
export const approvedFacts = (...facts: ReviewedFact[]) =>
  sql.join(facts.map((fact) => sql`${approvedFact(fact)} as ${sql.ref(fact)}`));
