// Sealed with AES-256-GCM: 12 random bytes, the ciphertext and a tag of 16 bytes. What it is bound to
// is authenticated with it, so a text that is copied to another row does not open.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';

export function seal(key: Uint8Array, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo));
  const parts = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...parts, cipher.getAuthTag()]);
}

/** Null when it does not open: another key, bound to something else, damaged bytes. */
export function unseal(key: Uint8Array, boundTo: string, sealed: Buffer): string | null {
  if (sealed.length < 28) return null;
  try {
    const opener = createDecipheriv(algorithm, key, sealed.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(sealed.subarray(-16));
    return Buffer.concat([opener.update(sealed.subarray(12, -16)), opener.final()]).toString(
      'utf8',
    );
  } catch {
    return null;
  }
}
