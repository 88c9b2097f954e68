// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listClasses } from '../../contract/classes/classes.ts';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';
import { answers, show } from '../testing/screen.tsx';
import { AttendanceList } from './AttendanceList.tsx';
import { aRollCall } from '../testing/samples.ts';

const counts = { present: 8, late: 1, absent: 2, excused: 1 };
const meeting: RollCall = { ...aRollCall, over: true, taken: true, ...counts };
const noClasses = answers(listClasses, { result: [], outQueryResult: [], total: 0 });

const page = (...items: RollCall[]) =>
  show(<AttendanceList />, {
    role: 'admin',
    replies: [answers(listRollCalls, { items, total: items.length }), noClasses],
  });

it('counts who came, and names whom to follow up', async () => {
  page({
    ...meeting,
    walkIns: [{ guest: 'Tom', note: '0123 456' }],
    missedThree: [{ participantId: 'p1', name: 'Mia' }],
  });
  const row = await screen.findByRole('row', { name: /First Touch Soccer/ });
  expect(row.textContent).toContain('9 of 12');
  expect(row.textContent).toContain('1 late · 2 absent · 1 excused');
  expect(row.textContent).toContain('Mia 3 absences in a row');
  expect(row.textContent).toContain('Tom walk-in · 0123 456');
});

it('says when there is no roll call, or nobody to call', async () => {
  const open = { ...aRollCall, over: true };
  page(open, { ...open, meetingId: 'm2', over: false }, { ...open, meetingId: 'm3', expected: 0 });
  const rows = await screen.findAllByRole('row', { name: /First Touch Soccer/ });
  const shown = rows.map(({ textContent }) => textContent ?? '');
  const nth = (word: string) => shown.findIndex((text) => text.includes(word));
  expect([nth('No roll call'), nth('12 expected'), nth('Nobody enrolled')]).toEqual([0, 1, 2]);
});

it('keeps its filters in the URL, and says when none is missing', async () => {
  const { where } = page();
  expect(await screen.findByText('No meeting yet')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'No roll call' }));
  expect(await screen.findByText('No roll call is missing')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-16' } });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-01' } });
  expect(screen.getByRole('alert').textContent).toBe('This is before the first day.');
  expect(where()).toBe('/?missing=true&from=2026-11-16&to=2026-11-01');
});
