// Care facts of participants. Only this file seals and opens them, bound to the id of the participant
// (server/platform/sealed.ts).
import type { Some } from '../platform/services.ts';
import {
  type Care,
  type CareFacts,
  type CareState,
  noCare,
  readCare,
  writeCare,
} from '../../contract/people/care.ts';
import { limits } from '../../contract/platform/limits.ts';
import type { CareKey } from '../platform/config.ts';
import { type Db, execute, query, type RowOf, sql } from '../platform/db/connection.ts';
import type { Condition } from '../platform/db/lists.ts';
import { own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { seal as sealText, unseal } from '../platform/sealed.ts';
import { isGuardian } from './participants.ts';

type Log = { warn(about: object, message: string): void };

/**
 * Opens the care facts of these participants, or of all whom an account looks after; those who have
 * none are not in the map.
 */
export type OpenCare = (
  db: Db,
  /** `only`: a condition on `care`. */
  whose: { ids: readonly string[]; only?: Condition } | { guardianId: string },
) => Promise<Map<string, CareFacts>>;

export interface CareBox {
  openCare: OpenCare;
  /** Seals documents of older keys with the newest one. Returns how many it sealed. */
  reseal: (atMost: number) => Promise<number>;
}

export function care({
  on,
  db,
  write,
  config,
  log,
}: Some<'on' | 'db' | 'write' | 'log', 'careKeys'>): CareBox {
  const keys = config.careKeys;
  const openRow = opener(keys, log);

  const openCare: OpenCare = async (db, whose) => {
    const chosen =
      'ids' in whose
        ? sql`care.participant_id = any (${whose.ids}::uuid[]) and ${whose.only ?? sql`true`}`
        : isGuardian(whose.guardianId, sql.ref('care.participant_id'));
    const rows = await query<Row>(db)`select ${columns} from care where ${chosen}`;
    return new Map(rows.map((row) => [row.participantId, openRow(row)]));
  };

  on(readCare, ({ id }, { who }) =>
    write(who, async (db) => {
      const { mine, ...stored } = await readable(db, who, id);
      const answer = stored.participantId === null ? nothing : openRow(stored);
      // An admin who cannot be written to the log reads nothing.
      return mine
        ? own(answer)
        : { answer, audit: { action: 'allergies and contacts read', subject: id } };
    }),
  );

  on(writeCare, ({ id, seen, ...facts }, { who }) =>
    write(who, async (db) => {
      // Waits for the erasure of the participant, and for a guardian who is being removed.
      await execute(db)`select from participant where id = ${id} for key share`;
      if (!(await readable(db, who, id)).mine) fail('NOT_FOUND');
      const { sealed, key } = seal(keys, id, facts);
      // The clock is read after the lock: now() is the time at which the transaction began.
      const count = await execute(db)`
        insert into care (participant_id, sealed, key, confirmed_by, confirmed_at)
        values (${id}, ${sealed}, ${key}, ${who.id}, clock_timestamp())
        on conflict (participant_id) do update set sealed = excluded.sealed, key = excluded.key,
          confirmed_at = clock_timestamp(), confirmed_by = excluded.confirmed_by, warned_at = null
        where ${isAsSeen(seen)}`;
      if (count === 0) fail('CARE_CHANGED');
      return own({ modifiedCount: 1 });
    }),
  );

  return { openCare, reseal: (atMost) => resealOld(db, { keys, log }, atMost) };
}

/** The stored facts are those that were seen. A JSON time has no microseconds. */
const isAsSeen = (seen: string | null | undefined) =>
  seen === undefined
    ? sql`true`
    : sql`abs(extract(epoch from care.confirmed_at - ${seen}::timestamptz)) < 0.002`;

const nothing: CareFacts = { ...noCare, state: 'none', confirmedAt: null };

type Stored = RowOf<'care', 'participantId' | 'sealed' | 'key'>;
type Row = Stored & RowOf<'care', 'confirmedAt'> & { state: CareState };

/** For a query in which `care` may be joined from the left. */
export const careState = sql<Exclude<CareState, 'unreadable'>>`case
  when care.participant_id is null then 'none'
  when care.confirmed_at < now() - make_interval(months => ${sql.lit(limits.care.monthsUntilOld)}) then 'old'
  else 'filled' end`;

const columns = sql`care.participant_id, care.sealed, care.key, care.confirmed_at, ${careState} as state`;

type Readable = { mine: boolean } & (Row | { participantId: null });

/**
 * The care facts, if any, of a participant, and whether the caller may write them. In one statement:
 * a guardian who is removed between two would read what others write after that.
 */
async function readable(db: Db, who: Caller, id: string): Promise<Readable> {
  const guarded = isGuardian(who.id, sql.ref('participant.id'));
  const rows = await query<Readable>(db)`
    select ${guarded} as mine, ${columns} from participant
    left join care on care.participant_id = participant.id
    where id = ${id} and erased_at is null and (${who.role === 'admin'} or ${guarded})`;
  return rows[0] ?? fail('NOT_FOUND');
}

const boundTo = (participantId: string) => `care:${participantId}`;

export function seal(
  keys: readonly CareKey[],
  participantId: string,
  facts: Care,
): Pick<Stored, 'sealed' | 'key'> {
  const [newest] = keys;
  if (!newest) throw new Error('There is no key for care facts');
  const sealed = sealText(newest.key, boundTo(participantId), JSON.stringify(facts));
  return { sealed, key: newest.id };
}

/** Null when the document does not open: another key, another participant, damaged bytes. */
export function open(
  keys: readonly CareKey[],
  { participantId, sealed, key: id }: Stored,
): Care | null {
  const key = keys.find((known) => known.id === id)?.key;
  const text = key ? unseal(key, boundTo(participantId), sealed) : null;
  return text === null ? null : { ...noCare, ...(JSON.parse(text) as Partial<Care>) };
}

const opener =
  (keys: readonly CareKey[], log: Log) =>
  (row: Row): CareFacts => {
    const facts = open(keys, row);
    const confirmedAt = row.confirmedAt.toISOString();
    if (facts) return { ...facts, state: row.state, confirmedAt };
    log.warn({ participantId: row.participantId, key: row.key }, 'care facts cannot be opened');
    return { ...noCare, state: 'unreadable', confirmedAt };
  };

/** Documents that do not open stay as they are: the right key may be given later. */
async function resealOld(
  db: Db,
  { keys, log }: { keys: readonly CareKey[]; log: Log },
  atMost: number,
): Promise<number> {
  const older = keys.slice(1).map(({ id }) => id);
  let [done, unreadable, after] = [0, 0, '00000000-0000-0000-0000-000000000000'];
  while (older.length > 0 && done < atMost) {
    const rows = await query<Stored>(db)`
      select participant_id, sealed, key from care
      where key = any (${older}::smallint[]) and participant_id > ${after}::uuid
      order by participant_id limit ${atMost - done}`;
    if (rows.length === 0) break;
    for (const row of rows) {
      after = row.participantId;
      const facts = open(keys, row);
      if (!facts) {
        unreadable++;
        continue;
      }
      const { sealed, key } = seal(keys, row.participantId, facts);
      // Not what a guardian has written meanwhile.
      const count = await execute(db)`
        update care set sealed = ${sealed}, key = ${key}
        where participant_id = ${row.participantId} and sealed = ${row.sealed}`;
      done += count;
    }
  }
  if (unreadable > 0) log.warn({ unreadable }, 'care facts of older keys cannot be opened');
  return done;
}
