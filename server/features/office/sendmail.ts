// The job `send-mail`: attaches the dates of classes, sends, and notes which addresses refuse mail.
// SMTP leaves one gap: a process that dies after the server took the mail and before the job is
// marked as done sends it again, with the same Message-ID.
import type { Some } from '../../services.ts';
import { type Db, sql } from '../../db/connection.ts';
import { erasedAccount } from '../../db/states.ts';
import { Bounced, type Message } from '../../outside/mail.ts';
import { datesFile } from '../classes/feeds.ts';
import type { Mails } from '../mails/kinds.ts';
import { written } from '../mails/send.ts';
import { markBounced } from '../people/mailprefs.ts';

type Deps = Some<'db' | 'jobs' | 'mail', 'brand' | 'publicUrl' | 'secret'> & { kinds: Mails };

export const sendingMail = ({ db, jobs, mail, config, kinds }: Deps) =>
  jobs.work('send-mail', async (data, id) => {
    const message = 'kind' in data ? await written(data, kinds, { db, config }) : data;
    if (!message) return;
    if ((await namesErased(db, message)) || (await invitesInVain(db, message))) return;
    try {
      await mail.send(await withDates(db, config, message), id);
      await markBounced(db, message.to, false);
    } catch (error) {
      if (!(error instanceof Bounced)) throw withoutAddress(error, message);
      // Another try would be refused, too.
      if (error.isOfAddress) await markBounced(db, message.to, true);
    }
  });

/** A job that failed keeps the error, and its account may be deleted while it waits. */
const withoutAddress = (error: unknown, { to }: Message) =>
  new Error((error as Error).message.replaceAll(to, 'the address'));

/** It was stored while an account or a child was being erased: the erasure did not see it. */
async function namesErased(db: Db, { about = [] }: Message): Promise<boolean> {
  const { rows } = await sql`
    select from "user" where id = any (${about}::uuid[]) and ${erasedAccount('user')}
    union all
    select from participant where id = any (${about}::uuid[]) and erased_at is not null`.execute(
    db,
  );
  return rows.length > 0;
}

/** The invitation was withdrawn, or ended otherwise, while its mail waited. */
async function invitesInVain(db: Db, { invitation }: Message): Promise<boolean> {
  if (invitation === undefined) return false;
  const { rows } = await sql`
    select from invitation where secret_hash = decode(${invitation}, 'hex') and expires_at > now()
    union all
    select from staff_invitation where secret_hash = decode(${invitation}, 'hex') and expires_at > now()`.execute(
    db,
  );
  return rows.length === 0;
}

async function withDates(db: Db, config: Deps['config'], message: Message): Promise<Message> {
  const { datesOf = [] } = message;
  if (message.calendar !== undefined || datesOf.length === 0) return message;
  const calendar = await datesFile(db, config, { ids: datesOf, name: config.brand });
  return calendar === null ? message : { ...message, calendar };
}
