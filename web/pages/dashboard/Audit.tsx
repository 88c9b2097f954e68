// /dashboard/audit: who changed what and when, newest first. Not even an admin can change it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listAudit } from '../../../contract/users.ts';
import type { AuditEntry } from '../../../contract/users.ts';
import { query } from '../../api/query.ts';
import { useListing } from '../../features/lists/listing.ts';
import { momentOf } from '../../ui/dates.ts';
import type { Column } from '../../ui/Table.tsx';
import { ListPage } from '../../features/lists/ListPage.tsx';

const columns: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
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
    <ListPage
      title="Audit Log"
      lead="Roles given, classes decided, payments refunded: who did it, and when."
      caption="Audit entries"
      columns={columns}
      rows={entries.data?.items}
      listing={listing}
      query={entries}
    />
  );
}
