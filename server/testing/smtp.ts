// An SMTP server for tests that keeps the mails it received.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Received {
  to: string;
  subject: string;
  text: string;
  /** The message with its headers. */
  raw: string;
}

/** The replies to DATA: to the command, and to the mail. */
export type Reply = 'go on' | 'taken';

export async function startSmtp(port = 0) {
  const mails: Received[] = [];
  const sockets = new Set<Socket>();
  let refusal: { words: string; at: string } | null = null;
  let replies: ((reply: Reply) => void) | null = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    let data = false;
    let to = '';
    socket.on('error', () => {}).on('close', () => void sockets.delete(socket));
    socket.write('220 mail\r\n');
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (;;) {
        const end = text.indexOf(data ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const said = text.slice(0, end);
        text = text.slice(end + (data ? 5 : 2));
        if (!data && refusal && said.startsWith(refusal.at)) {
          socket.write(`${refusal.words}\r\n`);
          continue;
        }
        const taken = data ? { to, raw: said, ...read(said) } : null;
        if (taken) mails.push(taken);
        else to = /^RCPT TO:<(.*)>/i.exec(said)?.[1] ?? to;
        data = !data && said === 'DATA';
        if (data || taken) replies?.(taken ? 'taken' : 'go on');
        socket.write(data ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    /** Answers every command that begins so with these words, until it is called with null. */
    refuse: (words: string | null, at = 'RCPT') => {
      refusal = words === null ? null : { words, at };
    },
    /** Calls this before a reply to DATA leaves, until it is called with null. */
    onReply: (call: ((reply: Reply) => void) | null) => {
      replies = call;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The subject and the plain text of a message, which is quoted-printable where a line is long. */
function read(message: string): { subject: string; text: string } {
  const part = message.slice(message.indexOf('Content-Type: text/plain'));
  const start = part.indexOf('\r\n\r\n') + 4;
  const body = part.slice(start, part.indexOf('\r\n--', start));
  const quoted = /quoted-printable/i.test(part.slice(0, start));
  return {
    subject: /^Subject: (.*)$/m.exec(message)?.[1]?.trim() ?? '',
    text: quoted
      ? body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      : body,
  };
}
