// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { noCare } from '../../../contract/people/care.ts';
import type { Roster } from '../../../contract/rollcall/rollcall.ts';
import { rowsOf } from '../rows.ts';
import { show } from '../../testing/screen.tsx';
import { PrintList } from './PrintList.tsx';

const pickup = [{ name: 'Eva Novak', relation: 'aunt', phone: '+351 912' }];
const [me, state, none] = [{ id: 'a', name: 'Ana' }, 'filled', { mark: null, marks: [] }];

it('the printed list says who may pick up, and who goes alone', () => {
  const people = [
    { ...none, name: 'Ada', care: { ...noCare, state, pickup } },
    { ...none, name: 'Bea', care: { ...noCare, state, mayGoAlone: true } },
    { ...none, name: 'Carla', care: { ...noCare, state: 'unreadable' } },
  ].map((person) => Object.assign(person, { participantId: person.name }));
  const roster = { name: 'Tennis', meetingId: null, people, guests: [] } as unknown as Roster;
  const rows = rowsOf(roster, { waiting: [], sent: [] }, me);
  show(<PrintList roster={roster} meeting={undefined} rows={rows} me={me} />);
  const cells = [...document.querySelectorAll('td')].map(({ textContent }) => textContent);
  const last = [0, 1, 2].map((row) => cells.slice(row * 7 + 5, row * 7 + 7));
  expect(last).toEqual([
    ['Eva Novak (aunt): +351 912', 'No'],
    ['Guardians only', 'Yes'],
    ['', ''],
  ]);
});
