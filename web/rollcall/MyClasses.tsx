// /dashboard/myclasses: an instructor's own classes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import {
  classSorts,
  listInstructorClasses,
  type ManagedClass,
} from '../../contract/classes/classes.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { StatusBadge } from '../classes/StatusBadge.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { TodaysMeetings } from './TodaysMeetings.tsx';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { FillBar } from '../platform/ui/Chart.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { money } from '../platform/ui/money.ts';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

const WriteDialog = onDemand(() => import('../classes/WriteDialog.tsx').then((m) => m.WriteDialog));

const sorts = ['new', ...classSorts.filter((sort) => sort !== 'new')] as const;

export function MyClasses() {
  const { user } = useSession();
  const email = user?.email ?? '';
  const listing = useListing(sorts);
  const [read, setRead] = useState<ManagedClass | null>(null);
  const [written, setWritten] = useState<ManagedClass | null>(null);
  const classes = useQuery({
    ...query(listInstructorClasses, { email, ...listing.input }),
    placeholderData: keepPreviousData,
    enabled: email !== '',
  });
  const total = useQuery({
    ...query(listInstructorClasses, { email, limit: 1 }),
    enabled: email !== '',
  }).data?.total;
  const added = useAdded();
  const addOne = <LinkButton to={paths.dashboard.addAClass}>Add a Class</LinkButton>;

  const { timeZone } = useSettings();

  return (
    <ListPage
      title="Instructor Classes"
      total={{ label: 'Instructor Classes', count: total }}
      lead="A class is on sale once an admin has approved it."
      actions={addOne}
      above={<TodaysMeetings day={todayIn(timeZone)} />}
      caption="Your classes"
      noun="classes"
      columns={columns(setRead, setWritten, added)}
      marked={added}
      rows={classes.data?.items}
      listing={listing}
      query={classes}
      empty={
        <EmptyState title="No class yet" action={addOne}>
          Add your first class. Students can book it once an admin has approved it.
        </EmptyState>
      }
    >
      {written && <WriteDialog classes={[written]} onClose={() => setWritten(null)} />}
      {read && (
        <Modal title={`Feedback on ${read.name}`} onClose={() => setRead(null)}>
          {read.feedback ? (
            <blockquote className="border-l-4 border-accent pl-4 whitespace-pre-line wrap-anywhere">
              {read.feedback}
            </blockquote>
          ) : (
            <p className="muted">There is no feedback on this class.</p>
          )}
          <Button look="outline" className="self-end" onClick={() => setRead(null)}>
            Close
          </Button>
        </Modal>
      )}
    </ListPage>
  );
}

/** The admin wrote about it, and the instructor has changed nothing since. */
const isUnanswered = ({ status, feedback, changed }: ManagedClass) =>
  feedback !== '' && status !== 'approved' && !changed;

/** The class that the user has just added, on the way here from Add a Class. */
function useAdded(): string | undefined {
  const state: unknown = useLocation().state;
  if (typeof state !== 'object' || state === null || !('added' in state)) return undefined;
  return typeof state.added === 'string' ? state.added : undefined;
}

const columns = (
  openFeedback: (row: ManagedClass) => void,
  write: (row: ManagedClass) => void,
  added: string | undefined,
): readonly Column<ManagedClass>[] => [
  { title: '#', part: 'serial', cell: (_, serial) => serial },
  {
    title: 'Class Name',
    part: 'lead',
    sort: ['name', '-name'],
    cell: (row) => (
      <>
        <Link to={paths.dashboard.rollCallOf(row._id)} className="link link-hover">
          {row.name}
        </Link>
        {row._id === added && (
          <span className="badge badge-accent ml-2 align-middle text-xs font-medium">New</span>
        )}
      </>
    ),
  },
  { title: 'Price', numeric: true, sort: ['price', '-price'], cell: (row) => money(row.price) },
  {
    title: 'Seats',
    numeric: true,
    sort: ['seat', '-seat'],
    cell: (row) => (
      <span className="inline-block min-w-32">
        {row.seat} <span className="muted">of {row.capacity} free</span>
        <FillBar part={row.capacity - row.seat} whole={row.capacity} className="mt-1" />
      </span>
    ),
  },
  {
    title: 'Status',
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <StatusBadge status={row.status} />
        {isUnanswered(row) && (
          <span className="badge badge-soft badge-info text-xs font-medium whitespace-nowrap">
            <Icon name={icons.mail} className="size-3.5" stroke={2} />
            feedback waiting
          </span>
        )}
        {row.proposedAt && (
          <span className="text-sm whitespace-normal">
            On sale unchanged; your change waits for the office
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (row) => (
      <>
        <Button
          size="small"
          look={isUnanswered(row) ? 'primary' : row.feedback ? 'outline' : 'plain'}
          aria-label={`Feedback: ${row.name}`}
          onClick={() => openFeedback(row)}
        >
          Feedback
        </Button>
        <Button
          size="small"
          look="plain"
          className="btn-square"
          title="Write to families"
          aria-label={`Write to families: ${row.name}`}
          onClick={() => write(row)}
        >
          <Icon name={icons.mail} className="size-4" />
        </Button>
        <LinkButton
          size="small"
          look="outline"
          to={paths.updateClass}
          state={{ item: row }}
          aria-label={`Update: ${row.name}`}
        >
          Update
        </LinkButton>
      </>
    ),
  },
];
