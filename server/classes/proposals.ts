// What the coach of an approved class wants changed waits for the office, and the class stays on sale
// as it is (decision 34). Every writer has locked the class.
import { type Changeable, type Fact, facts } from '../../contract/classes/classes.ts';
import { type Db, type RowOf, sql, execute } from '../platform/db/connection.ts';
import type { Class } from '../platform/db/schema.ts';
import { fail } from '../platform/http/fail.ts';

export type ClassRow = RowOf<'class', keyof Class>;

export type Facts = Record<Fact, string>;

export const factsOf = (row: Facts): Facts =>
  Object.fromEntries(facts.map((fact) => [fact, row[fact]])) as Facts;

export const isReviewed = (name: string) => facts.some((fact) => fact === name);

type Field = Fact | 'minAge' | 'maxAge' | 'priceCents' | 'capacity';
type Proposal = Partial<Record<Field, { from: unknown; to: unknown }>>;

const proposalOf = ({ proposal }: Pick<ClassRow, 'proposal'>) => (proposal ?? {}) as Proposal;

export const proposedValues = (row: Pick<ClassRow, 'proposal'>): Partial<Pick<ClassRow, Field>> =>
  Object.fromEntries(Object.entries(proposalOf(row)).map(([field, { to }]) => [field, to]));

/** The words of the ages and their range are one: a part of them alone could make no sense. */
const ages = ['ages', 'minAge', 'maxAge'];

// The time is that of this statement, not of the transaction, which may have waited for the class:
// an approval names the proposal that was seen by it.
const handedIn = sql<Date>`clock_timestamp()`;

export function propose(db: Db, found: ClassRow, values: object) {
  const merged: Proposal = { ...proposalOf(found) };
  for (const [field, to] of Object.entries(values) as [Field, unknown][]) {
    const from = found[field];
    if (to === from) delete merged[field];
    else merged[field] = { from, to };
  }
  return keep(db, found.id, merged, handedIn);
}

/** Without a proposal the class waits only for its dates, or to be approved at all. */
const keep = (db: Db, id: string, proposal: Proposal, since = sql<Date>`proposed_at`) =>
  execute(
    db,
  )`update class set version = version + 1, proposal = nullif(${JSON.stringify(proposal)}::jsonb, '{}'),
    proposed_at = case when ${JSON.stringify(proposal)}::jsonb <> '{}' or status = 'pending'
      or exists (select from meeting where class_id = class.id and state = 'proposed') then ${since} end
    where id = ${id}`;

/** What an admin has changed, or what is made from the dates now, is proposed no more. */
export function dropProposed(db: Db, found: ClassRow, fields: readonly string[]) {
  const all = fields.some((field) => ages.includes(field)) ? [...fields, ...ages] : fields;
  const kept = Object.entries(proposalOf(found)).filter(([field]) => !all.includes(field));
  return keep(db, found.id, Object.fromEntries(kept));
}

export const dropProposal = (db: Db, { id }: ClassRow) => keep(db, id, {});

export function approved(found: ClassRow): Partial<Pick<ClassRow, Field>> {
  for (const [field, { from }] of Object.entries(proposalOf(found)))
    if (found[field as Field] !== from) fail('CLASS_CHANGED');
  const values = proposedValues(found);
  if ((values.capacity ?? found.capacity) < found.held + found.sold) fail('SEATS_BELOW_SOLD');
  return values;
}

const wireNames: Record<string, string> = {
  priceCents: 'price',
  capacity: 'seat',
  minAge: 'ages',
  maxAge: 'ages',
};

const inWire = (names: readonly string[]) => [
  ...new Set(names.map((name) => (wireNames[name] ?? name) as Changeable)),
];

/** What waits of it: changed since the last decision or feedback, or proposed. */
export const changesOf = (
  row: Pick<ClassRow, 'status' | 'changed' | 'proposal'>,
): { changed?: Changeable[] } => {
  const names = row.status === 'pending' ? row.changed : Object.keys(proposalOf(row));
  return names.length > 0 ? { changed: inWire(names) } : {};
};

/** Any change of a denied class hands it in again: the feedback may have been about its price. */
export function byInstructor(found: ClassRow, names: string[]) {
  // Only its dates come here, and wait beside it.
  if (found.status === 'approved') return { proposedAt: handedIn };
  const wasSeen = found.status !== 'pending' || found.feedback || found.changed.length > 0;
  return {
    ...(wasSeen && { changed: inWire([...found.changed, ...names]) }),
    ...(found.status === 'denied' && { status: 'pending', proposedAt: handedIn }),
  };
}
