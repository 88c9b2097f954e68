// /dashboard/myenrolledclasses: the classes that are paid for, with when and where they take place.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listEnrolments } from '../../../contract/payments.ts';
import type { Enrolment } from '../../../contract/payments.ts';
import { query } from '../../api/query.ts';
import { WhenWhere } from '../../ui/WhenWhere.tsx';
import { useListing } from '../../features/lists/listing.ts';
import { storedDate } from '../../ui/dates.ts';
import { ReceiptLink } from '../../features/checkout/ReceiptLink.tsx';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/SessionProvider.tsx';
import { LinkButton } from '../../ui/Button.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { EmptyState } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { money } from '../../ui/money.ts';
import { ListPage } from '../../features/lists/ListPage.tsx';

const columns: readonly Column<Enrolment>[] = [
  { title: 'Number', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Name',
    part: 'lead',
    cell: (row) => (
      <div className="flex items-center gap-3">
        <Picture
          src={row.img}
          alt=""
          width={64}
          height={48}
          className="rounded-field h-12 w-16 shrink-0 object-cover"
        />
        <div className="min-w-0">
          {row.name}
          <WhenWhere schedule={row.schedule} place={row.place} />
        </div>
      </div>
    ),
  },
  { title: 'Email', long: true, cell: (row) => row.email },
  { title: 'Price', numeric: true, cell: (row) => money(row.price) },
  {
    title: 'Date',
    cell: (row) => (
      <time dateTime={row.date} className="whitespace-nowrap">
        {storedDate(row.date)}
      </time>
    ),
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (row) => <ReceiptLink paymentId={row.paymentId} of={row.name} />,
  },
];

export function MyEnrolledClasses() {
  const { user } = useSession();
  const listing = useListing();
  const enrolments = useQuery({
    ...query(listEnrolments, { email: user?.email ?? '', ...listing.input }),
    placeholderData: keepPreviousData,
  });

  return (
    <ListPage
      title="My Enrolled Classes"
      lead="The classes you have paid for, with dates and places."
      caption="Enrolled classes"
      columns={columns}
      rows={enrolments.data?.items}
      listing={listing}
      query={enrolments}
      empty={
        <EmptyState
          drawing="nothing-scheduled"
          title="No class yet"
          action={<LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>}
        >
          A class appears here as soon as it is paid for.
        </EmptyState>
      }
    />
  );
}
