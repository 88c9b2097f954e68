// Secrets that are made at the first start and kept in DATA_DIR. Outside production only: in
// production they come from the environment. Not for: whether a secret is good (secrets.ts).
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

/** Signs sessions: stored so that they survive a restart. Null when the file is damaged. */
export function ownSecret(dataDir: string): string | null {
  const secret = madeOnce(dataDir, 'secret', () => randomBytes(32).toString('base64url'));
  return secret.length < 32 ? null : secret;
}

/** The file of the care keys. A backup does not contain it. */
export const careKeyFile = 'care-keys';

export const ownCareKeys = (dataDir: string) =>
  madeOnce(dataDir, careKeyFile, () => `1:${randomBytes(32).toString('base64')}`);

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
