import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownPath } from './ownpath.ts';

const origin = 'https://rally.example.com';

it.each(['/', '/classes?sort=price#top', '/dashboard/payment?item=a%2Fb'])('keeps %s', (path) => {
  expect(ownPath(path, origin)).toBe(path);
  expect(ownPath(origin + path, origin)).toBe(path);
});

it.each([
  'https://evil.example',
  'https://rally.example.com@evil.example',
  String.raw`/\evil.example`,
  '/.//evil.example',
  '/%2e//evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
])('leads home for %j', (target) => expect(ownPath(target, origin)).toBe('/'));

it('stays on our host for any text', () => {
  const parts = ['/', '\\', '.', '%2e', '\t', '\n', '@', ':', '?', '#', 'https:', 'evil.example'];
  const made = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(''));
  const stays = fc.property(fc.oneof(made, fc.string({ unit: 'binary' })), (target) => {
    expect(new URL(ownPath(target, origin), origin).origin).toBe(origin);
  });
  fc.assert(stays, { numRuns: 500, seed: 2026 });
});
