import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sportIcons } from '../../contract/platform/sporticons.ts';

it('has every icon that a sport can have in its file', () => {
  const file = readFileSync(new URL('../public/media/sport/icons.svg', import.meta.url), 'utf8');
  expect([...file.matchAll(/ id="(\w+)"/g)].map(([, name]) => name)).toEqual([...sportIcons]);
});
