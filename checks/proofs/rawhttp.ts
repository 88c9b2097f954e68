// HTTP/1.1 byte by byte over a socket: requests that Node's own client and inject() would refuse or
// correct.
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export interface RawRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: Buffer;
}

export interface RawAnswer {
  statusCode: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** A stream has no end of its own: its head is the answer. */
const isStream = /^HTTP\/1\.1 200 [^]*\r\ncontent-type: text\/event-stream[^]*\r\n\r\n/i;

/** Null when the connection was closed without a response. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawAnswer | null> {
  const chunks: Buffer[] = [];
  await new Promise<void>((closed, silent) => {
    const socket = connect(port, '127.0.0.1');
    const patience = setTimeout(() => {
      socket.destroy();
      silent(new Error(`${request.method} ${request.target} got no answer in 25 s`));
    }, 25_000);
    socket
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (isStream.test(Buffer.concat(chunks).toString('latin1'))) socket.end();
      })
      // The server may close while we still write: what it sent before counts.
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(patience);
        closed();
      });
    socket.write(bytesOf(request));
  });
  return answerIn(Buffer.concat(chunks));
}

function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(named.has('host') ? [] : ['host: localhost:3000']),
    ...(body && !named.has('content-length') && !named.has('transfer-encoding')
      ? [`content-length: ${body.length}`]
      : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

function answerIn(bytes: Buffer): RawAnswer | null {
  if (bytes.length === 0) return null;
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const statusCode = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  const rest = bytes.subarray(end + 4);
  // "100 Continue" only says that the response comes next.
  if (statusCode === 100) return answerIn(rest);
  const headers = Object.fromEntries(
    lines
      .map((line) => line.split(/: (.*)/s))
      .map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  // More may follow on the connection, for example Node's error about the rest of a request that
  // was answered already.
  const size = Number(headers['content-length'] ?? rest.length);
  const whole = headers['transfer-encoding'] === 'chunked' ? joined(rest) : rest.subarray(0, size);
  return { statusCode, headers, body: unpacked(whole, headers['content-encoding']).toString() };
}

function joined(bytes: Buffer): Buffer {
  const line = bytes.indexOf('\r\n');
  const size = Number.parseInt(bytes.subarray(0, line).toString(), 16);
  if (line < 0 || !(size > 0)) return Buffer.alloc(0);
  const start = line + 2;
  return Buffer.concat([
    bytes.subarray(start, start + size),
    joined(bytes.subarray(start + size + 2)),
  ]);
}

function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'deflate' ? inflateSync(bytes) : bytes;
}
