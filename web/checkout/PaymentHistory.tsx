// /dashboard/paymenthistory: what a student has paid, by date, each with its receipt. A
// payment for several seats opens to them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { messages } from '../../contract/platform/messages.ts';
import { listPayments, type PaymentEntity } from '../../contract/checkout/payments.ts';
import { query } from '../platform/api/query.ts';
import { useListing } from '../platform/lists/listing.ts';
import { storedMoment } from '../platform/ui/dates.ts';
import { PaymentLines } from './PaymentLines.tsx';
import { ReceiptLink } from './ReceiptLink.tsx';
import { RefundMark } from './RefundMark.tsx';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';
import { money } from '../platform/ui/money.ts';
import { ListPage } from '../platform/lists/ListPage.tsx';

const columns: readonly Column<PaymentEntity>[] = [
  { title: 'Number', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Course Name',
    part: 'lead',
    cell: (payment) => (
      <>
        {payment.itemName}
        <PaymentLines payment={payment} />
      </>
    ),
  },
  { title: 'Name', long: true, cell: (payment) => payment.customer },
  { title: 'Email', long: true, cell: (payment) => payment.email },
  {
    title: 'Price',
    numeric: true,
    cell: (payment) => (
      <>
        {money(payment.price)}
        <RefundMark payment={payment} />
      </>
    ),
  },
  {
    title: 'Date and Time',
    cell: (payment) => <When at={payment.date} as={storedMoment} />,
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (payment) => (
      <>
        <ReceiptLink paymentId={payment._id} of={payment.itemName} />
        <span className="muted figures self-center text-xs whitespace-nowrap">
          {payment.receiptNumber}
        </span>
      </>
    ),
  },
];

export function PaymentHistory() {
  const { user } = useSession();
  const listing = useListing(['dsc', 'asc']);
  const payments = useQuery({
    ...query(listPayments, { email: user?.email ?? '', ...listing.input }),
    placeholderData: keepPreviousData,
  });
  const newestFirst = listing.sort === 'dsc';

  return (
    <ListPage
      title="Payment History"
      lead="Everything you have paid, each with a receipt."
      actions={
        <Button look="outline" onClick={() => listing.onSort(newestFirst ? 'asc' : 'dsc')}>
          {newestFirst ? messages.sortByOld : messages.sortByNew}
        </Button>
      }
      caption="Payments"
      columns={columns}
      rows={payments.data?.items}
      listing={listing}
      query={payments}
      empty={
        <EmptyState
          drawing="empty-cart"
          title="No payment yet"
          action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
        >
          Your payments appear here, each with a receipt to print.
        </EmptyState>
      }
    />
  );
}
