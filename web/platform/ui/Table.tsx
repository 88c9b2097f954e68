// A table of any rows: headings that sort, loading, empty and error states, pages. With less than
// 60rem (its place counts, not the screen), every row is a card: the page never scrolls sideways.
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState, ErrorNote } from './States.tsx';
import { around, rangeInWords } from './PageLinks.tsx';
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
  /** What the cell is on a card: headline, line under it, picture, number, or buttons. */
  part?: 'lead' | 'under' | 'picture' | 'serial' | 'actions';
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
    <div aria-busy={!rows || stale} className="@container">
      {onSort && <SortSelect columns={columns} sort={sort} onSort={onSort} />}
      <div className="relative @min-[60rem]:overflow-x-auto @min-[60rem]:rounded-box @min-[60rem]:border @min-[60rem]:border-base-300 @min-[60rem]:bg-base-100">
        <table
          className={`w-full text-left text-sm @max-[60rem]:block ${stale ? 'opacity-60' : ''} ${columns.length > 6 ? 'dense' : ''}`}
        >
          <caption className="sr-only">{rows ? caption : `${caption}: loading`}</caption>
          <thead className="@max-[60rem]:hidden">
            <tr className="border-b border-base-300 bg-base-200/60">
              {columns.map((column) => (
                <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody className="@max-[60rem]:grid @max-[60rem]:grid-cols-1 @max-[60rem]:gap-3 @2xl:@max-[60rem]:grid-cols-2">
            {rows
              ? rows.map((row, index) => (
                  <tr
                    key={rowKey(row)}
                    className={`${rowClass} ${rowKey(row) === marked ? markedClass : ''}`}
                  >
                    {columns.map((column) => (
                      <Cell key={column.title} column={column}>
                        {column.cell(row, before + index + 1)}
                      </Cell>
                    ))}
                  </tr>
                ))
              : waitingRows.map((line) => (
                  <tr key={line} className={rowClass}>
                    {columns.map((column) => (
                      <Cell key={column.title} column={column}>
                        <span className="skeleton inline-block h-4 w-20 max-w-full align-middle" />
                      </Cell>
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
const rowClass =
  'border-b border-base-300 last:border-b-0 @min-[60rem]:hover:bg-base-200/40 ' +
  '@max-[60rem]:relative @max-[60rem]:flex @max-[60rem]:flex-col @max-[60rem]:gap-1.5 @max-[60rem]:rounded-box @max-[60rem]:border @max-[60rem]:bg-base-100 @max-[60rem]:p-4 @max-[60rem]:last:border-b';

const markedClass = 'bg-accent/25 @max-[60rem]:border-primary';

const cellClass = {
  lead: 'font-semibold @max-[60rem]:order-first @max-[60rem]:pr-10 @max-[60rem]:text-base @max-[60rem]:[tr:has(>[data-part=picture])_&]:flex @max-[60rem]:[tr:has(>[data-part=picture])_&]:min-h-14 @max-[60rem]:[tr:has(>[data-part=picture])_&]:items-center @max-[60rem]:[tr:has(>[data-part=picture])_&]:pl-20',
  under:
    '@max-[60rem]:order-first @max-[60rem]:-mt-1.5 @max-[60rem]:pr-10 @max-[60rem]:pb-1 @max-[60rem]:[tr:has(img)_&]:pl-11',
  picture: '@max-[60rem]:absolute @max-[60rem]:top-4 @max-[60rem]:left-4',
  serial: 'muted tabular-nums @max-[60rem]:absolute @max-[60rem]:top-4 @max-[60rem]:right-4',
  actions:
    '@max-[60rem]:order-last @max-[60rem]:mt-auto @max-[60rem]:pt-2 @max-[60rem]:has-[>div:empty]:hidden',
  plain:
    '@max-[60rem]:flex @max-[60rem]:items-baseline @max-[60rem]:justify-between @max-[60rem]:gap-4 @max-[60rem]:text-right',
};

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const part = column.part ?? 'plain';
  const breaks =
    part === 'lead' || column.long ? 'wrap-anywhere @min-[60rem]:min-w-36' : 'whitespace-nowrap';
  const className = `min-w-0 align-middle @min-[60rem]:h-12 @min-[60rem]:px-4 @min-[60rem]:py-1.5 @min-[60rem]:[.dense_&]:px-2.5 ${cellClass[part]} ${breaks} ${column.numeric ? '@min-[60rem]:text-right tabular-nums' : ''}`;
  if (part === 'lead') {
    return (
      <th scope="row" className={className}>
        {children}
      </th>
    );
  }
  return (
    <td className={className} data-part={part} data-bare={column.bare}>
      {part === 'plain' && !column.bare && (
        <span className="shrink-0 text-left muted @min-[60rem]:hidden" aria-hidden="true">
          {column.title}
        </span>
      )}
      {part === 'plain' && <span className="min-w-0">{children}</span>}
      {part === 'actions' && (
        <div className="flex flex-wrap gap-1.5 @min-[60rem]:ml-auto @min-[60rem]:w-max @min-[60rem]:max-w-88 @min-[60rem]:flex-nowrap @min-[60rem]:justify-end @min-[60rem]:gap-1">
          {children}
        </div>
      )}
      {(part === 'picture' || part === 'serial' || part === 'under') && children}
    </td>
  );
}

interface SortProps {
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: SortProps & { column: Column<Row> }) {
  const className = `px-4 py-3 [.dense_&]:px-2.5 text-xs font-semibold tracking-wide muted uppercase ${column.numeric ? 'text-right' : ''}`;
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
    <label className="mb-3 flex items-center justify-end gap-2 text-sm @min-[60rem]:hidden">
      <span className="muted">Sort by</span>
      <select
        className="select select-sm w-auto"
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
    <nav
      aria-label={`Pages of ${of}`}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-4"
    >
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
      className={`btn btn-square btn-sm min-w-9 max-sm:min-w-11 w-auto px-2 ${current ? 'btn-primary' : 'btn-ghost'}`}
    >
      {children}
    </button>
  );
}
