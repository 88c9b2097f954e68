// The codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds, one step either side)
// and the backup codes for a lost phone.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashOf } from '../platform/db/hashed.ts';

const digits = 6;
const period = 30;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** As RFC 4648 has it, without the padding. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => letters.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('');
}

export const newAppSecret = () => randomBytes(20);

function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const isFromApp = (code: string) => /^\d{6}$/.test(code);

/** Whether an app with this secret shows the code now. */
export function isAppCode(secret: Buffer, code: string, now = Date.now()): boolean {
  const step = Math.floor(now / 1_000 / period);
  const given = Buffer.from(code);
  return [step - 1, step, step + 1]
    .filter((each) => each >= 0)
    .map((each) => Buffer.from(codeAt(secret, each)))
    .some((right) => right.length === given.length && timingSafeEqual(right, given));
}

/** What the app reads as a picture. */
export function appAddress(secret: Buffer, { issuer, email }: { issuer: string; email: string }) {
  const query = new URLSearchParams({ secret: base32(secret), issuer });
  query.set('digits', String(digits));
  query.set('period', String(period));
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`;
}

/** Ten, of 50 random bits each. */
export const newCodes = () =>
  Array.from({ length: 10 }, () =>
    base32(randomBytes(7)).slice(0, 10).toLowerCase().replace(/^.{5}/, '$&-'),
  );

/** As a backup code is stored. */
export const codeHash = (code: string) => hashOf(code.toLowerCase());
