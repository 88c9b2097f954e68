// Hashing passwords: argon2id of Node's own crypto, off the event loop, a few at a time. NOT for:
// which passwords are allowed (contract/rules.ts) or how often somebody may guess (guesses.ts).
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { createTurns } from '../../http/turns.ts';

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
const inTurn = createTurns({ atOnce: 2, mostWaiting: 200 });

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
