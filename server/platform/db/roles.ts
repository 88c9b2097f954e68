// The owner makes schema, extensions and queues; the role that serves reads and writes rows: it cannot
// switch off the triggers that guard the audit log and the ledger.
import { Client } from 'pg';

/** Any number that no other lock has. */
const granting = 7_255_912;

/**
 * Lets the role of `serving` read and write the rows of all that the owner has made and will make.
 * Functions need no grant: everybody may execute them.
 */
export async function grantRows(owner: string, serving: string): Promise<void> {
  const client = new Client({ connectionString: owner });
  const role = client.escapeIdentifier(new Client({ connectionString: serving }).user ?? '');
  await client.connect();
  try {
    // Two grants at the same time fail with "tuple concurrently updated".
    await client.query(`begin; select pg_advisory_xact_lock(${granting})`);
    const { rowCount } = await client.query(
      `select from pg_default_acl, aclexplode(defaclacl)
       where grantee = $1::regrole and defaclrole = current_user::regrole`,
      [role],
    );
    if (rowCount === 0)
      await client.query(`
        create schema if not exists pgboss;
        grant usage on schema public, pgboss to ${role};
        grant select, insert, update, delete on all tables in schema public, pgboss to ${role};
        grant usage on all sequences in schema public, pgboss to ${role};
        alter default privileges grant select, insert, update, delete on tables to ${role};
        alter default privileges grant usage on sequences to ${role}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
