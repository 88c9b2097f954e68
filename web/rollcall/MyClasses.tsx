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
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { FillBar } from '../platform/ui/Chart.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { EmptyState, ErrorNote } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { money } from '../platform/ui/money.ts';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';

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

export function TodaysMeetings({ day }: { day: string }) {
  const found = useQuery(query(listRollCalls, { from: day, to: day, mine: 'true' }));
  if (found.error && !found.data)
    return (
      <div className="mb-8">
        <ErrorNote
          message="Today's meetings could not be loaded."
          onRetry={() => void found.refetch()}
        />
      </div>
    );
  const meetings = found.data?.items.toReversed() ?? [];
  if (meetings.length === 0) return null;
  return (
    <section aria-labelledby="today" className="mb-8">
      <h2 id="today" className="mb-3 text-lg">
        Today
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {meetings.map((meeting) => (
          <Card key={meeting.meetingId} meeting={meeting} />
        ))}
      </ul>
    </section>
  );
}

function Card({ meeting }: { meeting: RollCall }) {
  const { meetingId, classId, className, starts, ends, place, over, taken } = meeting;
  const isMissing = over && !taken && meeting.expected > 0;
  return (
    <li className="bg-base-100 border-base-300 rounded-box flex items-center gap-3 border p-4">
      <div className="min-w-0 flex-1">
        <p className="figures text-sm font-medium">
          {starts}–{ends}
          {place && <span className="muted font-normal"> · {place}</span>}
        </p>
        <p className="mt-0.5 font-semibold wrap-anywhere">{className}</p>
        <p className={`mt-1 text-sm ${isMissing ? 'text-error font-medium' : 'muted'}`}>
          {stateOf(meeting)}
        </p>
      </div>
      <LinkButton
        look={taken ? 'outline' : 'primary'}
        to={paths.dashboard.rollCallOf(classId, meetingId)}
        aria-label={`Roll call: ${className}, ${starts}`}
        className="shrink-0 px-3"
      >
        <Icon name={icons.rollCall} /> Roll call
      </LinkButton>
    </li>
  );
}

function stateOf({ expected, present, late, over, taken }: RollCall): string {
  if (taken) return `${present + late} of ${expected} here`;
  if (expected === 0) return 'Nobody is enrolled yet';
  return over ? 'No roll call' : `${expected} expected`;
}
