// A table of any rows: headings that sort, loading, empty and error states, pages. In a narrow place
// every row is a card, so that the page never scrolls sideways (app/table.css).
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState, ErrorNote } from './States.tsx';
import { around, rangeInWords } from './PageLinks.tsx';
import { momentOf } from './dates.ts';
import { Icon } from './Icon.tsx';
import { number } from './locale.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row, serial: number) => ReactNode;
  /** The two values of `sort` that this heading switches between; without them it is plain text. */
  sort?: readonly [ascending: string, descending: string];
  numeric?: boolean;
  /** User text or an address: may break anywhere, so that it does not widen the table. */
  long?: boolean;
  /** On a card the cell says what it is: no label. */
  bare?: boolean;
  /** What the cell is on a card: headline, line under it, picture, number, buttons, or left out. */
  part?: 'lead' | 'under' | 'picture' | 'serial' | 'actions' | 'desk';
}

interface TableProps<Row> {
  /** What is listed, for those who hear the page: "Users". */
  caption: string;
  /** What the pages count, where it is not the caption: "classes". */
  noun?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The rows shown are those of another page or search; the right ones are on their way. */
  stale?: boolean;
  error?: Error | null;
  onRetry?: () => void;
  empty: ReactNode;
  marked?: string | undefined;
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  paging?: {
    page: number;
    size: number;
    total: number;
    totalInWords: string;
    onPage: (page: number) => void;
  };
}

export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    noun = caption.toLowerCase(),
    columns,
    rows,
    rowKey,
    stale = false,
    error,
    onRetry,
    empty,
    marked,
    sort,
    onSort,
    paging,
  } = props;
  if (error && !rows) return <ErrorNote message={error.message} {...(onRetry && { onRetry })} />;
  if (rows?.length === 0)
    return paging && paging.page > 1 && paging.total > 0 ? (
      <PastEnd noun={noun} onFirst={() => paging.onPage(1)} />
    ) : (
      empty
    );
  const before = paging ? (paging.page - 1) * paging.size : 0;

  return (
    <div aria-busy={!rows || stale} className="rows-frame">
      {onSort && <SortSelect columns={columns} sort={sort} onSort={onSort} />}
      <div className="rows-edge relative">
        <table className={`rows ${stale ? 'opacity-60' : ''} ${columns.length > 6 ? 'dense' : ''}`}>
          <caption className="sr-only">{rows ? caption : `${caption}: loading`}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              ? rows.map((row, index) => (
                  <tr key={rowKey(row)} className={rowKey(row) === marked ? 'marked' : undefined}>
                    {columns.map((column) => (
                      <Cell key={column.title} column={column}>
                        {column.cell(row, before + index + 1)}
                      </Cell>
                    ))}
                  </tr>
                ))
              : waitingRows.map((line) => (
                  <tr key={line}>
                    {columns.map(({ title, part = 'fact' }) => (
                      <td key={title} className={part} aria-label={title}>
                        <span className="skeleton inline-block h-4 w-20 max-w-full align-middle" />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {paging && rows && <Pagination of={noun} {...paging} />}
    </div>
  );
}

/** A link to a page that is no longer there, or a typed number. */
function PastEnd({ noun, onFirst }: { noun: string; onFirst: () => void }) {
  const first = () => {
    onFirst();
    document.getElementById('content')?.focus();
  };
  return (
    <EmptyState
      title="This page is past the end"
      action={<Button onClick={first}>First page</Button>}
    >
      There are fewer {noun} than that.
    </EmptyState>
  );
}

const waitingRows = ['a', 'b', 'c', 'd', 'e'];

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const { title, part = 'fact', numeric = false, long = false, bare = false } = column;
  const className = `${part} ${numeric ? 'numeric' : ''} ${long ? 'long' : ''} ${bare ? 'bare' : ''}`;
  if (part === 'lead')
    return (
      <th scope="row" className={className}>
        {children}
      </th>
    );
  return (
    <td className={className}>
      {part === 'fact' && !bare && <span className="label">{title}</span>}
      {part === 'fact' && <span className="min-w-0">{children}</span>}
      {part === 'actions' && <div>{children}</div>}
      {part !== 'fact' && part !== 'actions' && children}
    </td>
  );
}

interface SortProps {
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: SortProps & { column: Column<Row> }) {
  const className = column.numeric ? 'numeric' : undefined;
  const [ascending, descending] = column.sort ?? [];
  if (!ascending || !descending || !onSort) {
    return (
      <th scope="col" className={className}>
        {column.part === 'actions' ? <span className="sr-only">{column.title}</span> : column.title}
      </th>
    );
  }
  const up = sort === ascending;
  const down = sort === descending;
  return (
    <th
      scope="col"
      aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}
      className={className}
    >
      <button
        type="button"
        className="inline-flex min-h-6 cursor-pointer items-center gap-1.5 uppercase hover:text-base-content"
        onClick={() => onSort(up ? descending : ascending)}
      >
        {column.title}
        <span aria-hidden="true" className={up || down ? 'text-base-content' : 'opacity-50'}>
          {up ? '↑' : down ? '↓' : '↕'}
        </span>
      </button>
    </th>
  );
}

function SortSelect<Row>({
  columns,
  sort,
  onSort,
}: SortProps & { columns: readonly Column<Row>[] }) {
  const ways = columns.flatMap((column) =>
    column.sort
      ? [
          { value: column.sort[0], label: `${column.title} ↑` },
          { value: column.sort[1], label: `${column.title} ↓` },
        ]
      : [],
  );
  if (ways.length === 0) return null;
  return (
    <label className="rows-sort">
      <span className="muted">Sort by</span>
      <select
        className="select w-auto"
        value={sort ?? ''}
        onChange={(event) => onSort?.(event.target.value)}
      >
        {!ways.some((way) => way.value === sort) && <option value={sort ?? ''}>Default</option>}
        {ways.map((way) => (
          <option key={way.value} value={way.value}>
            {way.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PaginationProps {
  of: string;
  page: number;
  size: number;
  total: number;
  /** Where more are found than counted, for example "10,000+". */
  totalInWords: string;
  onPage: (page: number) => void;
}

function Pagination({ of, page, size, total, totalInWords, onPage }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return null;

  return (
    <nav aria-label={`Pages of ${of}`} className="apart pt-4">
      <p className="text-sm muted">{rangeInWords(page, size, total, totalInWords, of)}</p>
      <ul className="flex flex-wrap items-center gap-1">
        <li>
          <Step label="Previous page" to={Math.min(page - 1, last)} off={page <= 1} onPage={onPage}>
            <Icon name="left" className="size-4" />
          </Step>
        </li>
        {around(page, last).map((entry, index, all) => (
          <li key={entry} className="flex items-center">
            {index > 0 && entry - (all[index - 1] ?? 0) > 1 && (
              <span aria-hidden="true" className="px-1 muted">
                …
              </span>
            )}
            <Step
              label={`Page ${number(entry)}`}
              to={entry}
              current={entry === page}
              onPage={onPage}
            >
              {number(entry)}
            </Step>
          </li>
        ))}
        <li>
          <Step label="Next page" to={page + 1} off={page >= last} onPage={onPage}>
            <Icon name="right" className="size-4" />
          </Step>
        </li>
      </ul>
    </nav>
  );
}

interface StepProps {
  label: string;
  to: number;
  off?: boolean;
  current?: boolean;
  onPage: (page: number) => void;
  children: React.ReactNode;
}

function Step({ label, to, off = false, current = false, onPage, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      // Not `disabled`: Next keeps the focus on the last page.
      aria-disabled={off || undefined}
      onClick={off ? undefined : () => onPage(to)}
      className={`btn btn-square btn-sm min-w-9 max-sm:min-w-11 w-auto px-2 ${current ? 'btn-neutral' : 'btn-ghost'}`}
    >
      {children}
    </button>
  );
}

/** A point in time, on one line. */
export const When = ({ at, as = momentOf }: { at: string; as?: (at: string) => string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {as(at)}
  </time>
);
