// The job `send-mail`: loads the rows of a waiting mail, writes it as it is true now, sends it, and
// notes which addresses refuse mail. A mail whose account or row is gone is dropped.
// SMTP leaves one gap: a process that dies after the server took the mail and before the job is
// marked as done sends it again, with the same Message-ID.
import { type Db, queryOne } from '../platform/db/connection.ts';
import type { MailJob } from '../platform/db/jobs.ts';
import { erasedAccount } from '../platform/db/states.ts';
import { Bounced, type Mail, type Message } from './mail.ts';
import type { Some } from '../platform/services.ts';
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
  'account-blocked',
]);

type Needed = Some<'db' | 'jobs', 'brand' | 'publicUrl' | 'secret'> & {
  mail: Mail;
  kinds: Mails;
  markBounced: (db: Db, email: string, refused: boolean) => Promise<void>;
};

export const sendingMail = ({ db, jobs, mail, config, kinds, markBounced }: Needed) =>
  jobs.work('send-mail', async (job, id) => {
    const message = await written(job, kinds, { db, config });
    if (!message) return;
    try {
      await mail.send(message, id);
      await markBounced(db, message.to, false);
    } catch (error) {
      if (!(error instanceof Bounced)) throw withoutAddress(error, message);
      // Another try would be refused, too.
      if (error.isOfAddress) await markBounced(db, message.to, true);
    }
  });

async function written(
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

async function personOf(db: Db, id: string, isBlockedToo: boolean): Promise<Person | null> {
  return queryOne<Person>(db)`
    select id, email, name, proven_at is not null as proven, role, mail_off from "user"
    where id = ${id} and not ${erasedAccount('user')}
      and (blocked_at is null or ${isBlockedToo})`;
}

/** A job that failed keeps the error, and its account may be deleted while it waits. */
const withoutAddress = (error: unknown, { to }: Message) =>
  new Error((error as Error).message.replaceAll(to, 'the address'));
