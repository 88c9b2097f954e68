// /dashboard/myenrolledclasses: the classes that are paid for, with when and where they take place.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Announcement, listAnnouncements } from '../../contract/classes/announcements.ts';
import { limits } from '../../contract/platform/limits.ts';
import { askAboutSeat } from '../../contract/checkout/leaving.ts';
import { objectToDates } from '../../contract/classes/objections.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import { query, useCall } from '../platform/api/query.ts';
import { ForWhom, nameFor } from '../platform/ui/ForWhom.tsx';
import { WhenWhere } from '../platform/ui/WhenWhere.tsx';
import { AnnouncementList } from '../classes/AnnouncementList.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { storedDate } from '../platform/ui/dates.ts';
import { ChangeSheet } from './ChangeSheet.tsx';
import { LeaveSheet } from './LeaveSheet.tsx';
import { ReceiptLink } from './ReceiptLink.tsx';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Amount } from '../platform/ui/Amount.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Thumb } from '../platform/ui/Picture.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { type Column, When } from '../platform/ui/Table.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';
import { ChangeLink, ChangeWho } from '../classes/ChangeWho.tsx';
import { EnrolledDates } from '../classes/EnrolledDates.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';

type Act = (row: Enrolment) => void;

const columns = (
  { object, change, leave, swap }: Record<'object' | 'change' | 'leave' | 'swap', Act>,
  announced: readonly Announcement[],
  all: readonly Enrolment[],
): readonly Column<Enrolment>[] => [
  { title: 'Number', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Name',
    part: 'lead',
    cell: (row) => (
      <div className="flex flex-wrap items-start gap-3 sm:items-center">
        <Thumb src={row.img} className="h-12 w-16 max-[22rem]:hidden" />
        <div className="min-w-0 flex-1 basis-40">
          <Link
            to={paths.class(row.classId)}
            className="underline-offset-4 hover:underline @max-[60rem]:after:absolute @max-[60rem]:after:inset-0 @max-[60rem]:after:content-['']"
          >
            {row.name}
          </Link>
          <div className="flex flex-wrap items-center gap-x-2">
            <ForWhom name={row.participant} among={all} />
            {row.mayChangeWho && (
              <ChangeLink of={nameFor(row.name, row.participant)} onChange={() => change(row)} />
            )}
          </div>
          <WhenWhere schedule={row.schedule} place={row.place} />
          <EnrolledDates row={row} />
          <Announced items={announced.filter(({ classId }) => classId === row.classId)} />
          {row.objected && (
            <p className="muted text-sm">You told us that the new dates do not suit you.</p>
          )}
          {row.asked && (
            <p className="muted text-sm">You asked the academy about leaving. It answers you.</p>
          )}
          {row.paymentId === null && (
            <p className="muted text-sm">Another guardian booked this. Only they can end it.</p>
          )}
        </div>
      </div>
    ),
  },
  {
    title: 'Email',
    part: 'desk',
    cell: (row) => (
      <span className="block max-w-40 truncate" title={row.email}>
        {row.email}
      </span>
    ),
  },
  {
    title: 'Price',
    numeric: true,
    cell: (row) => (row.cents === null ? '–' : <Amount cents={row.cents} />),
  },
  {
    title: 'Date',
    cell: (row) => <When at={row.date} as={storedDate} />,
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (row) => (
      <>
        {row.paymentId && (
          <ReceiptLink paymentId={row.paymentId} of={nameFor(row.name, row.participant)} />
        )}
        {row.mayObject && !row.objected && (
          <Button
            size="small"
            look="outline"
            of={nameFor(row.name, row.participant)}
            onClick={() => object(row)}
          >
            Dates do not suit us
          </Button>
        )}
        {row.paymentId && (
          <Button
            size="small"
            look="outline"
            of={nameFor(row.name, row.participant)}
            onClick={() => swap(row)}
          >
            Change to another class
          </Button>
        )}
        {row.paymentId && (
          <Button
            size="small"
            look="outline"
            of={nameFor(row.name, row.participant)}
            onClick={() => leave(row)}
          >
            Leave this class
          </Button>
        )}
      </>
    ),
  },
];

export function MyEnrolledClasses() {
  const { user } = useSession();
  const listing = useListing();
  const [objecting, setObjecting] = useState<Enrolment | null>(null);
  const [leaving, setLeaving] = useState<Enrolment | null>(null);
  const [swapping, setSwapping] = useState<Enrolment | null>(null);
  const [asking, setAsking] = useState<Enrolment | null>(null);
  const [changing, setChanging] = useState<Enrolment | null>(null);
  const enrolments = useQuery({
    ...query(listEnrolments, { email: user?.email ?? '', ...listing.input }),
    placeholderData: keepPreviousData,
  });

  const announced = useQuery(query(listAnnouncements, { limit: 100 }));

  return (
    <ListPage
      title="My Enrolled Classes"
      lead="The classes you have paid for, with dates and places."
      caption="Enrolled classes"
      columns={columns(
        { object: setObjecting, change: setChanging, leave: setLeaving, swap: setSwapping },
        announced.data?.items ?? [],
        enrolments.data?.items ?? [],
      )}
      rows={enrolments.data?.items}
      rowKey={({ enrolmentId }) => enrolmentId}
      listing={listing}
      query={enrolments}
      empty={
        <EmptyState
          drawing="nothing-scheduled"
          title="No class yet"
          action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
        >
          A class appears here as soon as it is paid for.
        </EmptyState>
      }
    >
      {leaving && (
        <LeaveSheet
          row={leaving}
          onAsk={() => {
            setAsking(leaving);
            setLeaving(null);
          }}
          onClose={() => setLeaving(null)}
        />
      )}
      {swapping && <ChangeSheet row={swapping} onClose={() => setSwapping(null)} />}
      {asking && <AskDialog row={asking} onClose={() => setAsking(null)} />}
      {objecting && <ObjectDialog row={objecting} onClose={() => setObjecting(null)} />}
      {changing && (
        <ChangeWho
          item={{ ...changing, id: changing.enrolmentId }}
          isBooked
          onClose={() => setChanging(null)}
        />
      )}
    </ListPage>
  );
}

/** What was written to the families of the class, newest first. */
function Announced({ items }: { items: readonly Announcement[] }) {
  const [newest] = items;
  if (!newest) return null;
  return (
    <details className="relative mt-1 text-sm">
      <summary className="link link-hover flex min-h-11 cursor-pointer items-center font-medium wrap-anywhere sm:min-h-0">
        {items.length === 1 ? '1 announcement' : `${items.length} announcements`}: {newest.subject}
      </summary>
      <div className="bg-base-200 rounded-field mt-1 p-3 font-normal">
        <AnnouncementList items={items} />
      </div>
    </details>
  );
}

function AskDialog({ row, onClose }: { row: Enrolment; onClose: () => void }) {
  const ask = useCall(askAboutSeat);
  return (
    <TextDialog
      title={`Ask about ${nameFor(row.name, row.participant)}`}
      label="What should we know?"
      hint="The academy reads it and answers you. The seat stays booked."
      maxLength={limits.objection}
      submit="Ask the academy"
      sent="The academy was asked"
      send={(words) => ask.mutateAsync({ id: row.enrolmentId, words })}
      onClose={onClose}
    />
  );
}

function ObjectDialog({ row, onClose }: { row: Enrolment; onClose: () => void }) {
  const object = useCall(objectToDates);
  return (
    <TextDialog
      title="The new dates do not suit you?"
      label="What should we know?"
      hint="The academy reads it and answers you."
      maxLength={limits.objection}
      submit="Tell the academy"
      sent="The academy was told"
      send={(words) => object.mutateAsync({ id: row.enrolmentId, words })}
      onClose={onClose}
    >
      <p>
        The dates of <strong>{row.name}</strong> have changed. You keep your seat until the academy
        has decided about your money.
      </p>
    </TextDialog>
  );
}
