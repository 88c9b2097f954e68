// The kinds of mail that wait as jobs, and what a job has of each: ids, and what no row keeps, such as
// the words before a change. Each room loads, checks and writes its own kinds when they are sent (its
// mails.ts). Not for: sending them (send.ts).
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import type { MailJob } from '../../db/jobs.ts';
import type { Message } from '../../outside/mail.ts';
import type { Greeted } from './common.ts';

/** The account that it goes to. */
interface To {
  to: string;
}

export interface Kinds {
  // people
  'guardian-invitation': { email: string; by: string; participantIds: readonly string[] };
  'guardians-changed': To & {
    participantIds: readonly string[];
    userIds: readonly string[];
    joins: boolean;
  };
  'child-removed': To;
  'care-ends': To & { participantId: string };
  'child-ends': To & { participantId: string };
  'staff-invitation': { invitationId: string };
  'instructor-made': To;
}

export type Kind = keyof Kinds;

/** The account that a mail goes to, as it is when the mail is sent. */
export interface Person extends Greeted {
  role: string;
  mailOff: readonly string[];
}

interface Sending {
  db: Db;
  config: Pick<Config, 'brand' | 'publicUrl' | 'secret'>;
}

/** Writes a mail from its rows. Null: it is not true any more, or no business of who would get it. */
export type Render<K extends Kind> = (
  ids: Kinds[K],
  sending: Kinds[K] extends To ? Sending & { person: Person } : Sending,
) => Promise<Message | null>;

export type Mails<K extends Kind = Kind> = { [kind in K]: Render<kind> };

/** What a job of the queue `send-mail` has. */
export const mail = <K extends Kind>(kind: K, ids: Kinds[K]): MailJob => ({ kind, ids });
