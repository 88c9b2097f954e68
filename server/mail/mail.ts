// Mail: through the server of SMTP_URL or, without one, into the mailbox table that /dev/mail
// shows. The words are in texts.ts of each room.
import { createTransport } from 'nodemailer';
import type { Pool } from 'pg';
import { type Db, sql } from '../platform/db/connection.ts';
import { assertOutsideTransaction } from '../platform/db/transaction.ts';
import type { Part } from './text.ts';
import { escapeHtml } from '../../contract/platform/rules.ts';
import { type Look, mailHtml, ourLook } from './html.ts';

export interface Message {
  to: string;
  subject: string;
  /** Plain text. Empty lines separate paragraphs. */
  text: string;
  /** The same as parts, for the HTML. */
  parts: Part[];
  /** A calendar file that is attached. The mailbox does not keep it. */
  calendar?: string;
  /** Where an answer goes, if not to the sender. */
  replyTo?: string;
}

export interface StoredMessage extends Pick<Message, 'to' | 'subject' | 'text'> {
  id: number;
  sentAt: string;
}

export type Mail = ReturnType<typeof createMail>;

/**
 * The mail server says that there is no such mailbox, or that it does not take this mail. What a mail
 * says may be a stranger's words: a refusal of them tells nothing about the address.
 */
export class Bounced extends Error {
  readonly isOfAddress: boolean;

  constructor({ message, command, response = '' }: Refused) {
    super(message);
    this.isOfAddress = command === 'RCPT TO' || /^\d{3}[ -]5\.1\./.test(response);
  }
}

type Refused = Error & { command: string; response?: string };

export interface MailOptions {
  smtpUrl: string | null;
  mailFrom: string;
  /** The contact address at the end of every mail. */
  contactEmail: string | null;
  pool: Pool;
  publicUrl: string;
}

export function createMail(options: MailOptions) {
  const { smtpUrl, pool } = options;
  const deliver = smtpUrl ? smtp(smtpUrl, options) : mailbox(pool);
  let worn: (() => Promise<Partial<Look>>) | null = null;
  return {
    /**
     * Resolves when the mail was accepted; rejects when it was not: with `Bounced` when the address
     * or this mail is refused for good. Sent twice with one `id` it has the same Message-ID.
     */
    send: async (message: Message, id?: string): Promise<void> => {
      assertOutsideTransaction('Mail');
      // No one can have an address there (RFC 2606); deleted accounts have one.
      if (message.to.endsWith('.invalid')) return;
      const look = { ...plainLook(options), ...(await worn?.()) };
      const asked = look.contact ? `\n\nQuestions? Write to ${look.contact}.` : '';
      await deliver.send({ ...message, text: message.text + asked }, look, id);
    },
    /** Asked for every mail: an admin may change its look at any time. */
    wear: (look: () => Promise<Partial<Look>>) => {
      worn = look;
    },
    /** The newest mails of the mailbox, of one recipient or of all. Empty when real mail is sent. */
    messages: (to?: string): Promise<StoredMessage[]> =>
      smtpUrl ? Promise.resolve([]) : newest(pool, to),
    /** Does not wait: mails under way are sent or lost with the process. */
    close: deliver.close,
  };
}

const nameIn = (from: string) => /^"?([^"<]+?)"?\s*</.exec(from)?.[1];
const addressIn = (from: string) => /<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** Before the settings of the academy are read. */
export const plainLook = ({
  mailFrom,
  contactEmail,
  publicUrl,
}: Pick<MailOptions, 'mailFrom' | 'contactEmail' | 'publicUrl'>): Look => ({
  brand: nameIn(mailFrom) ?? new URL(publicUrl).host,
  publicUrl,
  contact: contactEmail,
  logo: `${publicUrl}/media/mail/logo.png`,
  button: ourLook,
});

function smtp(url: string, { mailFrom, publicUrl }: MailOptions) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Nothing in a mail may make the mailer read a file or load an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message: Message, look: Look, id?: string) => {
      const { to, subject, text, calendar, replyTo } = message;
      const written = {
        from: { name: look.brand, address: addressIn(mailFrom) },
        to: { name: '', address: to },
        subject,
        text,
        html: mailHtml(message, look),
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        ...(id && { messageId: `<${id}@${new URL(publicUrl).hostname}>` }),
        // Programs that answer automatically leave it alone (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(calendar && {
          attachments: [
            {
              filename: 'dates.ics',
              content: calendar,
              contentType: 'text/calendar; charset=utf-8',
            },
          ],
        }),
      };
      await transport.sendMail(written).catch((error: unknown) => {
        throw isBounce(error) ? new Bounced(error) : error;
      });
    },
    close: () => transport.close(),
  };
}

/**
 * A permanent refusal (5xx) of the recipient or of the message. A refusal of our own sign-in (535) or
 * sender is a mistake in the settings: the mail waits until it is corrected.
 */
const isBounce = (error: unknown): error is Refused =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  'command' in error &&
  /^(RCPT TO|DATA)$/.test(String(error.command));

function mailbox(pool: Pool) {
  return {
    send: async ({ to, subject, text }: Message) => {
      const row = [to.toLowerCase(), subject, text];
      await pool.query('insert into mailbox (recipient, subject, body) values ($1, $2, $3)', row);
    },
    close: () => {},
  };
}

/** Of people who are erased: what was sent to them, says their name or leads to their page. */
export const forgetLetters = (db: Db, ids: readonly string[]) =>
  sql`
    delete from mailbox using (
      select id, name, email from "user" union all select id, name, null from participant) gone
    where gone.id = any (${ids}::uuid[]) and (recipient = gone.email
      or position(gone.name in body) > 0 or position(gone.id::text in body) > 0)`.execute(db);

async function newest(pool: Pool, to: string | undefined): Promise<StoredMessage[]> {
  const { rows } = await pool.query<StoredMessage>(
    `select id, recipient as to, subject, body as text,
       to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt"
     from mailbox where $1::text is null or recipient = $1 order by id desc limit 100`,
    [to?.toLowerCase() ?? null],
  );
  return rows;
}

/** The text as HTML with the same content: everything escaped, links to our own pages clickable. */
export function asHtml(text: string, publicUrl: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = paragraph.split('\n').map((line) => {
        const safe = escapeHtml(line);
        return /^\S+$/.test(line) && (line === publicUrl || line.startsWith(`${publicUrl}/`))
          ? `<a href="${safe}">${safe}</a>`
          : safe;
      });
      return `<p>${lines.join('<br>')}</p>`;
    })
    .join('\n');
}
