// The secrets of an installation: what one must look like, a fresh one, and those that are made at
// the first start and kept in DATA_DIR. In production they come from the environment.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** 32 random bytes have 43 characters in base64. Whether they are random is not guessed. */
export const isSecret = (value: string) => /^[\w+/-]{43,}={0,2}$/.test(value);

export const freshSecret = () => randomBytes(32).toString('base64url');
export const freshCareKey = () => `1:${randomBytes(32).toString('base64')}`;

/** A key that seals care facts. The number is stored with what it sealed. */
export interface CareKey {
  id: number;
  key: Buffer;
}

export function readCareKeys(value: string): CareKey[] | null {
  const keys = value.split(',').map((part) => {
    const [, id, key] = /^([1-9]\d{0,3}):([\w+/-]{43}=?)$/.exec(part.trim()) ?? [];
    return { id: Number(id), key: Buffer.from(key ?? '', 'base64') };
  });
  const ids = new Set(keys.map(({ id }) => id));
  const sound = ids.size === keys.length && keys.every(({ key }) => key.length === 32);
  return sound ? keys : null;
}

/** Signs sessions: stored so that they survive a restart. Null when the file is damaged. */
export function ownSecret(dataDir: string): string | null {
  const secret = madeOnce(dataDir, 'secret', freshSecret);
  return isSecret(secret) ? secret : null;
}

export const careKeyFile = 'care-keys';

export const ownCareKeys = (dataDir: string) => madeOnce(dataDir, careKeyFile, freshCareKey);

/** Two concurrent first starts must use the same secret, so the file is created atomically. */
function madeOnce(dataDir: string, name: string, make: () => string): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}
