// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getClass } from '../../contract/classes.ts';
import { settings } from '../../contract/identity.ts';
import { listClosures, listPlaces } from '../../contract/places.ts';
import { aClass, someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { UpdateClass } from './UpdateClass.tsx';

const reviewed = 'Other changes are reviewed first; the class is off sale until it is approved.';

it.each([
  ['booked', { seat: 6 }, `Price, seats and dates change at once. ${reviewed}`],
  ['not booked', { seat: aClass.capacity }, `Price and seats change at once. ${reviewed}`],
])('says what is not reviewed of a class that is %s', async (_, more, words) => {
  const own = { ...aClass, ...more, feedback: '' };
  show(<UpdateClass />, {
    role: 'instructor',
    at: { pathname: '/updateclass', search: '', state: { item: { _id: 'x' } } },
    replies: [
      answers(getClass, own),
      answers(settings, someSettings),
      answers(listPlaces, []),
      answers(listClosures, []),
    ],
  });
  expect(await screen.findByText(words)).toBeTruthy();
});
