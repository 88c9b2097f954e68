// /dashboard/audit: who changed what and when, newest first. Nobody can change it, admins neither.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listAudit } from '../../../contract/users.ts';
import type { AuditEntry } from '../../../contract/users.ts';
import { query } from '../../api/query.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { tableOf, useListing } from '../../features/lists/listing.ts';
import { momentOf } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import type { Column } from '../../ui/Table.tsx';

const columns: readonly Column<AuditEntry>[] = [
  {
    title: 'When (UTC)',
    cell: (entry) => (
      <time dateTime={entry.at} className="whitespace-nowrap">
        {momentOf(entry.at)}
      </time>
    ),
  },
  { title: 'What', part: 'lead', cell: (entry) => entry.action },
  { title: 'Who', long: true, cell: (entry) => entry.actor },
  {
    title: 'About',
    long: true,
    cell: (entry) => (
      <>
        {entry.detail}
        <span className="muted block text-xs">{entry.subject}</span>
      </>
    ),
  },
];

export function Audit() {
  const listing = useListing();
  const entries = useQuery({
    ...query(listAudit, listing.input),
    placeholderData: keepPreviousData,
  });

  return (
    <>
      <PageHeading title="Audit Log">
        Roles given, classes decided, payments refunded: who did it, and when.
      </PageHeading>
      <Table
        caption="Audit entries"
        columns={columns}
        rows={entries.data?.items}
        rowKey={(entry) => entry._id}
        {...tableOf(listing, entries)}
        empty={
          <EmptyState title="Nothing yet">Nothing that matches has been written down.</EmptyState>
        }
      />
    </>
  );
}
