// /dashboard/attention: what money depends on and did not end by itself. Empty on a good day.
import { useQuery } from '@tanstack/react-query';
import { listAttention } from '../../../contract/payments.ts';
import type { Attention as Entry } from '../../../contract/payments.ts';
import { query } from '../../api/query.ts';
import { PageHeading } from '../../features/PageHeading.tsx';
import { matches, useListing } from '../../features/listing.ts';
import { momentOf } from '../../features/moments.ts';
import { EmptyState } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import type { Column } from '../../ui/Table.tsx';

const kinds: Record<Entry['kind'], string> = {
  refund: 'Refund',
  event: 'Card event',
  intent: 'Open payment',
  quarantine: 'Unknown payment',
};

const columns: readonly Column<Entry>[] = [
  { title: 'What', part: 'lead', cell: (entry) => entry.what },
  { title: 'Kind', cell: (entry) => kinds[entry.kind] },
  {
    title: 'Since (UTC)',
    cell: (entry) => (
      <time dateTime={entry.since} className="whitespace-nowrap">
        {momentOf(entry.since)}
      </time>
    ),
  },
  { title: 'Detail', long: true, cell: (entry) => entry.detail },
];

export function Attention() {
  const { search } = useListing();
  const entries = useQuery({ ...query(listAttention, {}), refetchInterval: 60_000 });
  const rows = entries.data?.filter((entry) => matches(search, entry.what, kinds[entry.kind], entry.detail));

  return (
    <>
      <PageHeading title="Needs Attention">
        Failed refunds, failed events of the card provider, payments that stay open and payments nobody knows.
      </PageHeading>
      <Table
        caption="Things that need a human"
        columns={columns}
        rows={rows}
        rowKey={(entry) => entry._id}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={
          search ? (
            <EmptyState title="Nothing found">Nothing here matches your search.</EmptyState>
          ) : (
            <EmptyState title="All is well">Every payment and refund has ended by itself.</EmptyState>
          )
        }
      />
    </>
  );
}
