// Runs the migrations: plain .sql files, forward only, under Kysely's advisory lock, so that
// several processes may start at once.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';

const folder = join(import.meta.dirname, 'migrations');

async function readMigrations() {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const entries = files.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return [
      name.replace(/\.sql$/, ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the names of the migrations that were run. */
export async function migrate(url: string): Promise<string[]> {
  // A pool of its own without statement timeouts: an index on a large table takes long.
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  });
  try {
    const { error, results = [] } = await new Migrator({
      db,
      provider: { getMigrations: readMigrations },
    }).migrateToLatest();
    if (error) throw error;
    return results.map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

/** True if no migration is missing; /api/ready asks this once. */
export async function isMigrated(pool: Pool): Promise<boolean> {
  const wanted = Object.keys(await readMigrations());
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration');
  const done = new Set(rows.map((row) => row.name));
  return wanted.every((name) => done.has(name));
}
