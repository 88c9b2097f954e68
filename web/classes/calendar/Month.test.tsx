// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listClosures } from '../../../contract/classes/places.ts';
import { answers, show } from '../../testing/screen.tsx';
import { Month } from './Month.tsx';
import { shownBy } from './shown.ts';

const page = (address: string) =>
  show(
    <Month
      shown={shownBy(new URLSearchParams(address), '2027-06-01')}
      today="2027-06-01"
      items={[]}
      toDay={(day) => `/calendar?day=${day}`}
    />,
    {
      replies: [
        answers(listClosures, [
          { _id: 'h1', name: 'City festival', firstDay: '2027-06-12', lastDay: '2027-06-13' },
        ]),
      ],
    },
  );

it('names the holiday on each of its days, and on no other', async () => {
  page('view=month&month=2027-06');
  const days = await screen.findAllByRole('link', { name: /holiday: City festival, 0 meetings/ });
  expect(days.map((day) => day.dataset['day'])).toEqual(['2027-06-12', '2027-06-13']);
});

it('names it above what is planned on the chosen day', async () => {
  page('view=month&month=2027-06&day=2027-06-13');
  expect(await screen.findByText('Holiday: City festival')).toBeTruthy();
  expect(screen.getByText('Nothing is planned on this day.')).toBeTruthy();
});
