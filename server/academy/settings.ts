// GET and PATCH /academy: the settings of the academy. Every change is audited with before and
// after.
import type { Services } from '../platform/services.ts';
import {
  type Academy,
  type AcademyField,
  academyRules,
  changeAcademy,
  readAcademy,
} from '../../contract/academy/academy.ts';
import { colourProblem, type Colours, ownColours } from '../../contract/platform/contrast.ts';
import type { Config } from '../platform/config.ts';
import { type Db, execute, exists, query, sql } from '../platform/db/connection.ts';
import type { Act } from '../platform/db/write.ts';
import { fail, refuseField, refusing } from '../platform/http/fail.ts';
import { lockPlan, meetingsToCome, moveMeetings, refuseOverlap } from '../classes/meetings.ts';
import type { Parsed } from '../../contract/platform/call.ts';

type Simple = Exclude<AcademyField, 'sports'>;
const simple = Object.keys(academyRules).filter((field): field is Simple => field !== 'sports');

const columnOf = (field: Simple) =>
  sql.ref(field === 'primary' || field === 'accent' ? `${field}_colour` : field);

export function settings({ on, db, write, academy, config }: Services): void {
  on(readAcademy, async () => {
    const [{ version, row }, sports, currencyStays, toCome] = await Promise.all([
      readRow(db, config.brand),
      query<Academy['sports'][number]>(db)`
        select name, icon, exists (select from class where class.sport = sport.name)
          or exists (select from discount where discount.sport = sport.name) as used
        from sport order by rank, name`,
      // As the trigger currency_stays asks: a payment, or a basket that can be paid.
      exists(db)`select where exists (select from payment)
        or exists (select from basket where state in ('open', 'closing'))`,
      meetingsToCome(db),
    ]);
    return {
      ...row,
      version,
      meetingsToCome: toCome,
      currencyStays,
      sports,
    };
  });

  on(changeAcademy, async ({ version, sports, meetings, ...wanted }, { who }) => {
    if (wanted.timeZone) await refuseUnknownZone(db, wanted.timeZone);
    const work = async (db: Db): Promise<Act<{ modifiedCount: number; version: number }>> => {
      if (wanted.timeZone) await lockPlan(db);
      const found = await readRow(db, config.brand, sql`for update`);
      if (found.version !== version) {
        const since = Object.entries(found.changed).filter(([, at]) => at > version);
        fail('ACADEMY_CHANGED', { changed: since.map(([field]) => field) });
      }
      const changes = Object.entries(wanted).filter(
        // A currency that is only the default is not set yet.
        ([field, value]) =>
          !same(value, found.row[field as Simple]) || (field === 'currency' && !found.hasCurrency),
      ) as [Simple, unknown][];
      refuseBad({ ...found.row, ...wanted }, changes, config);
      await store(db, changes);
      const isMove = changes.some(([field]) => field === 'timeZone');
      // The trigger of `meeting` writes them.
      if (isMove) await execute(db)`select from class order by id for no key update`;
      const moved = isMove ? await moveMeetings(db, meetings) : '';
      const lists = sports ? await changeSports(db, sports) : null;
      const fields = [...changes.map(([field]) => field), ...(lists ? ['sports'] : [])];
      if (fields.length === 0)
        return { answer: { modifiedCount: 0, version }, unaudited: 'unchanged' };
      await raiseVersion(db, version + 1, fields);
      const details = changes.map(
        ([field, value]) =>
          `${field}: ${shown(found.row[field])} → ${shown(value)}${field === 'timeZone' ? moved : ''}`,
      );
      if (lists) details.push(lists);
      return {
        answer: { modifiedCount: 1, version: version + 1 },
        audit: details.map((detail) => ({
          action: 'settings changed',
          subject: 'academy',
          detail,
        })),
      };
    };
    const answer = await write(who, work).catch(refuseOverlap).catch(refused);
    academy.forget();
    return answer;
  });
}

type Row = Pick<Academy, Simple>;

async function readRow(db: Db, brand: string, lock = sql``) {
  const stored = simple.map((field) => sql`${columnOf(field)} as ${sql.ref(field)}`);
  const [found] = await query<
    { [field in Simple]: Row[field] | null } & {
      version: number;
      changed: Record<string, number>;
    }
  >(db)`select version, changed, ${sql.join(stored)} from academy ${lock}`;
  if (!found) throw new Error('The database has no row of the academy');
  const { version, changed, currency } = found;
  const unset: Partial<Row> = {
    name: brand,
    currency: 'usd',
    timeZone: 'UTC',
    banners: [null, null, null, null],
    sponsors: [],
    faq: [],
  };
  const row = Object.fromEntries(
    simple.map((field) => [field, found[field] ?? unset[field] ?? '']),
  ) as Row;
  return { version, changed, row, hasCurrency: currency !== null };
}

async function refuseUnknownZone(db: Db, zone: string): Promise<void> {
  const rows = await query(db)`select from pg_timezone_names where name = ${zone}`;
  if (rows.length === 0) refuseField('timeZone', 'is a time zone that the database does not know');
}

/** What depends on several settings, or on how the server runs. */
function refuseBad(
  row: Pick<Row, 'email'> & Colours,
  changes: readonly (readonly [Simple, unknown])[],
  { production }: Pick<Config, 'production'>,
): void {
  const changed = new Set(changes.map(([field]) => field));
  if (production && changed.has('email') && !row.email) refuseField('email', 'must not be empty');
  if (!changed.has('primary') && !changed.has('accent')) return;
  const bad = colourProblem({
    primary: row.primary || ownColours.primary,
    accent: row.accent || ownColours.accent,
  });
  if (bad) refuseField(bad.field, bad.problem);
}

/** Before the classes of renamed sports: a new currency waits for baskets (docs/locking.md). */
async function store(db: Db, changes: readonly (readonly [Simple, unknown])[]): Promise<void> {
  if (changes.length === 0) return;
  const set = changes.map(([field, value]) => sql`${columnOf(field)} = ${inDatabase(value)}`);
  await execute(db)`update academy set ${sql.join(set)}`;
}

const sportInUse = () => fail('SPORT_IN_USE', { field: 'sports' });
const refused = refusing({
  academy_currency_stays: () => fail('CURRENCY_STAYS', { field: 'currency' }),
  // The database has other rules of small letters than JavaScript, for Σ and İ above all.
  sport_name: () => refuseField('sports', 'must not name a sport twice'),
  class_sport_known: sportInUse,
  discount_sport_known: sportInUse,
});

async function raiseVersion(db: Db, version: number, fields: readonly string[]): Promise<void> {
  const marks = JSON.stringify(Object.fromEntries(fields.map((field) => [field, version])));
  await execute(db)`update academy set version = ${version}, changed = changed || ${marks}::jsonb`;
}

const inDatabase = (value: unknown) =>
  typeof value === 'string' ? value || null : sql`${JSON.stringify(value)}::jsonb`;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Of a long text its beginning: the log is for reading. */
function shown(value: unknown): string {
  const words = typeof value === 'string' ? value.replaceAll('\n', ' ') : JSON.stringify(value);
  if (!words) return '–';
  return words.length > 300 ? `${words.slice(0, 300)}… (${words.length} characters)` : words;
}

type Sports = NonNullable<Parsed<typeof changeAcademy>['sports']>;

/**
 * Under the lock of the academy's row: one change at a time. Says what changed; null: the list is
 * the same.
 */
async function changeSports(db: Db, wanted: Sports): Promise<string | null> {
  const found = await query<Sport>(db)`select name, icon from sport order by rank, name`;
  const before = named(found);
  refuseUnknown(wanted, new Set(found.map(({ name }) => name)));
  const kept = new Set(wanted.map(({ was, name }) => was ?? name));
  const renamed = wanted.filter(({ was, name }) => was !== undefined && was !== name);
  if (before === named(wanted) && renamed.length === 0) return null;
  await lockClassesOf(db, renamed);
  // Removed first: a new name may be one that was given up.
  const removed = found.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
  if (removed.length > 0) await execute(db)`delete from sport where name = any (${removed})`;
  await rename(db, renamed);
  for (const [rank, { name, icon }] of wanted.entries())
    await execute(db)`insert into sport (name, icon, rank) values (${name}, ${icon}, ${rank})
      on conflict (name) do update set icon = excluded.icon, rank = excluded.rank`;
  const after = [named(wanted), ...renamed.map(({ was, name }) => `${was} is now ${name}`)];
  return `sports: ${before} → ${after.join('; ')}`;
}

type Sport = Pick<Sports[number], 'name' | 'icon'>;
const named = (list: readonly Sport[]) =>
  list.map(({ name, icon }) => `${name} (${icon})`).join(', ');

function refuseUnknown(wanted: Sports, known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const [at, { name, was }] of wanted.entries()) {
    const origin = was ?? name;
    if (was !== undefined && !known.has(was))
      refuseField(`sports.${at}.was`, 'is not a sport of the academy');
    if (known.has(origin) && seen.has(origin))
      refuseField(`sports.${at}.was`, 'is in the list already');
    seen.add(origin);
  }
}

/** Before the sports (docs/locking.md): who changes the sport of a class has locked the class. */
async function lockClassesOf(db: Db, renamed: Sports): Promise<void> {
  const names = renamed.map(({ was }) => was);
  if (names.length > 0)
    await execute(db)`select from class where sport = any (${names}) or proposal ? 'sport'
      order by id for update`;
}

async function rename(db: Db, renamed: Sports): Promise<void> {
  if (renamed.length === 0) return;
  // Two sports may swap their names: by number first.
  for (const [at, { was }] of renamed.entries())
    await execute(db)`update sport set name = ${`\u0001${at}`} where name = ${was}`;
  for (const [at, { name }] of renamed.entries())
    await execute(db)`update sport set name = ${name} where name = ${`\u0001${at}`}`;
  // Also in what is proposed. One statement: nothing is renamed twice.
  await execute(db)`update class set proposal = jsonb_set(proposal, '{sport}', (
      select jsonb_object_agg(key, coalesce(map.name, value))
      from jsonb_each_text(proposal -> 'sport') left join unnest(${renamed.map(({ was }) => was)}::text[],
        ${renamed.map(({ name }) => name)}::text[]) map (was, name) on map.was = value))
    where proposal ? 'sport'`;
}
