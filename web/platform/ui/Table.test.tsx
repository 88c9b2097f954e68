// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { type Column, Table } from './Table.tsx';

const columns: readonly Column<{ name: string; seats: number }>[] = [
  { title: 'Name', part: 'lead', cell: ({ name }) => name },
  { title: 'Seats', cell: ({ seats }) => seats },
];
const table = (rows?: { name: string; seats: number }[]) =>
  show(
    <Table
      caption="Classes"
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      empty="Nothing yet"
    />,
  );

it('a cell says its heading to a screen reader, too', () => {
  table([{ name: 'Judo', seats: 6 }]);
  const label = within(screen.getByRole('cell')).getByText('Seats');
  expect(label.closest('[aria-hidden]')).toBeNull();
});

it('has no empty row headings while it waits', () => {
  table();
  expect(screen.queryAllByRole('rowheader')).toEqual([]);
});
