// Hashing passwords: argon2id of Node's own crypto, off the event loop, a few at a time. NOT for:
// which passwords are allowed (contract/rules.ts) or how often somebody may guess (guesses.ts).
import { AsyncLocalStorage } from 'node:async_hooks';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '../../http/fail.ts';

const costs = {
  /** OWASP's second recommendation: 19 MiB, two passes, one lane. */
  full: { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 },
  /** For tests; the configuration of a production server refuses it. */
  cheap: { memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
};
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
const turns = new AsyncLocalStorage<{ end: (() => void) | null }>();

/** Waits for a turn. Answers how it ends. */
async function takeTurn(): Promise<() => void> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) fail('UNAVAILABLE', {}, 2);
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  return () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
}

/**
 * The first hash in `work` is made in this turn, which ends with it. A sign-in takes it before it looks
 * for the account: those that find none come to their hash sooner, and with many at once the order of
 * the answers would tell which they are.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const around = turns.getStore();
  const turn = { end: around?.end ?? (await takeTurn()) };
  if (around) around.end = null;
  try {
    return await turns.run(turn, work);
  } finally {
    turn.end?.();
  }
}

function derive(password: string, nonce: Buffer, parameters: typeof costs.full): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message: password.normalize('NFKC'), nonce, ...parameters },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/**
 * As a PHC string, which carries its own cost: raising the cost later leaves old hashes readable.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const parameters = cost;
  const key = await inTurn(() => derive(password, salt, parameters));
  const { memory, passes, parallelism } = parameters;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(key)}`;
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt = '', key = ''] = parts;
  const expected = Buffer.from(key, 'base64');
  const parameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  };
  const actual = await inTurn(() => derive(password, Buffer.from(salt, 'base64'), parameters));
  return timingSafeEqual(actual, expected);
}
