// A job that gave up: it waits for an admin in the queue of those.
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
  }),
} as unknown as Mails;
