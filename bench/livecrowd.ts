// Open pages in a process of their own, so that what they do does not delay the load generator.
// `hold COUNT URL…` opens streams and reads what has arrived every three seconds: the frames of 2,000
// phones are read elsewhere, and here they would take the time of the servers. `return COUNT URL`
// are pages after a restart. Only for bench/live.ts, which is sent one message.
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Returned {
  back: number;
  failed: number;
  /** When the last stream was open again. */
  lastMs: number;
}

const [mode, number = '0', ...urls] = process.argv.slice(2);
const count = Number(number);
const buffer = Buffer.alloc(64 * 1024);

/** Resolves when the stream is answered. */
const hold = (url: string) =>
  new Promise<void>((opened) => {
    const { hostname, port } = new URL(url);
    const callback = (length: number) => {
      const said = buffer.toString('latin1', 0, Math.min(length, 20));
      if (said.startsWith('HTTP/1.1 200')) opened();
      else if (said.startsWith('HTTP/1.1')) throw new Error(`refused with ${said}`);
      // No more until the three seconds are over.
      return false;
    };
    const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } });
    socket.on('close', () => {
      throw new Error('a stream was dropped');
    });
    socket.write(`GET /api/live/seats HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
    setTimeout(() => setInterval(() => socket.resume(), 3_000), Math.random() * 3_000);
  });

/** Every page connects again after 2 to 8 seconds and reads the list 0 to 8 seconds later. */
async function comeBack(url: string): Promise<Returned> {
  const started = performance.now();
  const sum = { back: 0, failed: 0, lastMs: 0 };
  const page = async () => {
    await sleep(2_000 + Math.random() * 6_000);
    get(`${url}/api/live/seats`, { agent: false }, (response) => {
      if (response.statusCode === 200) sum.back++;
      else sum.failed++;
      sum.lastMs = performance.now() - started;
      response.resume().on('error', () => undefined);
    }).on('error', () => sum.failed++);
    await sleep(Math.random() * 8_000);
    const { status } = await fetch(`${url}/api/classes?status=approved`);
    if (status >= 500) sum.failed++;
  };
  await Promise.all(Array.from({ length: count }, page));
  return sum;
}

process.on('disconnect', () => process.exit());
if (mode === 'hold') {
  await Promise.all(Array.from({ length: count }, (_, n) => hold(urls[n % urls.length] ?? '')));
  process.send?.('open');
} else process.send?.(await comeBack(urls[0] ?? ''));
