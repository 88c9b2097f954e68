import { expect, it } from 'vitest';
import { codeOf } from '../testing/totp.ts';
import { base32, codeHash, isAppCode, newCodes } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, the last six digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('at %i seconds the app shows %s', (seconds, code) => {
  const at = (moved: number) => isAppCode(secret, code, (seconds + moved) * 1_000);
  expect([at(0), at(30), at(-30), at(90), at(-90)]).toEqual([true, true, true, false, false]);
  expect(codeOf(base32(secret), 0, seconds * 1_000)).toBe(code);
});

it.each(['', '28708', '2870822', '287 82', '２８７０８２'])('%j is no code', (code) => {
  expect(isAppCode(secret, code, 59_000)).toBe(false);
});

// RFC 4648, section 10.
it.each([
  ['f', 'MY'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

it('backup codes are ten, all different, also in capitals', () => {
  const codes = newCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
  expect(codeHash(codes[0]?.toUpperCase() ?? '')).toEqual(codeHash(codes[0] ?? ''));
});
