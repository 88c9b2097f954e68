// The facts of a class that an admin reviews, and which values the public sees while a change waits
// for approval.
import { type Fact, facts } from '../../../contract/classes.ts';
import { sql } from '../../db/connection.ts';

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
