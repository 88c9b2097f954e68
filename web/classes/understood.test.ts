import { expect, it } from 'vitest';
import { understood, unsaid } from './understood.ts';

it.each([
  ['tennis 7 year old saturday', { rest: 'tennis', age: '7', day: 'sat' }],
  ['swimming for 7 year old', { rest: 'swimming', age: '7' }],
  ['Tennis, Saturday, 8 years', { rest: 'tennis', age: '8', day: 'sat' }],
  [
    'soccer aged 10, weekday afternoons',
    { rest: 'soccer', age: '10', day: 'weekdays', time: 'afternoon' },
  ],
  ['kids tennis', { rest: 'tennis' }],
  ['after school', { rest: '', day: 'weekdays', time: '15' }],
  ['judo after 4', { rest: 'judo', time: '16' }],
  ['judo after 5:30 pm', { rest: 'judo', time: '17' }],
  ['16:00', { rest: '', time: '16' }],
  ['mondays and wednesdays', { rest: '', day: 'mon,wed' }],
  ['sun salutation', { rest: 'sun salutation' }],
  ['football 7', { rest: 'football 7' }],
])('%s', (typed, expected) => {
  const { words: _words, ...told } = understood(typed);
  expect(told).toEqual(expected);
});

it('takes back what was said with its words', () => {
  expect(unsaid('Tennis on Saturday, 7 years', 'day')).toBe('Tennis on 7 years');
  expect(unsaid('Tennis on Saturday', 'age')).toBe('Tennis on Saturday');
});
