// Jobs of tests: one that gave up waits for an admin in the queue of those; one that waits for another try
// is due at once.
import { deadQueue } from '../platform/db/jobs.ts';
import type { Mails } from '../mail/kinds.ts';
import type { TestApp } from './app.ts';

export async function aDeadJob(
  app: Pick<TestApp, 'pool'>,
  data: object = aMail('nobody@example.com'),
): Promise<string> {
  const { rows } = await app.pool.query<{ id: string }>(
    `insert into pgboss.job (name, data, source_name, source_id, source_output)
     values ($1, $2, 'send-mail', gen_random_uuid(), '{"message": "550 no such mailbox"}') returning id`,
    [deadQueue, data],
  );
  return rows[0]?.id ?? '';
}

/** A mail without rows, for tests of the queue itself: the app knows no such kind. */
export const aMail = (email: string, subject = 'Hello') => ({
  kind: 'test',
  ids: { email, subject },
});

export const testMails = {
  test: async ({ email, subject }: ReturnType<typeof aMail>['ids']) => ({
    to: email,
    subject,
    text: 'Hello',
    parts: ['Hello'],
  }),
} as unknown as Mails;

/** Wakes the workers of mails, who would look in five seconds. */
export const wakeMails = ({ pool }: Pick<TestApp, 'pool'>) => pool.query(`select ${wake}`);

const wake = `pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), 'send-mail')`;

/**
 * Mails that wait for another try are due, all or those with this word in their job, and the workers are
 * woken, who would look in five seconds.
 */
export async function dueNow({ pool }: Pick<TestApp, 'pool'>, which = '') {
  const { rows } = await pool.query<{ id: string }>(
    `with due as (
       update pgboss.job set start_after = now()
       where name = 'send-mail' and state = 'retry' and strpos(data::text, $1) > 0
       returning id::text)
     select id, ${wake}
     from due`,
    [which],
  );
  return rows.map(({ id }) => id);
}
