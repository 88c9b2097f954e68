// A dashboard page that is one list: heading, filter, table with its pages, and what is shown while
// it loads, when nothing was found, when it is empty and when it failed.
import type { ReactNode } from 'react';
import { PageHeading } from '../ui/PageHeading.tsx';
import { EmptyState } from '../ui/States.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { type Listing, pageSize } from './listing.ts';
import { inWords } from './total.ts';

interface ListPageProps<Row, Sort extends string> {
  title: string;
  /** The number of all rows, in the heading; `found` then says how many of them a search found. */
  total?: { label: string; count: number | undefined };
  lead: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  filter?: {
    name: string;
    value: string | undefined;
    options: readonly (readonly [value: string, label: string])[];
  };
  narrowed?: boolean;
  caption: string;
  /** What the pages count, when it is not the caption: "classes". */
  noun?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  /** By default its `_id`. */
  rowKey?: (row: Row) => string;
  listing: Listing<Sort>;
  /** The query: of one page with a total, or of a whole list. */
  query: {
    data: { total: number } | readonly unknown[] | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    refetch: () => Promise<unknown>;
  };
  /** Shown when there are no rows and no search or filter is the reason. */
  empty?: ReactNode;
  marked?: string | undefined;
  /** From 80rem on at the right of the list, else below it. */
  beside?: ReactNode;
  children?: ReactNode;
}

const headingOf = ({ label, count }: { label: string; count: number | undefined }) =>
  count === undefined ? label : `${label}: ${inWords(count)}`;

const idOf = (row: object) => ('_id' in row ? String(row._id) : '');

export function ListPage<Row extends object, Sort extends string>({
  title,
  total,
  lead,
  actions,
  above,
  filter,
  narrowed: filtered = false,
  caption,
  noun = caption.toLowerCase(),
  columns,
  rows,
  rowKey = idOf,
  listing,
  query,
  empty,
  marked,
  beside,
  children,
}: ListPageProps<Row, Sort>) {
  const narrowed =
    total?.count !== 0 && (filtered || listing.search !== '' || filter?.value !== undefined);
  const paged = query.data && 'total' in query.data ? query.data.total : undefined;
  const found = paged !== undefined && !query.isPlaceholderData && `${inWords(paged)} found`;
  const other = filter ? ` or another ${filter.name}` : '';
  return (
    <>
      <PageHeading
        title={title}
        shown={total && headingOf(total)}
        {...(total && { found: (narrowed && found) || null })}
        actions={actions}
      >
        <span className="max-sm:hidden">{lead}</span>
      </PageHeading>
      {above}
      {filter && (
        <Tabs
          label={filter.name}
          value={filter.value ?? ''}
          options={[['', 'All'], ...filter.options]}
          onChange={(value) => listing.onFilter(filter.name, value)}
        />
      )}
      <div
        className={beside ? 'beside grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]' : ''}
      >
        <Table
          caption={caption}
          noun={noun}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          stale={query.isPlaceholderData}
          marked={marked}
          error={query.error}
          onRetry={() => void query.refetch()}
          sort={listing.sort}
          onSort={listing.onSort}
          {...(paged !== undefined && {
            paging: {
              page: listing.page,
              size: pageSize,
              total: paged,
              totalInWords: inWords(paged),
              onPage: listing.onPage,
            },
          })}
          empty={
            narrowed ? (
              <EmptyState title="Nothing found" drawing="no-results">
                No {noun} match. Try another search{other}.
              </EmptyState>
            ) : (
              (empty ?? <EmptyState title="Nothing yet">There are no {noun} yet.</EmptyState>)
            )
          }
        />
        {beside}
      </div>
      {children}
    </>
  );
}
