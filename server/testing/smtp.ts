// An SMTP server for tests that keeps the mails it received.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Received {
  to: string;
  subject: string;
  text: string;
}

export async function startSmtp() {
  const mails: Received[] = [];
  const sockets = new Set<Socket>();
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
        if (data) mails.push({ to, ...read(said) });
        else to = /^RCPT TO:<(.*)>/i.exec(said)?.[1] ?? to;
        data = !data && said === 'DATA';
        socket.write(data ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
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
