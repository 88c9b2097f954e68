// /dashboard/audit: who changed what and when, newest first. Not even an admin can change it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { auditTopics } from '../../contract/platform/audit.ts';
import { type AuditEntry, exportAudit, listAudit, listUsers } from '../../contract/people/users.ts';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { AuditSubject } from '../people/AuditLines.tsx';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { PeriodFilter, usePeriod } from '../platform/lists/PeriodFilter.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { isId } from '../platform/paths.ts';
import { capital } from '../platform/ui/locale.ts';
import { Select } from '../platform/ui/Field.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';

const columns: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    cell: (entry) => <When at={entry.at} />,
  },
  {
    title: 'What',
    part: 'lead',
    cell: (entry) => <span className="inline-block first-letter:uppercase">{entry.action}</span>,
  },
  { title: 'Who', long: true, cell: (entry) => entry.actor },
  {
    title: 'About',
    long: true,
    cell: (entry) => (
      <>
        {entry.detail} <AuditSubject entry={entry} />
        {/* An id says nothing to a reader; the link leads to what it is of. */}
        {!isId(entry.subject) && <span className="muted block text-xs">{entry.subject}</span>}
      </>
    ),
  },
];

export function Audit() {
  const listing = useListing();
  const what = auditTopics.find((known) => known === listing.filter('topic'));
  const actor = listing.filter('actor') ?? '';
  const period = usePeriod(listing);
  const filters = { ...(what && { what }), ...(actor && { actor }), ...period };
  const entries = useQuery({
    ...query(listAudit, { ...listing.input, ...filters }),
    placeholderData: keepPreviousData,
  });

  return (
    <ListPage
      title="Audit Log"
      lead="Roles given, classes decided, payments refunded: who did it, and when."
      actions={
        <ExportButton
          file="audit.csv"
          fetch={() => send(exportAudit, { ...listing.searched, ...filters })}
        />
      }
      above={
        <div className="mb-4 grid grid-cols-2 gap-4 lg:grid-cols-4">
          <ByWhom actor={actor} onChange={(value) => listing.onFilter('actor', value)} />
          <PeriodFilter listing={listing} />
        </div>
      }
      filter={{
        name: 'topic',
        value: what,
        options: auditTopics.map((topic) => [topic, capital(topic)] as const),
      }}
      caption="Audit entries"
      columns={columns}
      rows={entries.data?.items}
      listing={listing}
      query={entries}
      narrowed={actor !== '' || Object.keys(period).length > 0}
    />
  );
}

/** Admins and the system write most of the log; another person comes from their page. */
function ByWhom({ actor, onChange }: { actor: string; onChange: (value: string) => void }) {
  const admins = useQuery(query(listUsers, { role: 'admin', limit: 100 })).data?.items ?? [];
  const known = actor === '' || actor === 'system' || admins.some(({ _id }) => _id === actor);
  return (
    <Select
      label="Who"
      value={actor}
      onChange={({ target }) => onChange(target.value)}
      options={admins.map(({ _id, name }) => [_id, name])}
    >
      <option value="">Everybody</option>
      <option value="system">System</option>
      {!known && <option value={actor}>The chosen person</option>}
    </Select>
  );
}
