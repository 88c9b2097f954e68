// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Roster } from '../../../contract/rollcall/rollcall.ts';
import { type Row, rowsOf } from '../rows.ts';
import { show } from '../../testing/screen.tsx';
import { PersonRow } from './PersonRow.tsx';
import { clockOf } from '../../platform/ui/dates.ts';

const [early, late] = ['2027-01-04T01:18:00.000Z', '2027-01-04T01:19:00.000Z'];
const mark = { _id: 'k2', status: 'absent', note: '', at: late, by: 'Marek', byId: 'm' } as const;
const mia = { participantId: 'mia', name: 'Mia', age: 8, mark, marks: [] };
const roster = { meetingId: 'mon', people: [mia], guests: [] } as unknown as Roster;
const [meetingId, participantId, status] = ['mon', 'mia', 'present'] as const;
const own = { _id: 'k1', meetingId, participantId, status, at: early };

it.each([
  ['a mark that waits and loses is told, with who and when', [own], 1],
  ["another coach's mark says who made it", [], 0],
])('%s', (_, waiting, told) => {
  const [row] = rowsOf(roster, { waiting, sent: [] }, { id: 'a', name: 'Ana' });
  const [press, note] = [() => undefined, undefined];
  const acts = { onTap: press, onMore: press, onCare: press };
  show(<PersonRow row={row as Row} meId="a" busy={false} readOnly={false} note={note} {...acts} />);
  const words = `Changed on another phone by Marek, ${clockOf(late)}. Here it was present ${clockOf(early)}.`;
  expect(screen.getByText(/^Absent/).textContent).toBe(`Absent ${clockOf(late)} · Marek`);
  expect(screen.queryAllByText(words)).toHaveLength(told);
});
