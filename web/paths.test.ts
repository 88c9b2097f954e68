// Where a redirect may lead: to a path of ours, never to another host.
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

  it.each(['https://evil.example', '//evil.example', String.raw`/\evil.example`, 'javascript:alert(1)', ''])(
    'never leads to %s',
    (target) => {
      expect(safePath(target)).toBe('/');
    },
  );
});
