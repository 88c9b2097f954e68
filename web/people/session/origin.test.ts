import { expect, it } from 'vitest';
import { originOf } from './origin.ts';

it('leads back to the page of before, or home', () => {
  const from = { pathname: '/classes', search: '?sort=price', hash: '#top' };
  expect(originOf({ from })).toBe('/classes?sort=price#top');
  for (const state of [null, {}, { from: null }, { from: { pathname: '//evil.example' } }])
    expect(originOf(state)).toBe('/');
});
