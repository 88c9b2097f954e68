// A job that gave up: it waits for an admin in the queue of those.
import { deadQueue } from '../db/jobs.ts';
import type { TestApp } from './app.ts';

export async function aDeadJob(
  app: Pick<TestApp, 'pool'>,
  data: object = { to: 'nobody@example.com', subject: 'Hello', text: 'Hello' },
): Promise<string> {
  const { rows } = await app.pool.query<{ id: string }>(
    `insert into pgboss.job (name, data, source_name, source_id, source_output)
     values ($1, $2, 'send-mail', gen_random_uuid(), '{"message": "550 no such mailbox"}') returning id`,
    [deadQueue, data],
  );
  return rows[0]?.id ?? '';
}
