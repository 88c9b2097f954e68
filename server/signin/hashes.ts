// Hashing passwords: argon2id of Node's own crypto, off the event loop, two at a time.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '../platform/http/fail.ts';

const costs = {
  /** OWASP's second recommendation: 19 MiB, two passes, one lane. */
  full: { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 },
  /** For tests; the configuration of a production server refuses it. */
  cheap: { memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
};
type Cost = typeof costs.full;
let cost = costs.full;

/** For new hashes: a hash carries the cost it was made with. */
export function setPasswordCost(chosen: keyof typeof costs): void {
  cost = costs[chosen];
}

// Two of libuv's four threads, so that a rush of sign-ins leaves files and names to the rest of the
// server.
const atOnce = 2;
const mostWaiting = 200;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, nonce: Buffer, parameters: Cost): Promise<Buffer> {
  if (running < atOnce) running += 1;
  else if (waiting.length >= mostWaiting) fail('UNAVAILABLE', {}, 2);
  else await new Promise<void>((resolve) => void waiting.push(resolve));
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      argon2(
        'argon2id',
        { message: password.normalize('NFKC'), nonce, ...parameters },
        (error, key) => (error ? reject(error) : resolve(key)),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** As a PHC string: raising the cost later leaves old hashes readable. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { memory, passes, parallelism } = cost;
  const key = await derive(password, salt, cost);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(key)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** One hash is made also where there is none to compare with: known addresses answer no later. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  const parts = phc.exec(hash ?? '');
  if (!parts) return (await hashPassword(password)) === '';
  const [, memory, passes, parallelism, salt = '', key = ''] = parts;
  const expected = Buffer.from(key, 'base64');
  const parameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  };
  const actual = await derive(password, Buffer.from(salt, 'base64'), parameters);
  return timingSafeEqual(actual, expected);
}
