// /dashboard/attention: what needs an admin, and what an admin can do about it. Empty on a good day.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { retryEvent, retryJob, sendRefundAgain } from '../../contract/checkout/sums.ts';
import {
  type Attention as Entry,
  listAttention,
  resolveStray,
} from '../../contract/checkout/payments.ts';
import { CallButton } from '../platform/api/CallButton.tsx';
import { query, useCall } from '../platform/api/query.ts';
import { SettledDialog } from '../checkout/SettledDialog.tsx';
import { StripeLink } from '../checkout/StripeLink.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { matches, useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';

const kinds: Record<Entry['kind'], string> = {
  refund: 'Refund',
  part: 'Partial refund',
  event: 'Card event',
  intent: 'Open payment',
  quarantine: 'Unknown payment',
  dates: 'New dates',
  coach: 'No coach',
  who: 'Child',
  job: 'Job',
};

const columns = (resolve: (entry: Entry) => void): readonly Column<Entry>[] => [
  { title: 'What', part: 'lead', cell: (entry) => entry.what },
  { title: 'Kind', cell: (entry) => kinds[entry.kind] },
  {
    title: 'Since',
    cell: (entry) => <When at={entry.since} />,
  },
  { title: 'Detail', long: true, cell: (entry) => entry.detail },
  {
    title: 'Actions',
    part: 'actions',
    cell: (entry) => (
      <>
        <Act entry={entry} resolve={resolve} />
        {entry.paymentId && (
          <Go
            to={paths.dashboard.paymentDetails(entry.paymentId)}
            what={entry.what}
            word={entry.kind === 'dates' ? 'Refund' : 'Payment'}
          />
        )}
        {entry.userId && (
          <Go to={paths.dashboard.user(entry.userId)} what={entry.what} word="User" />
        )}
        {entry.intentId && <StripeLink intentId={entry.intentId} />}
      </>
    ),
  },
];

function Go({ to, what, word }: { to: string; what: string; word: string }) {
  return (
    <LinkButton size="small" look="outline" to={to} of={what}>
      {word}
    </LinkButton>
  );
}

const again = {
  refund: { call: sendRefundAgain, word: 'Send again', said: 'Refund sent again' },
  event: { call: retryEvent, word: 'Try again', said: 'Tried again' },
  job: { call: retryJob, word: 'Try again', said: 'Tried again' },
};

function Act({ entry, resolve }: { entry: Entry; resolve: (entry: Entry) => void }) {
  const { kind, what, _id } = entry;
  if (kind === 'refund' || kind === 'event' || kind === 'job') {
    const { word, ...act } = again[kind];
    return (
      <CallButton<(typeof act)['call']>
        size="small"
        look="outline"
        of={what}
        input={{ id: _id }}
        {...act}
      >
        {word}
      </CallButton>
    );
  }
  if (kind !== 'dates' && kind !== 'quarantine') return null;
  return (
    <Button
      size="small"
      look="outline"
      aria-label={kind === 'dates' ? `Settled, keeps the seat: ${what}` : `Resolve: ${_id}`}
      onClick={() => resolve(entry)}
    >
      {kind === 'dates' ? 'Settled, keeps the seat' : 'Resolve'}
    </Button>
  );
}

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
      lead="Failed refunds and card events, open or unmatched payments, families who cannot make new dates, classes without a coach, children who look booked twice or too young, and background jobs that failed."
      caption="Needs attention"
      noun="entries"
      columns={columns(setInResolve)}
      rows={rows}
      listing={listing}
      query={entries}
      empty={<EmptyState title="All is well">No payment and no refund needs you.</EmptyState>}
    >
      {inResolve?.kind === 'dates' && (
        <SettledDialog id={inResolve._id} onClose={() => setInResolve(null)} />
      )}
      {inResolve?.kind === 'quarantine' && (
        <ResolveDialog entry={inResolve} onClose={() => setInResolve(null)} />
      )}
    </ListPage>
  );
}

function ResolveDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const resolve = useCall(resolveStray);
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
        <strong>{entry._id}</strong> leaves this list as settled elsewhere. Its money stays where it
        is: return or keep it at the card provider first.
      </p>
      <StripeLink intentId={entry._id} />
    </TextDialog>
  );
}
