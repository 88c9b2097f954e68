// GET and PATCH /academy: the settings of the academy. Every change is audited with before and
// after.
import type { Services } from '../platform/services.ts';
import { changeAcademy, readAcademy, type Academy } from '../../contract/academy/academy.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { type Colours, colourProblem, ownColours } from '../../contract/platform/contrast.ts';
import type { Config } from '../platform/config.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import type { Act } from '../platform/db/write.ts';
import { fail, refuseField, refusing } from '../platform/http/fail.ts';
import { lockPlan } from '../classes/meetings.ts';
import { changeSports } from './sports.ts';
import { meetingsToCome, moveMeetings, refuseOverlap } from '../classes/zone.ts';

type Change = Parsed<typeof changeAcademy>;
type Simple = Exclude<keyof Change, 'version' | 'sports' | 'meetings'>;

/** The column of each setting. An empty text is stored as null, lists as JSON. */
const columns: Record<Simple, string> = {
  name: 'name',
  shortName: 'short_name',
  tagline: 'tagline',
  logo: 'logo',
  icon: 'icon',
  primary: 'primary_colour',
  accent: 'accent_colour',
  email: 'email',
  phone: 'phone',
  street: 'street',
  city: 'city',
  country: 'country',
  mapLink: 'map_link',
  currency: 'currency',
  timeZone: 'time_zone',
  locale: 'locale',
  headline: 'headline',
  welcome: 'welcome',
  banners: 'banners',
  sponsors: 'sponsors',
  faq: 'faq',
  about: 'about',
  jobs: 'jobs',
  terms: 'terms',
  privacy: 'privacy',
};

export function settings({ on, db, write, academy, config }: Services): void {
  on(readAcademy, async () => {
    const [stored, sports, stays, toCome] = await Promise.all([
      readRow(db, config.brand),
      db.selectFrom('sport').selectAll().orderBy('rank').orderBy('name').execute(),
      sql<{ stays: boolean }>`select ${hasSales} as stays`.execute(db),
      meetingsToCome(db),
    ]);
    const used = await usedSports(db);
    return {
      ...stored,
      meetingsToCome: toCome,
      currencyStays: stays.rows[0]?.stays ?? true,
      sports: sports.map(({ name, icon }) => ({
        name,
        icon: icon as Academy['sports'][number]['icon'],
        used: used.has(name),
      })),
    };
  });

  on(changeAcademy, async ({ version, sports, meetings, ...wanted }, { who }) => {
    if (wanted.timeZone) await refuseUnknownZone(db, wanted.timeZone);
    const work = async (db: Db): Promise<Act<{ modifiedCount: number; version: number }>> => {
      if (wanted.timeZone) await lockPlan(db);
      const found = await lockRow(db, config.brand);
      if (found.version !== version) refuseStale(found.changed, version);
      const changes = Object.entries(wanted).filter(
        // A currency that is only the default is not set yet.
        ([field, value]) =>
          !same(value, found.row[field as Simple]) || (field === 'currency' && !found.hasCurrency),
      ) as [Simple, unknown][];
      refuseBad({ ...found.row, ...wanted }, changes, config);
      await store(db, changes);
      const isMove = changes.some(([field]) => field === 'timeZone');
      // The trigger of `meeting` writes them.
      if (isMove) await sql`select from class order by id for no key update`.execute(db);
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
      if (lists) details.push(`sports: ${lists.before} → ${lists.after}`);
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

/** A payment, or a basket that can be paid. The trigger currency_stays asks the same. */
const hasSales = sql<boolean>`(exists (select from payment)
  or exists (select from basket where state in ('open', 'closing')))`;

type Row = Pick<Academy, Simple>;

async function readRow(db: Db, brand: string): Promise<Row & { version: number }> {
  const { version, row } = await selectRow(db, brand, sql``);
  return { ...row, version };
}

const lockRow = (db: Db, brand: string) => selectRow(db, brand, sql`for update`);

async function selectRow(db: Db, brand: string, lock: ReturnType<typeof sql>) {
  const stored = Object.entries(columns).map(
    ([field, column]) => sql`${sql.ref(column)} as ${sql.ref(field)}`,
  );
  const { rows } = await sql<
    { [field in Simple]: Row[field] | null } & {
      version: number;
      changed: Record<string, number>;
    }
  >`select version, changed, ${sql.join(stored)} from academy ${lock}`.execute(db);
  const found = rows[0];
  if (!found) throw new Error('The database has no row of the academy');
  const { version, changed, ...row } = found;
  return { version, changed, row: presented(row, brand), hasCurrency: row.currency !== null };
}

const noBanners = [null, null, null, null];

function presented(row: { [field in Simple]: Row[field] | null }, brand: string): Row {
  return {
    name: row.name ?? brand,
    shortName: row.shortName ?? '',
    tagline: row.tagline ?? '',
    logo: row.logo ?? '',
    icon: row.icon ?? '',
    primary: row.primary ?? '',
    accent: row.accent ?? '',
    email: row.email ?? '',
    phone: row.phone ?? '',
    street: row.street ?? '',
    city: row.city ?? '',
    country: row.country ?? '',
    mapLink: row.mapLink ?? '',
    currency: row.currency ?? 'usd',
    timeZone: row.timeZone ?? 'UTC',
    locale: row.locale ?? '',
    headline: row.headline ?? '',
    welcome: row.welcome ?? '',
    banners: row.banners ?? noBanners,
    sponsors: row.sponsors ?? [],
    faq: row.faq ?? [],
    about: row.about ?? '',
    jobs: row.jobs ?? '',
    terms: row.terms ?? '',
    privacy: row.privacy ?? '',
  };
}

async function usedSports(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from sport where exists (select from class where class.sport = sport.name)
      or exists (select from discount where discount.sport = sport.name)`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

function refuseStale(changed: Record<string, number>, version: number): never {
  fail('ACADEMY_CHANGED', {
    changed: Object.entries(changed).flatMap(([field, at]) => (at > version ? [field] : [])),
  });
}

async function refuseUnknownZone(db: Db, zone: string): Promise<void> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(db);
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
  const set = changes.map(
    ([field, value]) => sql`${sql.ref(columns[field])} = ${inDatabase(value)}`,
  );
  await sql`update academy set ${sql.join(set)}`.execute(db);
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
  await sql`update academy set version = ${version}, changed = changed || ${marks}::jsonb`.execute(
    db,
  );
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
