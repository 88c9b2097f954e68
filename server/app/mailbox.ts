// /dev/mail shows the mails that would have been sent, for trying Rally and for tests, and
// /dev/mail/samples every mail with sample data. Neither exists in production.
import type { Get } from '../platform/http/raw.ts';
import { escapeHtml } from '../../contract/platform/rules.ts';
import { type Look, mailHtml } from '../mail/html.ts';
import { asHtml, type Mail, plainLook } from '../mail/mail.ts';
import type { MailBrand } from '../mail/common.ts';
import { samples } from './mailsamples.ts';

const recipient = ({ to }: Record<string, unknown>) =>
  typeof to === 'string' && to !== '' ? to : undefined;

interface Shown {
  mail: Mail;
  brand: string;
  publicUrl: string;
}

export function mailbox(get: Get, { mail, brand, publicUrl }: Shown): void {
  get('/dev/mail.json', async ({ query }) => ({
    type: 'application/json',
    body: JSON.stringify(await mail.messages(recipient(query))),
  }));

  get('/dev/mail', async ({ query, nonce }) => {
    const mails = await mail.messages(recipient(query));
    const articles = mails.map(
      (message) => `<article>
<h2>${escapeHtml(message.subject)}</h2>
<p class="to">To ${escapeHtml(message.to)}, <time datetime="${message.sentAt}">${message.sentAt.replace('T', ' ').slice(0, 19)} UTC</time></p>
${asHtml(message.text, publicUrl)}
</article>`,
    );
    const empty = '<p>No mail yet. Without SMTP_URL, Rally stores its mails here.</p>';
    const body = `<p><a href="${escapeHtml(publicUrl)}/dev/mail/samples">Every mail with sample data</a></p>
${articles.join('\n') || empty}`;
    return page({ title: 'Mailbox', brand, nonce, body });
  });
}

interface Worn extends MailBrand {
  mailFrom: string;
  contactEmail: string | null;
}

export function mailSamples(get: Get, academy: Worn, look: () => Promise<Partial<Look>>): void {
  const { brand, publicUrl } = academy;

  get('/dev/mail/samples', ({ nonce }) => {
    const entries = Object.entries(samples(academy)).map(
      ([name, { subject, text }]) => `<article>
<h2>${escapeHtml(name)}</h2>
<p class="to">${escapeHtml(subject)}: <a href="/dev/mail/sample?name=${encodeURIComponent(name)}">as HTML</a></p>
<details><summary>Text</summary>${asHtml(text, publicUrl)}</details>
</article>`,
    );
    return Promise.resolve(page({ title: 'Every mail', brand, nonce, body: entries.join('\n') }));
  });

  // As it is sent, inline styles and all.
  get('/dev/mail/sample', async ({ query }) => {
    const all = new Map(Object.entries(samples(academy)));
    const message = all.get(String(query['name']));
    if (!message) return { type: 'text/html', body: 'There is no such mail.' };
    const plain = plainLook({ ...academy, publicUrl });
    const body = mailHtml(message, { ...plain, ...(await look()) });
    return { type: 'text/html', body, inlineStyles: true };
  });
}

function page({ title, brand, nonce, body }: Record<'title' | 'brand' | 'nonce' | 'body', string>) {
  return {
    type: 'text/html' as const,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(brand)} | ${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { background: Canvas; margin: 0 auto; max-width: 44rem; padding: 1rem; }
article { border: 1px solid #8886; border-radius: .5rem; margin: 1rem 0; padding: 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-bottom: 0; }
.to { margin-top: 0; opacity: .75; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`,
  };
}
