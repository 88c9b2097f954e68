// /dashboard/payments: every payment, and its refund with a reason. Money is never shown as moved
// before the server says so.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { adminFigures } from '../../contract/academy/figures.ts';
import type { Input } from '../../contract/platform/call.ts';
import { sumPayments } from '../../contract/checkout/sums.ts';
import {
  exportPayments,
  listAllPayments,
  type Payment,
  paymentStatuses,
} from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { PeriodFilter, usePeriod } from '../platform/lists/PeriodFilter.tsx';
import { StatusBadge } from '../classes/StatusBadge.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Email } from '../platform/ui/Email.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';
import { number } from '../platform/ui/locale.ts';
import { money, price } from '../platform/ui/money.ts';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { isRefundable, RefundDialog } from './RefundDialog.tsx';
import { paths } from '../platform/paths.ts';

export function Payments() {
  const listing = useListing(['dsc', 'asc']);
  const status = paymentStatuses.find((known) => known === listing.filter('status'));
  const period = usePeriod(listing);
  const filters = { ...(status && { status }), ...period };
  const [inRefund, setInRefund] = useState<Payment | null>(null);
  const payments = useQuery({
    ...query(listAllPayments, { ...listing.input, ...filters }),
    placeholderData: keepPreviousData,
    // A refund is sent by a job, most often within a second. A hidden page does not ask.
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'refund_due') ? 2_000 : false,
  });

  return (
    <ListPage
      title="Payments"
      lead="Every payment. A refund returns the full amount, ends the enrolments and frees the seats; open a payment to return a part of it."
      actions={
        <ExportButton
          file="payments.csv"
          fetch={() => send(exportPayments, { ...listing.searched, ...filters })}
        />
      }
      above={
        <div className="mb-4 grid grid-cols-2 gap-4 *:first:col-span-2 sm:grid-cols-3 sm:*:first:col-span-1">
          <PeriodFilter listing={listing} />
        </div>
      }
      narrowed={Object.keys(period).length > 0}
      filter={{
        name: 'status',
        value: status,
        options: paymentStatuses.map((one) => [one, named(one)]),
      }}
      caption="Payments"
      columns={columns(setInRefund)}
      rows={payments.data?.items}
      rowKey={({ paymentId }) => paymentId}
      listing={listing}
      query={payments}
    >
      <Sums rows={payments.data?.items ?? []} filters={{ ...listing.searched, ...filters }} />
      {inRefund && <RefundDialog payment={inRefund} onClose={() => setInRefund(null)} />}
    </ListPage>
  );
}

/** 'Refund due' */
const named = (status: string) => `${status[0]?.toUpperCase()}${status.slice(1).replace('_', ' ')}`;

interface SumsProps {
  rows: readonly Payment[];
  filters: Input<typeof sumPayments>;
}

/** Of the rows that are shown, of those that match, and of all payments. */
function Sums({ rows, filters }: SumsProps) {
  const narrowed = Object.keys(filters).length > 0;
  const all = useQuery(query(adminFigures, {})).data?.revenue;
  const sum = useQuery({
    ...query(sumPayments, filters),
    enabled: narrowed,
    placeholderData: keepPreviousData,
  }).data;
  if (rows.length === 0) return null;
  const cents = rows.reduce((total, payment) => total + payment.cardCents - payment.backCents, 0);
  const strong = 'text-base-content font-semibold';
  return (
    <p className="muted figures mt-4 text-sm">
      On this page: <strong className={strong}>{price(cents)}</strong> without refunds
      {narrowed && sum && (
        <>
          {' '}
          · {number(sum.count)} found:{' '}
          <strong className={strong}>{price(sum.paidCents - sum.backCents)}</strong> (
          {price(sum.paidCents)} paid, {price(sum.backCents)} refunded)
        </>
      )}
      {all !== undefined && ` · All payments: ${money(all)}`}
    </p>
  );
}

const columns = (openRefund: (payment: Payment) => void): readonly Column<Payment>[] => [
  {
    title: 'Course name',
    part: 'lead',
    cell: (payment) => (
      <>
        <Link className="link-hover" to={paths.dashboard.paymentDetails(payment.paymentId)}>
          {payment.itemName}
        </Link>
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
  {
    title: 'Price',
    numeric: true,
    cell: (payment) => (
      <>
        {price(payment.cents)}
        {payment.backCents > 0 && payment.backCents < payment.cents && (
          <span className="muted block text-xs">−{price(payment.backCents)}</span>
        )}
      </>
    ),
  },
  {
    title: 'Date',
    sort: ['asc', 'dsc'],
    cell: (payment) => <When at={payment.date} />,
  },
  { title: 'Status', cell: (payment) => <StatusBadge status={payment.status} /> },
  {
    title: 'Actions',
    part: 'actions',
    cell: (payment) =>
      isRefundable(payment) && (
        <Button
          size="small"
          look="outline"
          of={`${payment.itemName}, ${payment.customer}`}
          onClick={() => openRefund(payment)}
        >
          Refund
        </Button>
      ),
  },
];
