import { expect, it } from 'vitest';
import { meantBy } from './meant.ts';

it.each([
  ['maria@gmial.con', 'maria@gmail.com'],
  ['maria@gmai.com', 'maria@gmail.com'],
  ['maria@GMAIL.CO', 'maria@gmail.com'],
  ['pia@hotmial.com', 'pia@hotmail.com'],
  ['pia@outlok.com', 'pia@outlook.com'],
  ['tom@yahooo.com', 'tom@yahoo.com'],
  ['tom@wbe.de', 'tom@web.de'],
  ['office@tennis-club.con', 'office@tennis-club.com'],
])('%s was meant to be %s', (typed, meant) => expect(meantBy(typed)).toBe(meant));

it.each([
  'maria@gmail.com',
  'maria@mail.com',
  'maria@ymail.com',
  'pia@hotmail.no',
  'pia@yahoo.co.uk',
  'tom@gmx.at',
  'tom@live.nl',
  'office@tennis-club.com',
  'gmial.con',
  '@gmial.com',
  '',
])('%s has no slip', (typed) => expect(meantBy(typed)).toBeNull());
