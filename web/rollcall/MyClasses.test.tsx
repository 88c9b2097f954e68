// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';
import { answers, show } from '../testing/screen.tsx';
import { TodaysMeetings } from './MyClasses.tsx';
import { aRollCall } from '../testing/samples.ts';

const meeting = (starts: string, given: Partial<RollCall>): RollCall => ({
  ...aRollCall,
  meetingId: `m${starts}`,
  starts,
  ...given,
});

it("lists today's meetings, each with its roll call", async () => {
  const items = [
    meeting('16:00', {}),
    meeting('12:00', { taken: true, present: 8, late: 1 }),
    meeting('08:00', { over: true }),
  ];
  show(<TodaysMeetings day="2026-11-16" />, {
    role: 'instructor',
    replies: [answers(listRollCalls, { items, total: 3 })],
  });
  const texts = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  const states = ['No roll call', '9 of 12 here', '12 expected'];
  expect(states.map((state, nth) => texts[nth]?.includes(state))).toEqual([true, true, true]);
  const link = screen.getByRole('link', { name: 'Roll call: First Touch Soccer, 16:00' });
  expect(link.getAttribute('href')).toBe('/dashboard/rollcall/c1?meeting=m16%3A00');
});
