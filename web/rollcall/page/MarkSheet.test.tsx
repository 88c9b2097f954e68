// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Mark, RosterPerson } from '../../../contract/rollcall/rollcall.ts';
import type { Row } from '../rows.ts';
import { show } from '../../testing/screen.tsx';
import { MarkSheet } from './MarkSheet.tsx';

const mark: Mark = {
  _id: 'k1',
  status: 'late',
  note: 'Bus',
  at: '2027-01-04T16:01:00.000Z',
  by: 'Ben',
  byId: 'ben',
};
const row = (of: Partial<Row>): Row => ({
  key: 'mia',
  name: 'Mia',
  person: { name: 'Mia' } as RosterPerson,
  mark: null,
  differing: [],
  waits: false,
  ...of,
});

const sheet = (of: Partial<Row> = {}, kept?: string) => {
  const told = { onMark: vi.fn<() => void>(), onNote: vi.fn<() => void>() };
  const onClose = vi.fn<() => void>();
  show(
    <MarkSheet
      row={row(of)}
      note={kept}
      readOnly={false}
      {...told}
      onCare={vi.fn<() => void>()}
      onClose={onClose}
    />,
  );
  return { ...told, onClose };
};
const write = (note: string) =>
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: note } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('tells the note when it is closed', () => {
  const { onNote, onMark, onClose } = sheet();
  expect(screen.getByText(/^Saved with the next status that you choose\. Until then/)).toBeTruthy();
  write(' Picked up by uncle ');
  press('Close');
  expect(onNote.mock.calls).toEqual([['Picked up by uncle']]);
  expect(onClose).toHaveBeenCalledOnce();
  expect(onMark).not.toHaveBeenCalled();
});

it('says of a person with a status that closing saves the note', () => {
  const { onNote } = sheet({ mark });
  expect(screen.getByText('Saved when you close this.')).toBeTruthy();
  write('');
  press('Close');
  expect(onNote.mock.calls).toEqual([['']]);
});

it('tells nothing when the note is as it was', () => {
  const { onNote, onClose } = sheet({ mark });
  write('Bus ');
  press('Close');
  expect(onNote).not.toHaveBeenCalled();
  expect(onClose).toHaveBeenCalledOnce();
});

it('shows the note that waits, and gives it to the status', () => {
  const { onNote, onMark } = sheet({}, 'Picked up by uncle');
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Picked up by uncle');
  press('Excused');
  expect(onMark.mock.calls).toEqual([['excused', 'Picked up by uncle']]);
  expect(onNote).not.toHaveBeenCalled();
});
