// /dashboard/payments: every payment, and its refund with a reason. Money is never shown as moved
// before the server says so.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { adminFigures } from '../../../contract/figures.ts';
import {
  exportPayments,
  listAllPayments,
  listAttention,
  paymentStatuses,
  refundPayment,
} from '../../../contract/payments.ts';
import type { Payment } from '../../../contract/payments.ts';
import { listAudit } from '../../../contract/users.ts';
import { query, useCall } from '../../api/query.ts';
import { send } from '../../api/send.ts';
import { ExportButton } from '../../features/lists/ExportButton.tsx';
import { StatusBadge } from '../../features/lists/StatusBadge.tsx';
import { TextDialog } from '../../ui/TextDialog.tsx';
import { useListing } from '../../features/lists/listing.ts';
import { momentOf } from '../../ui/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Email } from '../../ui/Email.tsx';
import type { Column } from '../../ui/Table.tsx';
import { money } from '../../ui/money.ts';
import { ListPage } from '../../features/lists/ListPage.tsx';

export function Payments() {
  const listing = useListing(['dsc', 'asc']);
  const status = paymentStatuses.find((known) => known === listing.filter('status'));
  const [inRefund, setInRefund] = useState<Payment | null>(null);
  const follow = useFollowing();
  const payments = useQuery({
    ...query(listAllPayments, { ...listing.input, ...(status && { status }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => follow(state.data?.items ?? []),
  });

  return (
    <ListPage
      title="Payments"
      lead="Every card payment. A refund returns the full amount, ends the enrolment and frees the seat."
      actions={
        <ExportButton
          file="payments.csv"
          fetch={() => send(exportPayments, { ...listing.searched, ...(status && { status }) })}
        />
      }
      filter={{
        name: 'status',
        value: status,
        options: [
          ['pending', 'Pending'],
          ['succeeded', 'Succeeded'],
          ['refund_due', 'Refund due'],
          ['refunded', 'Refunded'],
          ['refund_failed', 'Refund failed'],
          ['disputed', 'Disputed'],
        ],
      }}
      caption="Payments"
      columns={columns(setInRefund)}
      rows={payments.data?.items}
      listing={listing}
      query={payments}
    >
      <Sums rows={payments.data?.items ?? []} />
      {inRefund && <RefundDialog payment={inRefund} onClose={() => setInRefund(null)} />}
    </ListPage>
  );
}

/** Of the rows that are shown, and of all payments. */
function Sums({ rows }: { rows: readonly Payment[] }) {
  const all = useQuery(query(adminFigures, {})).data?.revenue;
  if (rows.length === 0) return null;
  const cents = rows.filter(isKept).reduce((sum, { price }) => sum + Math.round(price * 100), 0);
  return (
    <p className="muted figures mt-4 text-sm">
      On this page:{' '}
      <strong className="text-base-content font-semibold">{money(cents / 100)}</strong> without
      refunds
      {all !== undefined && ` · All payments: ${money(all)}`}
    </p>
  );
}

const isKept = ({ status }: Payment) => !status.startsWith('refund');

/** A refund is sent by a job, most often within a second. */
const pace = { every: 2_000, atMost: 60_000 };

/**
 * How soon to read the list again: rows whose refund is due are followed for a minute each. A
 * hidden page does not ask.
 */
function useFollowing() {
  const since = useRef(new Map<string, number>());
  return (rows: readonly Payment[]) => {
    const now = Date.now();
    const due = rows.filter(({ status }) => status === 'refund_due').map(({ _id }) => _id);
    for (const id of due) if (!since.current.has(id)) since.current.set(id, now);
    return due.some((id) => now - (since.current.get(id) ?? 0) < pace.atMost) && pace.every;
  };
}

const columns = (openRefund: (payment: Payment) => void): readonly Column<Payment>[] => [
  {
    title: 'Course name',
    part: 'lead',
    cell: (payment) => (
      <>
        {payment.itemName}
        <span className="muted figures block text-xs font-normal">{payment.receiptNumber}</span>
      </>
    ),
  },
  {
    title: 'Customer',
    long: true,
    cell: (payment) => (
      <>
        {payment.customer}
        <span className="muted block text-xs">
          <Email address={payment.email} />
        </span>
      </>
    ),
  },
  { title: 'Price', numeric: true, cell: (payment) => money(payment.price) },
  {
    title: 'Date',
    sort: ['asc', 'dsc'],
    cell: (payment) => (
      <time dateTime={payment.date} className="whitespace-nowrap">
        {momentOf(payment.date)}
      </time>
    ),
  },
  { title: 'Status', cell: (payment) => <StatusBadge status={payment.status} /> },
  {
    title: 'Actions',
    part: 'actions',
    cell: (payment) =>
      (payment.status === 'pending' || payment.status === 'succeeded') && (
        <Button
          size="small"
          look="outline"
          aria-label={`Refund: ${payment.itemName}, ${payment.customer}`}
          onClick={() => openRefund(payment)}
        >
          Refund
        </Button>
      ),
  },
];

const refreshes = [listAllPayments, listAttention, listAudit, adminFigures];

function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const refund = useCall(refundPayment, { refreshes });
  return (
    <TextDialog
      title={`Refund ${money(payment.price)}?`}
      label="Reason"
      hint="Kept in the audit log."
      maxLength={500}
      submit={`Refund ${money(payment.price)}`}
      cancel="Keep the payment"
      danger
      sent="Refund started"
      send={(reason) => refund.mutateAsync({ id: payment._id, reason })}
      onClose={onClose}
    >
      <p>
        {payment.customer} gets the full amount for <strong>{payment.itemName}</strong> back on the
        card. The enrolment ends and the seat is free again. This cannot be undone.
      </p>
    </TextDialog>
  );
}
