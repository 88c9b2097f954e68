// One PostgreSQL for a whole test run, with a migrated template from which every test file copies
// its own database in 0.2 s. The embedded one by default; a server given by TEST_DATABASE_URL
// proves that nothing depends on that.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../platform/postgres/embedded.ts';
import { prepareJobs } from '../platform/db/jobs.ts';
import { migrate } from '../platform/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string;
    template: string;
  }
}

export const databaseUrl = (server: string, name: string) => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** On a connection without the app's limits on time. */
export async function query<Row extends object = Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export async function createDatabase(
  server: string,
  name: string,
  template?: string,
): Promise<string> {
  await query(
    server,
    `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`,
  );
  return databaseUrl(server, name);
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await query(server, `drop database if exists ${name} with (force)`);
}

export default async function setup(project: TestProject) {
  const given = process.env['TEST_DATABASE_URL'];
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-test-'));
  const embedded = given ? null : await startEmbedded({ dataDir });
  const server = given ?? embedded?.url ?? '';
  // Test databases need no durability.
  if (embedded) {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
      await query(server, `alter system set ${setting} = off`);
    await query(server, 'select pg_reload_conf()');
  }
  const template = `rally_template_${process.pid}`;
  const url = await createDatabase(server, template);
  await migrate(url);
  await prepareJobs(url);
  project.provide('postgres', server);
  project.provide('template', template);
  return async () => {
    if (given) await dropAll(server, template);
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** A server that we started is stopped as a whole. */
async function dropAll(server: string, template: string): Promise<void> {
  const left = await query(
    server,
    `select datname from pg_database where datname like 'rally_t_${process.pid}_%'`,
  );
  for (const { datname } of left) await dropDatabase(server, String(datname));
  await dropDatabase(server, template);
}
