// Mail: through the server of SMTP_URL or, without one, into the mailbox table that /dev/mail
// shows. The texts are in features/mails.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Pool } from 'pg';
import { assertOutsideTransaction } from '../db/transaction.ts';

export interface Message {
  to: string;
  subject: string;
  /**
   * Plain text. Empty lines separate paragraphs; addresses of our own pages on lines of their own
   * become links.
   */
  text: string;
  /** A calendar file that is attached. The mailbox does not keep it. */
  calendar?: string;
  /** The participants whom it names. It is erased with them. */
  about?: string[];
}

export interface StoredMessage extends Omit<Message, 'calendar' | 'about'> {
  id: number;
  sentAt: string;
}

export interface Mail {
  /** Resolves when the mail was accepted; rejects when it was not. Never inside a transaction. */
  send(message: Message): Promise<void>;
  /** The newest mails of the mailbox, of one recipient or of all. Empty when real mail is sent. */
  messages(to?: string): Promise<StoredMessage[]>;
  /** Does not wait: mails under way are sent or lost with the process. */
  close(): void;
}

export interface MailOptions {
  smtpUrl: string | null;
  from: string;
  /** The contact address at the end of every mail. */
  contact: string | null;
  pool: Pool;
  publicUrl: string;
}

export function createMail({ smtpUrl, from, contact, pool, publicUrl }: MailOptions): Mail {
  const deliver = smtpUrl ? smtp(smtpUrl, from, publicUrl) : mailbox(pool);
  return {
    send: async (message) => {
      assertOutsideTransaction('Mail');
      // No one can have an address there (RFC 2606); deleted accounts have one
      // (features/identity/account.ts).
      if (message.to.endsWith('.invalid')) return;
      await deliver.send(
        contact
          ? { ...message, text: `${message.text}\n\nQuestions? Write to ${contact}.` }
          : message,
      );
    },
    messages: (to) => (smtpUrl ? Promise.resolve([]) : newest(pool, to)),
    close: deliver.close,
  };
}

function smtp(url: string, from: string, publicUrl: string) {
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
    send: async ({ to, subject, text, calendar }: Message) => {
      const message = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        html: asHtml(text, publicUrl),
        ...(calendar && {
          attachments: [
            {
              filename: 'rally.ics',
              content: calendar,
              contentType: 'text/calendar; charset=utf-8',
            },
          ],
        }),
      };
      const tries = 3;
      for (let attempt = 1; ; attempt++) {
        try {
          await transport.sendMail(message);
          return;
        } catch (error) {
          if (attempt === tries || isRefused(error)) throw error;
          await pause(attempt * 1_000);
        }
      }
    },
    close: () => transport.close(),
  };
}

/** 5xx: a permanent refusal, do not try again. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return code >= 500;
}

function mailbox(pool: Pool) {
  return {
    send: async ({ to, subject, text, about = [] }: Message) => {
      await pool.query(
        'insert into mailbox (recipient, subject, body, about) values ($1, $2, $3, $4)',
        [to.toLowerCase(), subject, text, about],
      );
    },
    close: () => {},
  };
}

async function newest(pool: Pool, to: string | undefined): Promise<StoredMessage[]> {
  const { rows } = await pool.query<{
    id: number;
    recipient: string;
    subject: string;
    body: string;
    sent_at: Date;
  }>(
    `select id, recipient, subject, body, sent_at from mailbox
     where $1::text is null or recipient = $1 order by id desc limit 100`,
    [to?.toLowerCase() ?? null],
  );
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    sentAt: row.sent_at.toISOString(),
  }));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

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
