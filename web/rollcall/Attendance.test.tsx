// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { MarkStatus } from '../../contract/rollcall/marks.ts';
import { type AttendanceRow, listAttendance } from '../../contract/rollcall/rollcall.ts';
import { answers, show } from '../testing/screen.tsx';
import { Attendance } from './Attendance.tsx';

const row = (status: MarkStatus, nth: number): AttendanceRow => ({
  meetingId: `m${nth}`,
  classId: 'c1',
  className: 'First Touch Soccer',
  day: `2026-11-${String(28 - nth).padStart(2, '0')}`,
  starts: '16:00',
  startsAt: '2026-11-16T16:00:00.000Z',
  participantId: 'p1',
  person: 'Mia',
  status,
  note: nth === 0 ? 'Fever' : '',
  by: 'Ana Costa',
  at: '2026-11-16T16:01:00.000Z',
});
const of = (...statuses: MarkStatus[]) => {
  const items = statuses.map(row);
  show(<Attendance participantId="p1" />, {
    replies: [answers(listAttendance, { items, total: items.length })],
  });
};

it('sums up and lists the newest meetings, others when asked', async () => {
  of('excused', 'late', 'present', 'present', 'left', 'present', 'present', 'present');
  expect(await screen.findByText('7 of 8 · late once · excused once')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  expect(screen.getByText('Fever')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show all 8' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(8);
});
