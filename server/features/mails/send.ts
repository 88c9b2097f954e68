// Writes a waiting mail when it is sent. A mail whose row is gone, or whose account is erased, is
// dropped.
import { type Db, sql } from '../../db/connection.ts';
import { erasedAccount } from '../../db/states.ts';
import type { MailJob } from '../../db/jobs.ts';
import type { Message } from '../../outside/mail.ts';
import type { Kind, Mails, Person, Render } from './kinds.ts';

/** A blocked account keeps its seats and its money, and is told about them. */
const alsoBlocked: ReadonlySet<string> = new Set<Kind>([
  'new-plan',
  'new-dates',
  'handed-over',
  'announcement',
  'reminder',
  'receipt',
  'refunded',
  'seat-ended',
]);

export async function written(
  { kind, ids }: MailJob,
  kinds: Mails,
  sending: Omit<Parameters<Render<'child-removed'>>[1], 'person'>,
): Promise<Message | null> {
  const render = (kinds as Record<string, Render<never> | undefined>)[kind];
  if (!render) throw new Error(`There is no mail of the kind ${kind}`);
  if (!('to' in ids)) return render(ids as never, sending as never);
  const person = await personOf(sending.db, String(ids.to), alsoBlocked.has(kind));
  return person && render(ids as never, { ...sending, person });
}

async function personOf(db: Db, id: string, alsoBlocked: boolean): Promise<Person | null> {
  const { rows } = await sql<Person>`
    select id, email, name, email_verified, role, mail_off from "user"
    where id = ${id} and not ${erasedAccount('user')}
      and (blocked_at is null or ${alsoBlocked})`.execute(db);
  return rows[0] ?? null;
}
