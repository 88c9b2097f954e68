// Backups of the embedded database, taken while it runs, and their restore. The card provider's
// state is not restored: afterwards the hourly comparison asks it what was paid since.
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { startEmbedded, whileStopped } from './embedded.ts';
import { dataOf, type Log } from './postmaster.ts';

interface Options {
  dataDir: string;
  log?: Log;
}

// They belong to the running server, or the next one makes them.
const leftOut =
  /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+|pg_(dynshmem|notify|serial|snapshots|subtrans)\/.+|.*pgsql_tmp.*)$/;

/**
 * PostgreSQL's own method: between pg_backup_start and pg_backup_stop the files may change under
 * the copy, because the write-ahead log of that time is copied too and corrects partial reads. A
 * temporary slot keeps that log.
 */
export async function backup({
  dataDir,
  to,
  log = () => undefined,
}: Options & { to: string }): Promise<void> {
  const target = resolve(to);
  if (existsSync(target)) throw new Error(`${target} is there already; a backup never overwrites.`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  const embedded = await startEmbedded({ dataDir, log });
  const client = new Client({ connectionString: embedded.url });
  try {
    await client.connect();
    const source = dataOf(resolve(dataDir));
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `rally_backup_${process.pid}`,
    ]);
    await client.query(`select pg_backup_start('rally', true)`);
    await copyChanging(source, join(partial, 'postgres'));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    await writeFile(join(partial, 'postgres/backup_label'), rows[0]?.labelfile ?? '');
    await copyChanging(
      join(source, 'pg_wal'),
      join(partial, 'postgres/pg_wal'),
      /^(archive_status|summaries)\/.+$/,
    );
    const secret = join(resolve(dataDir), 'secret');
    if (existsSync(secret)) await copyFile(secret, join(partial, 'secret'));
    await rename(partial, target);
    // For the first steps of a new academy. A database of an older version has no such column.
    await client.query('update academy set backed_up_at = now()').catch(() => undefined);
  } finally {
    await client.end();
    await embedded.stop();
    await rm(partial, { recursive: true, force: true });
  }
}

/** Replaces the database with a backup. The old one is kept under the name that is returned. */
export async function restore({
  dataDir,
  from,
  log,
}: Options & { from: string }): Promise<string | null> {
  const [home, source] = [resolve(dataDir), resolve(from)];
  if (!existsSync(join(source, 'postgres/backup_label')))
    throw new Error(`${source} is no backup of Rally.`);
  return whileStopped({ dataDir, ...(log ? { log } : {}) }, async () => {
    const arriving = join(home, 'postgres.restoring');
    await rm(arriving, { recursive: true, force: true });
    await cp(join(source, 'postgres'), arriving, { recursive: true });
    const before = existsSync(dataOf(home))
      ? `${dataOf(home)}.before-${new Date().toISOString().replace(/\W/g, '-')}`
      : null;
    if (before) await rename(dataOf(home), before);
    await rename(arriving, dataOf(home));
    if (existsSync(join(source, 'secret')))
      await copyFile(join(source, 'secret'), join(home, 'secret'));
    return before;
  });
}

/** Copies a folder whose files appear, disappear and grow meanwhile. */
async function copyChanging(
  from: string,
  to: string,
  without = leftOut,
  inside = '',
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = inside ? `${inside}/${entry.name}` : entry.name;
    if (without.test(path)) continue;
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { recursive: true, mode: 0o700 });
      await copyChanging(from, to, without, path);
    } else {
      await copyFile(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error; // removed between listing and copying
      });
    }
  }
}

export const newBackupFolder = (dataDir: string) =>
  join(resolve(dataDir), 'backups', new Date().toISOString().replace(/\W/g, '-'));
