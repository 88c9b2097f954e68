// Where a redirect may lead: to a path of ours, never to another host.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safePath } from './paths.ts';
import { originOf } from './session/origin.ts';

describe('after signing in', () => {
  it('leads back to the page, its query and its anchor', () => {
    expect(originOf({ from: { pathname: '/classes', search: '?sort=price', hash: '#top' } })).toBe(
      '/classes?sort=price#top',
    );
  });

  it.each([
    null,
    undefined,
    'x',
    {},
    { from: null },
    { from: 'https://evil.example' },
    { from: { pathname: '//evil.example' } },
  ])('leads home from %j', (state) => {
    expect(originOf(state)).toBe('/');
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '',
  ])('never leads to %j', (target) => {
    expect(safePath(target)).toBe('/');
  });

  it.each(['/classes', '/classes?sort=-price&page=2#top', '/dashboard/payment?item=1%2F2'])(
    'leads to %s',
    (target) => {
      expect(safePath(target)).toBe(target);
    },
  );

  it('never leads to another host, for any text', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'https:',
      'evil.example',
    );
    const target = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    );
    for (const base of ['https://rally.example.com', 'http://localhost:3000']) {
      const stays = fc.property(target, (text) => {
        expect(new URL(safePath(text), base).origin).toBe(base);
      });
      fc.assert(stays, { numRuns: 2_000, seed: 2026 });
    }
  });
});
