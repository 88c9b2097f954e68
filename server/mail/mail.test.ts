// Mails: by SMTP or into the mailbox, never inside a transaction.
import { afterAll, describe, expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { startSmtp } from '../testing/smtp.ts';
import { createMail } from './mail.ts';

const app = await testApp();
const text = 'One & two\n\nhttps://example.com/?a=1&b="2"';
const message = { to: 'Ada@Example.com', subject: 'Hello <b>Ada</b>', text, parts: [text] };

describe('without SMTP_URL', () => {
  it('mails are in the mailbox, newest first, of one or all', async () => {
    await app.mail.send(message);
    await app.mail.send({ ...message, subject: 'Second' });
    await app.mail.send({ ...message, to: 'grace@example.com' });
    const mine = await app.mail.messages('ADA@example.com');
    expect(mine.map(({ subject }) => subject)).toEqual(['Second', message.subject]);
    expect(mine[1]).toEqual({
      id: expect.any(Number),
      to: 'ada@example.com',
      subject: message.subject,
      text: `${text}\n\nQuestions? Write to hello@rally.test.`,
      sentAt: expect.any(String),
    });
    expect(await app.mail.messages()).toHaveLength(3);
  });

  it('a page shows them, everything escaped, links clickable', async () => {
    await app.mail.send({
      ...message,
      text: '<script>alert(1)</script>\n\njavascript:alert(1)\n\nhttps://evil.example/x\n\nhttp://localhost:3000/x?token=1',
    });
    const { statusCode, headers, body } = await app.ask({ url: '/dev/mail' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;');
    expect(body).toContain('<a href="http://localhost:3000/x?token=1">');
    expect(body).toContain('<p>https://evil.example/x</p>');
    expect(body).not.toMatch(/<script|href="javascript|href="https:\/\/evil/);
    const nonce = /style nonce="([^"]+)"/.exec(body)?.[1];
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    const json = await app.ask({ url: '/dev/mail.json', query: { to: 'ada@example.com' } });
    expect(json.json<{ to: string }[]>().every(({ to }) => to === 'ada@example.com')).toBe(true);
  });

  it('none is sent inside a transaction', async () => {
    await expect(app.transaction(() => app.mail.send(message))).rejects.toThrow(
      'inside a transaction',
    );
  });
});

describe('with SMTP_URL', async () => {
  const smtp = await startSmtp();
  const mail = createMail({
    smtpUrl: smtp.url,
    mailFrom: '"Rally" <no-reply@rally.test>',
    contactEmail: null,
    pool: app.pool,
    publicUrl: app.config.publicUrl,
  });
  afterAll(async () => {
    mail.close();
    await smtp.close();
  });
  const sent = async (given: object = {}) => {
    await mail.send({ ...message, ...given });
    return smtp.mails.at(-1)?.raw ?? '';
  };

  it('mails are sent as text and as HTML, and not stored', async () => {
    const raw = await sent();
    expect(raw).toMatch(/^From: Rally <no-reply@rally\.test>\r?$/m);
    expect(raw).toMatch(/^To: Ada@Example\.com\r?$/im);
    expect(raw).toContain('text/plain');
    expect(raw).toContain('text/html');
    expect(await mail.messages()).toEqual([]);
  });

  it('a subject cannot inject a header', async () => {
    expect(await sent({ subject: 'Hi\r\nBcc: everybody@example.com' })).not.toMatch(/^Bcc:/im);
  });
});
