// /dashboard/myclasses: an instructor's day, and below it the own classes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import {
  classSorts,
  listInstructorClasses,
  type ManagedClass,
} from '../../contract/classes/classes.ts';
import { query } from '../platform/api/query.ts';
import { StatusBadge } from '../classes/StatusBadge.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { FillBar } from '../platform/ui/FillBar.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { money } from '../platform/ui/money.ts';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { Today } from './Today.tsx';

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
  const addOne = (
    <LinkButton look="outline" to={paths.dashboard.addAClass}>
      Add a Class
    </LinkButton>
  );

  return (
    <>
      <Today whose="mine" className="mb-8" />
      <ListPage
        title="Instructor Classes"
        total={{ label: 'Instructor Classes', count: total }}
        lead="A class is on sale once an admin has approved it."
        actions={addOne}
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
              <blockquote className="border-l-4 border-primary pl-4 whitespace-pre-line wrap-anywhere">
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
    </>
  );
}

const words = {
  pending: 'Waiting for the office',
  denied: 'Not accepted',
  approved: 'On sale',
  cancelled: 'Cancelled by the office',
};

/** Feedback waits until the instructor has changed something. */
function standsFor({ status, feedback, changed, proposedAt }: ManagedClass): string {
  if (status === 'approved' && proposedAt)
    return 'On sale unchanged; your change waits for the office';
  const waits = feedback !== '' && status !== 'approved' && status !== 'cancelled' && !changed;
  return `${words[status]}${waits ? ', feedback waiting' : ''}`;
}

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
        {row._id === added && <span className="meta ml-2 font-normal">New</span>}
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
      <span className="whitespace-normal">
        <StatusBadge status={row.status} /> <span className="meta">{standsFor(row)}</span>
      </span>
    ),
  },
  {
    title: 'Actions',
    part: 'actions',
    cell: (row) => (
      <>
        <Button size="small" look="plain" of={row.name} onClick={() => openFeedback(row)}>
          Feedback
          {row.feedback && <span aria-hidden="true" className="bg-info size-2 rounded-full" />}
        </Button>
        <Button
          size="small"
          look="plain"
          aria-label={`Write to families: ${row.name}`}
          onClick={() => write(row)}
        >
          Write
        </Button>
        <LinkButton size="small" look="plain" to={paths.dashboard.ownLine(row._id)} of={row.name}>
          Line
        </LinkButton>
        <LinkButton
          size="small"
          look="plain"
          to={paths.updateClass}
          state={{ item: row }}
          of={row.name}
        >
          Update
        </LinkButton>
      </>
    ),
  },
];
