// /dashboard/attention: what needs an admin, and what an admin can do about it: send a failed refund
// again, try an event or a job again, close a payment that belongs to no student, look at the
// payment, here or at Stripe, and at the user. Empty on a good day.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { retryEvent, retryJob, sendRefundAgain } from '../../contract/checkout/sums.ts';
import { listAttention, resolveStray } from '../../contract/checkout/payments.ts';
import type { Attention as Entry } from '../../contract/checkout/payments.ts';
import { attempt } from '../platform/api/attempt.ts';
import { query, useCall } from '../platform/api/query.ts';
import { SettledDialog } from '../checkout/SettledDialog.tsx';
import { StripeLink } from '../checkout/StripeLink.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { matches, useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';

import { momentOf } from '../platform/ui/dates.ts';
import { keepFocus } from '../platform/ui/focus.ts';

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
    <LinkButton size="small" look="outline" to={to} aria-label={`${word}: ${what}`}>
      {word}
    </LinkButton>
  );
}

function Act({ entry, resolve }: { entry: Entry; resolve: (entry: Entry) => void }) {
  switch (entry.kind) {
    case 'refund':
      return (
        <Again entry={entry} call={sendRefundAgain} word="Send again" said="Refund sent again" />
      );
    case 'event':
      return <Again entry={entry} call={retryEvent} word="Try again" said="Tried again" />;
    case 'job':
      return <Again entry={entry} call={retryJob} word="Try again" said="Tried again" />;
    case 'dates':
    case 'quarantine':
      return (
        <Button
          size="small"
          look="outline"
          aria-label={entry.kind === 'dates' ? `Settled: ${entry.what}` : `Resolve: ${entry._id}`}
          onClick={() => resolve(entry)}
        >
          {entry.kind === 'dates' ? 'Settled, keeps the seat' : 'Resolve'}
        </Button>
      );
    default:
      return null;
  }
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

interface AgainProps {
  entry: Entry;
  call: typeof sendRefundAgain | typeof retryEvent | typeof retryJob;
  word: string;
  said: string;
}

function Again({ entry, call, word, said }: AgainProps) {
  const again = useCall(call);
  const send = (button: Element) =>
    attempt(() => keepFocus(button, () => again.mutateAsync({ id: entry._id })), said);
  return (
    <Button
      size="small"
      busy={again.isPending}
      aria-label={`${word}: ${entry.what}`}
      onClick={({ currentTarget }) => void send(currentTarget)}
    >
      {word}
    </Button>
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
