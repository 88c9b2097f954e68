// Runs pgbench: the minimum that PostgreSQL needs for the same writes.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Result } from './harness.ts';

/** Debian's path, or the PATH. Null when it is not on this machine. */
export async function findPgbench(): Promise<string | null> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? await readdir(debian) : [];
  const found = versions
    .map((version) => join(debian, version, 'bin/pgbench'))
    .find((path) => existsSync(path));
  if (found) return found;
  return promisify(execFile)('pgbench', ['--version']).then(
    () => 'pgbench',
    () => null,
  );
}

export const withoutPgbench = (what: string, target: Result['target']): Result => ({
  what,
  ratio: Number.NaN,
  target,
  detail: 'not measured: pgbench is not on this machine (Debian: postgresql-contrib)',
});

/** The transactions per second of a script. `how`: clients, and how long or how often. */
export async function pgbench(
  program: string,
  { url, folder, script }: { url: string; folder: string; script: string },
  how: string[],
): Promise<number> {
  const file = join(folder, 'pgbench.sql');
  await writeFile(file, script);
  const address = new URL(url);
  const host = address.searchParams.get('host') ?? address.hostname;
  const where = ['-h', host, '-U', address.username, ...(address.port ? ['-p', address.port] : [])];
  const { stdout } = await promisify(execFile)(program, [
    '-nMprepared',
    '-j2',
    `-f${file}`,
    ...how,
    ...where,
    address.pathname.slice(1),
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** The first bits differ, as those of real ids do: sales share their counters out by them. */
export const uuid = (kind: 'a' | 'b', n: number) =>
  `${((n % 8) * 32).toString(16).padStart(2, '0')}${kind.repeat(6)}-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The same id as SQL, from SQL. */
export const idOf = (kind: 'a' | 'b', n: string) =>
  `(lpad(to_hex((${n})::int % 8 * 32), 2, '0') || '${kind.repeat(6)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/** The same id, from a variable of a pgbench script. */
export const uuidOf = (kind: 'a' | 'b', variable: string) => idOf(kind, `:${variable}`);

/** Students a1, a2, … and approved classes b1, b2, … of as many instructors. */
export const fill = (students: number, classes: number) => `
  insert into "user" (id, name, email, role)
    select ${idOf('a', 'n')}, 'S', 's' || n || '@example.com',
      case when n <= ${classes} then 'instructor' else 'student' end
    from generate_series(1, ${students}) n;
  insert into class (id, instructor_id, name, img, price_cents, capacity, status)
    select ${idOf('b', 'n')}, ${idOf('a', 'n')}, 'C', '/x', 1000, 10000, 'approved'
    from generate_series(1, ${classes}) n`;
