// How the list of dates changes while somebody works on it, and where the focus goes. Pure.
import { type Cell, type DateRow, emptyRow, inOrder, type Problem, type Teacher } from './rows.ts';

interface DatesState {
  base: readonly DateRow[];
  /** `dates` of the class as it was read: the server refuses a change of another version. */
  version: number;
  rows: readonly DateRow[];
  open: string | null;
  refused: readonly Problem[];
  /** The last thing that was done, for those who hear the page. */
  said: string;
  /** What got the focus last. A new object moves it. */
  focus: { id: string } | null;
}

export type Act = (state: DatesState) => DatesState;

export const start = (rows: readonly DateRow[], version: number): DatesState => ({
  base: rows,
  version,
  rows,
  open: null,
  refused: [],
  said: '',
  focus: null,
});

export const cellId = (key: string, cell: Cell) => `date-${key}-${cell}`;
export const buttonId = (key: string) => `date-${key}-change`;
const onCell = (key: string, cell: Cell) => ({ id: cellId(key, cell) });
const onButton = (key: string) => ({ id: buttonId(key) });
export const addId = 'dates-add';
export const listId = 'dates-list';

const change = (state: DatesState, key: string, part: Partial<DateRow>): DatesState => ({
  ...state,
  rows: state.rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
  refused: state.refused.filter((problem) => problem.key !== key),
});

export const acts = {
  fill:
    ({ rows, said }: Pick<DatesState, 'rows' | 'said'>): Act =>
    (state) => ({ ...state, rows, said, refused: [] }),

  /** A new date is like the last one: only its day is missing. */
  add: (): Act => (state) => {
    const row = emptyRow(state.rows.at(-1));
    const rows = [...state.rows, row];
    return { ...state, rows, open: row.key, said: '', focus: onCell(row.key, 'day') };
  },

  open:
    (key: string): Act =>
    (state) => ({ ...state, open: key, focus: onCell(key, 'day') }),

  /** Only now the rows are put in order: a row must not jump while its day is typed. */
  close: (): Act => (state) => ({
    ...state,
    open: null,
    rows: inOrder(state.rows),
    focus: state.open ? onButton(state.open) : state.focus,
  }),

  change:
    (key: string, cell: Cell, value: string): Act =>
    (state) =>
      change(state, key, { [cell]: value }),

  teach:
    (key: string, teacher: Teacher): Act =>
    (state) =>
      change(state, key, { teacher, isChosen: true }),

  cancel:
    (key: string, cancelled: boolean): Act =>
    (state) => ({
      ...change(state, key, { cancelled }),
      open: state.open === key ? null : state.open,
      said: cancelled ? 'Will be cancelled when you save.' : 'Takes place again.',
      focus: onButton(key),
    }),

  /** The focus goes to the next date, at the end to the one before. */
  remove:
    (key: string): Act =>
    (state) => {
      const index = state.rows.findIndex((row) => row.key === key);
      const rows = state.rows.filter((row) => row.key !== key);
      const near = rows[index] ?? rows[index - 1];
      return {
        ...state,
        rows,
        open: state.open === key ? null : state.open,
        refused: state.refused.filter((problem) => problem.key !== key),
        said: 'Date removed.',
        focus: near && !near.over ? onButton(near.key) : { id: addId },
      };
    },

  removeAll: (): Act => (state) => ({
    ...state,
    rows: state.rows.filter(({ over }) => over),
    open: null,
    refused: [],
    said: 'All dates removed.',
    focus: { id: addId },
  }),

  /** The first wrong field is shown and has the focus. */
  refuse:
    (problems: readonly Problem[]): Act =>
    (state) => {
      const first = problems[0];
      const at = first && { open: first.key, focus: onCell(first.key, first.cell) };
      return { ...state, refused: problems, ...at };
    },

  /** Somebody else was faster: `base` is stored now, `rows` is what it is to become. */
  merge:
    (base: readonly DateRow[], rows: readonly DateRow[], version: number): Act =>
    () => ({ ...start(base, version), rows, focus: { id: listId } }),
};
