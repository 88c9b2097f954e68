// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { DayChart, roundTop } from './DayChart.tsx';
import { dayName } from './dates.ts';

const points = [
  { day: '2026-01-05', value: 10 },
  { day: '2026-01-06', value: 30 },
  { day: '2026-01-07', value: 5 },
];
const chart = (before: number) =>
  show(
    <DayChart title="Revenue, 3 days" points={points} before={before} format={(n) => `$${n}`} />,
  );

it('shows the sum, and its change to the days before', () => {
  chart(40);
  expect(screen.getByText('$45')).toBeTruthy();
  expect(screen.getByRole('figure').textContent).toContain('+13 % to the 3 days before');
});

it('says that there was nothing before instead of a change', () => {
  chart(0);
  expect(screen.getByText('nothing in the 3 days before')).toBeTruthy();
});

it('the arrow keys move along the bars, each day is announced', () => {
  chart(40);
  const bars = screen.getByRole('slider', { name: 'Revenue, 3 days: the value of a day' });
  const said = () => bars.getAttribute('aria-valuetext');
  expect(said()).toBe(`${dayName('2026-01-07')}: $5, today so far`);
  fireEvent.keyDown(bars, { key: 'ArrowLeft' });
  expect(said()).toBe(`${dayName('2026-01-06')}: $30`);
  fireEvent.keyDown(bars, { key: 'Home' });
  fireEvent.keyDown(bars, { key: 'ArrowLeft' });
  expect(said()).toBe(`${dayName('2026-01-05')}: $10`);
  expect(within(bars).getByText(`${dayName('2026-01-05')}: $10`)).toBeTruthy();
  fireEvent.keyDown(bars, { key: 'End' });
  expect(bars.getAttribute('aria-valuenow')).toBe('3');
});

it('has the numbers as a table, the newest first', () => {
  chart(40);
  const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', {
    hidden: true,
  });
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayRevenue',
    `${dayName('2026-01-07')} (today so far)$5`,
    `${dayName('2026-01-06')}$30`,
    `${dayName('2026-01-05')}$10`,
  ]);
});

it('the upper gridline is round with a round half', () => {
  expect([0, 1, 3, 7, 11, 61, 99, 100, 813, 8_001].map(roundTop)).toEqual([
    2, 2, 4, 8, 20, 80, 100, 200, 1_000, 10_000,
  ]);
});
