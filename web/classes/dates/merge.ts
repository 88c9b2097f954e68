// Somebody else has changed the dates meanwhile: what was typed here is put onto what is stored now.
import { type DateRow, inOrder, isChanged, newKey } from './rows.ts';

/**
 * `base` is what was read first, `mine` what was typed since, `fresh` what is stored now. A row that
 * was changed here stays as typed; any other follows what is stored. A row that was typed here and
 * is stored by now, as after an answer that got lost, is there once.
 */
export function merge(
  base: readonly DateRow[],
  mine: readonly DateRow[],
  fresh: readonly DateRow[],
): DateRow[] {
  const first = new Map(base.map((row) => [row.key, row]));
  const typed = new Map(mine.map((row) => [row.key, row]));
  const stored = new Set(fresh.map(({ key }) => key));
  const isTyped = (row: DateRow) => {
    const was = first.get(row.key);
    return was !== undefined && isChanged([was], [row]);
  };
  const kept = fresh.flatMap((row) => {
    const own = typed.get(row.key);
    if (!own) return first.has(row.key) ? [] : [row];
    return [isTyped(own) && !row.over ? own : row];
  });
  const slots = new Set(fresh.map(({ day, starts }) => `${day} ${starts}`));
  const added = mine.filter((row) => {
    if (stored.has(row.key)) return false;
    const isNew = !first.has(row.key);
    return (isNew || isTyped(row)) && !slots.has(`${row.day} ${row.starts}`);
  });
  return inOrder([...kept, ...added.map((row) => (row._id ? asNew(row) : row))]);
}

/** The meeting is gone; what was typed about it becomes a new one. */
const asNew = ({ day, starts, minutes, placeId }: DateRow): DateRow => ({
  day,
  starts,
  minutes,
  placeId,
  key: newKey(),
  cancelled: false,
  over: false,
});
