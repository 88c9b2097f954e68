import { expect, test } from 'vitest';
import { emptyRow } from './rows.ts';
import { acts, addId, buttonId, cellId, start } from './state.ts';

const rows = ['a', 'b', 'c'].map((key, index) =>
  Object.assign(emptyRow(), { key, _id: key, day: `2027-01-0${index + 4}`, starts: '16:00' }),
);
const first = start(rows, 3);

test('after Remove the focus is on the next date, at last on Add', () => {
  const one = acts.remove('b')(first);
  expect(one.focus?.id).toBe(buttonId('c'));
  const two = acts.remove('c')(one);
  expect(two.focus?.id).toBe(buttonId('a'));
  expect(acts.remove('a')(two).focus?.id).toBe(addId);
});

test('a date is put in order when its fields are closed', () => {
  const typed = acts.change('a', 'day', '2027-02-01')(acts.open('a')(first));
  expect(typed.rows.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  const closed = acts.close()(typed);
  expect(closed.rows.map(({ key }) => key)).toEqual(['b', 'c', 'a']);
  expect(closed.focus?.id).toBe(buttonId('a'));
});

test('a refusal opens the row and goes when it is changed', () => {
  const refused = acts.refuse([{ key: 'b', cell: 'starts', words: 'Time overlaps' }])(first);
  expect(refused.open).toBe('b');
  expect(refused.focus?.id).toBe(cellId('b', 'starts'));
  expect(acts.change('a', 'starts', '10:00')(refused).refused).toHaveLength(1);
  expect(acts.change('b', 'starts', '10:00')(refused).refused).toEqual([]);
});

test('Remove all leaves the dates that are over', () => {
  const over = rows.map((row, index) => Object.assign({}, row, { over: index === 0 }));
  const left = acts.removeAll()(start(over, 1));
  expect(left.rows.map(({ key }) => key)).toEqual(['a']);
});
