// Mails: by SMTP or into the mailbox, never inside a transaction.
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { asHtml, createMail } from './mail.ts';

const app = await testApp();
const message = {
  to: 'Ada@Example.com',
  subject: 'Hello <b>Ada</b>',
  text: 'One & two\n\nhttps://example.com/?a=1&b="2"',
};

describe('without SMTP_URL', () => {
  it('mails are in the mailbox, newest first, for one person or all', async () => {
    await app.mail.send(message);
    await app.mail.send({ ...message, subject: 'Second' });
    await app.mail.send({ ...message, to: 'grace@example.com' });
    const mine = await app.mail.messages('ADA@example.com');
    expect(mine.map(({ subject }) => subject)).toEqual(['Second', message.subject]);
    expect(mine[1]).toEqual({
      ...message,
      text: `${message.text}\n\nQuestions? Write to hello@rally.test.`,
      id: expect.any(Number),
      to: 'ada@example.com',
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

describe('with SMTP_URL', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** Speaks just enough SMTP; `refuse` is the reply to the first recipients. */
  async function anSmtpServer(refuse: string[] = []) {
    const messages: string[] = [];
    server = createServer((socket: Socket) => {
      let text = '';
      let data = false;
      socket.write('220 mail\r\n');
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        text += String(chunk);
        for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
          if (data) {
            const stop = text.indexOf('\r\n.\r\n');
            if (stop < 0) return;
            messages.push(text.slice(0, stop));
            text = text.slice(stop + 5);
            data = false;
            socket.write('250 ok\r\n');
            continue;
          }
          const line = text.slice(0, end);
          text = text.slice(end + 2);
          data = line === 'DATA';
          const no = line.startsWith('RCPT') ? refuse.shift() : undefined;
          socket.write(`${no ?? (data ? '354 go on' : '250 ok')}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const mail = createMail({
      smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
      mailFrom: '"Rally" <no-reply@rally.test>',
      contactEmail: null,
      pool: app.pool,
      publicUrl: app.config.publicUrl,
    });
    return { mail, messages };
  }

  it('a calendar file is attached', async () => {
    const { mail, messages } = await anSmtpServer();
    await mail.send({ ...message, calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' });
    mail.close();
    expect(messages[0]).toMatch(/Content-Type: text\/calendar; charset=utf-8; name=dates\.ics/i);
    const file = Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n').toString('base64');
    expect(messages[0]).toMatch(new RegExp(`BEGIN:VCALENDAR|${file.slice(0, 20)}`));
  });

  it('mails are sent as text and as HTML, and not stored in the mailbox', async () => {
    const { mail, messages } = await anSmtpServer();
    await mail.send(message);
    mail.close();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^From: Rally <no-reply@rally\.test>\r?$/m);
    expect(messages[0]).toMatch(/^To: Ada@Example\.com\r?$/im);
    expect(messages[0]).toContain('text/plain');
    expect(messages[0]).toContain('text/html');
    expect(await mail.messages()).toEqual([]);
  });

  it('a temporary refusal is tried again, a permanent one is not', async () => {
    const busy = await anSmtpServer(['451 later']);
    await busy.mail.send(message);
    busy.mail.close();
    expect(busy.messages).toHaveLength(1);
    server?.close();
    const strict = await anSmtpServer(['550 no such person', '550 no such person']);
    await expect(strict.mail.send(message)).rejects.toThrow('550');
    strict.mail.close();
    expect(strict.messages).toHaveLength(0);
  });

  it('a subject cannot inject a header', async () => {
    const { mail, messages } = await anSmtpServer();
    await mail.send({ ...message, subject: 'Hi\r\nBcc: everybody@example.com' });
    mail.close();
    expect(messages[0]).not.toMatch(/^Bcc:/im);
  });
});

it('HTML and text have the same content', () => {
  expect(asHtml('a <b>\nc\n\nhttps://example.com/?a=1&b=2', 'https://example.com')).toBe(
    '<p>a &lt;b&gt;<br>c</p>\n<p><a href="https://example.com/?a=1&amp;b=2">https://example.com/?a=1&amp;b=2</a></p>',
  );
});
