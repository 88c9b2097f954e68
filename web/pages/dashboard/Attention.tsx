// /dashboard/attention: what needs an admin, and what an admin can do about it: send a failed refund
// again, close a payment that belongs to no student, look at the payment of a family whom new dates
// do not suit. Empty on a good day.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminFigures } from '../../../contract/figures.ts';
import {
  listAllPayments,
  listAttention,
  resolveStray,
  sendRefundAgain,
} from '../../../contract/payments.ts';
import type { Attention as Entry } from '../../../contract/payments.ts';
import { listAudit } from '../../../contract/users.ts';
import { query, useCall } from '../../api/query.ts';
import { TextDialog } from '../../ui/TextDialog.tsx';
import { matches, useListing } from '../../features/lists/listing.ts';
import { momentOf } from '../../ui/dates.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { failure, toast } from '../../ui/alert.ts';
import { keepFocus } from '../../ui/focus.ts';
import { ListPage } from '../../features/lists/ListPage.tsx';

const kinds: Record<Entry['kind'], string> = {
  refund: 'Refund',
  event: 'Card event',
  intent: 'Open payment',
  quarantine: 'Unknown payment',
  dates: 'New dates',
};

const columns = (resolve: (entry: Entry) => void): readonly Column<Entry>[] => [
  { title: 'What', part: 'lead', cell: (entry) => entry.what },
  { title: 'Kind', cell: (entry) => kinds[entry.kind] },
  {
    title: 'Since',
    cell: (entry) => (
      <time dateTime={entry.since} className="whitespace-nowrap">
        {momentOf(entry.since)}
      </time>
    ),
  },
  { title: 'Detail', long: true, cell: (entry) => entry.detail },
  {
    title: 'Actions',
    part: 'actions',
    cell: (entry) => {
      if (entry.kind === 'refund') return <SendAgain entry={entry} />;
      // The refund button is there.
      if (entry.kind === 'dates')
        return (
          <LinkButton
            size="small"
            look="outline"
            to={`${paths.dashboard.payments}?q=${encodeURIComponent(entry._id)}`}
            aria-label={`Payment: ${entry.what}`}
          >
            Payment
          </LinkButton>
        );
      if (entry.kind !== 'quarantine') return null;
      return (
        <Button
          size="small"
          look="outline"
          aria-label={`Resolve: ${entry._id}`}
          onClick={() => resolve(entry)}
        >
          Resolve
        </Button>
      );
    },
  },
];

export function Attention() {
  const listing = useListing();
  const entries = useQuery({ ...query(listAttention, {}), refetchInterval: 60_000 });
  const [inResolve, setInResolve] = useState<Entry | null>(null);
  const rows = entries.data?.filter((entry) =>
    matches(listing.search, entry.what, kinds[entry.kind], entry.detail, entry._id),
  );

  return (
    <ListPage
      title="Needs Attention"
      lead="Failed refunds, failed events of the card provider, open payments, unmatched payments, and families whom new dates do not suit."
      caption="Things that need a human"
      noun="entries"
      columns={columns(setInResolve)}
      rows={rows}
      listing={listing}
      query={entries}
      empty={<EmptyState title="All is well">All payments and refunds are settled.</EmptyState>}
    >
      {inResolve && <ResolveDialog entry={inResolve} onClose={() => setInResolve(null)} />}
    </ListPage>
  );
}

const refreshes = [listAttention, listAllPayments, listAudit, adminFigures];

function SendAgain({ entry }: { entry: Entry }) {
  const again = useCall(sendRefundAgain, { refreshes });
  // Not by the callbacks of mutate(): the row leaves the list, and then they would not be called.
  const send = async (button: Element) => {
    try {
      await keepFocus(button, async () => {
        await again.mutateAsync({ id: entry._id });
        toast('Refund sent again');
      });
    } catch (error) {
      void failure('The refund was not sent', error instanceof Error ? error.message : undefined);
    }
  };
  return (
    <Button
      size="small"
      busy={again.isPending}
      aria-label={`Send again: ${entry.what}`}
      onClick={({ currentTarget }) => void send(currentTarget)}
    >
      Send again
    </Button>
  );
}

function ResolveDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const resolve = useCall(resolveStray, { refreshes });
  return (
    <TextDialog
      title="Resolve this payment?"
      label="Reason"
      hint="Kept in the audit log."
      maxLength={500}
      submit="Resolve"
      sent="Payment resolved"
      send={(reason) => resolve.mutateAsync({ id: entry._id, reason })}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        <strong>{entry._id}</strong> leaves this list. Its money stays where it is: return or keep
        it at the card provider first.
      </p>
    </TextDialog>
  );
}
