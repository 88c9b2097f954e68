// The academy's row as every feature reads it: name, contact, colours, currency, language, zone.
// The environment fills what is empty at the start; afterwards the row counts.
import type { Currency } from '../../../contract/platform/currencies.ts';
import { pageNames, type PageName } from '../../../contract/platform/pages.ts';
import type { SportIcon } from '../../../contract/platform/sporticons.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Changes } from './changes.ts';
import { type Database, execute, query, sql } from './connection.ts';
import { settleTimeZone } from './zone.ts';

export interface Academy {
  name: string;
  /** Null: the name is used everywhere. */
  shortName: string | null;
  tagline: string | null;
  /** Addresses of pictures; null: our ball. */
  logo: string | null;
  icon: string | null;
  /** Null: our colours (contract/platform/contrast.ts). */
  primary: string | null;
  accent: string | null;
  email: string | null;
  phone: string | null;
  street: string | null;
  city: string | null;
  country: string | null;
  mapLink: string | null;
  currency: Currency;
  /** BCP 47, of figures alone; null: English. */
  locale: string | null;
  timeZone: string;
  sports: { name: string; icon: SportIcon }[];
  pages: PageName[];
}

export type AcademySettings = Awaited<ReturnType<typeof openAcademy>>;

type Named = Pick<Config, 'brand' | 'contactEmail' | 'currency' | 'timeZone' | 'production'>;

export async function openAcademy(
  database: Pick<Database, 'db'>,
  changes: Pick<Changes, 'on'>,
  config: Named,
) {
  await fillEmpty(database, config);
  let last = await load(database.db, config);
  let generation = 0;
  let loaded = 0;
  let loading: { of: number; academy: Promise<Academy> } | null = null;

  /** As it is now, of any process; as it was while the database is away. */
  async function read(): Promise<Academy> {
    if (loaded === generation) return last;
    // What was asked before the change is not an answer after it.
    if (loading?.of !== generation)
      loading = { of: generation, academy: load(database.db, config) };
    const { of, academy } = loading;
    const found = await academy.catch(() => {
      if (loading?.of === of) loading = null;
      return null;
    });
    // The database is away. Pages that need nothing else of it are served as the academy was.
    if (!found) return last;
    if (of > loaded) [last, loaded] = [found, of];
    return of === generation ? found : read();
  }

  /** After a change of this process: the next read asks the database. */
  const forget = () => void generation++;
  changes.on('classes', () => {
    forget();
    void read();
  });
  return {
    read,
    /** As it was read last: milliseconds behind a change. For names in mails, feeds and logs. */
    get last() {
      return last;
    },
    forget,
  };
}

/** The environment fills only what is not set. */
async function fillEmpty(database: Pick<Database, 'db'>, config: Named): Promise<void> {
  await settleTimeZone(database, config);
  const { brand, contactEmail, currency } = config;
  const given = { name: brand === defaultBrand ? null : brand, email: contactEmail, currency };
  const rows = await query<typeof given>(database.db)`select name, email, currency from academy`;
  const stored = rows[0];
  if (!stored) throw new ConfigError(['The database has no row of the academy']);
  const isNews = (['name', 'email', 'currency'] as const).some(
    (key) => stored[key] === null && given[key] !== null,
  );
  // An update of nothing, too, makes every process drop its kept pages.
  if (isNews)
    await execute(
      database.db,
    )`update academy set name = coalesce(name, ${given.name}), email = coalesce(email, ${given.email}),
      currency = coalesce(currency, ${given.currency})`;
}

export const defaultBrand = 'Rally Sports Academy';

async function load(db: Database['db'], { brand }: Named): Promise<Academy> {
  const rows = await query<Academy>(db)`
    select coalesce(name, ${brand}) as name, short_name, tagline, logo, icon, primary_colour as primary,
      accent_colour as accent, email, phone, street, city, country, map_link, coalesce(currency, 'usd') as currency,
      locale, coalesce(time_zone, 'UTC') as time_zone,
      (select coalesce(json_agg(json_build_object('name', sport.name, 'icon', sport.icon) order by rank, sport.name), '[]')
        from sport) as sports,
      array_remove(array[${sql.join(pageNames.map((page) => sql`case when ${sql.ref(page)} is not null then ${page}::text end`))}], null) as pages
    from academy`;
  const found = rows[0];
  if (!found) throw new Error('The database has no row of the academy');
  return found;
}
