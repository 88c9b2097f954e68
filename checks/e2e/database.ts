// The data folder and the database of the server under test.
import { Client } from 'pg';
import { readPostmaster, urlOf } from '../../server/platform/postgres/postmaster.ts';

export async function openDatabase(): Promise<Client> {
  const home = process.env['RALLY_DATA'] ?? '';
  const address = readPostmaster(home);
  if (!address) throw new Error(`There is no database in ${home}`);
  const client = new Client({ connectionString: urlOf(home, address) });
  await client.connect();
  return client;
}
