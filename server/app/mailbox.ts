// /dev/mail shows the mails that would have been sent, for trying Rally and for tests. It does not
// exist in production.
import type { Get } from '../platform/http/raw.ts';
import { escapeHtml } from '../../contract/platform/rules.ts';
import { asHtml, type Mail } from '../mail/mail.ts';

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
    return {
      type: 'text/html',
      body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(brand)} | Mailbox</title>
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
<h1>Mailbox</h1>
${articles.join('\n') || empty}
</main>
</body>
</html>`,
    };
  });
}
