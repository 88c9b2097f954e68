// /dashboard/manageclasses: every class whatever its status, and the decision on each.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  type Class,
  classSorts,
  exportClasses,
  listClasses,
  type ManagedClass,
  statuses,
} from '../../contract/classes/classes.ts';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { ApproveDeny, type Decided, DenyReason } from './ApproveDeny.tsx';
import { FeedbackDialog } from './FeedbackDialog.tsx';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WhatChanged } from './WhatChanged.tsx';
import { useListing } from '../platform/lists/listing.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Picture } from '../platform/ui/Picture.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';
import { onDemand } from '../platform/ui/onDemand.tsx';

const WriteToAll = onDemand(() => import('./WriteDialog.tsx').then((m) => m.WriteToAll));
const HandOver = onDemand(() => import('./HandOver.tsx').then((m) => m.HandOver));

type Row = Class | ManagedClass;
type Open = { dialog: 'write' } | { dialog: 'feedback' | 'handOver'; row: Row };

const shelves = [...statuses, 'over'] as const;
const sorts = ['new', ...classSorts.filter((sort) => sort !== 'new')] as const;

export function ManageClasses() {
  const listing = useListing(sorts);
  const shelf = shelves.find((known) => known === listing.filter('status'));
  // The spreadsheet has no file of the ended ones.
  const status = statuses.find((known) => known === shelf);
  const [open, setOpen] = useState<Open | null>(null);
  const [denied, setDenied] = useState<Decided | null>(null);
  const close = () => setOpen(null);
  const classes = useQuery({
    ...query(listClasses, { ...listing.input, ...(shelf && { status: shelf }) }),
    placeholderData: keepPreviousData,
  });

  return (
    <ListPage
      title="Manage Classes"
      lead="Visitors see approved classes only. Denying one closes its sale; those already enrolled stay."
      actions={
        <>
          <Button look="outline" onClick={() => setOpen({ dialog: 'write' })}>
            Write to families
          </Button>
          <LinkButton look="outline" to={paths.dashboard.addForInstructor}>
            Add a class
          </LinkButton>
          <ExportButton
            file="classes.csv"
            fetch={() => send(exportClasses, { ...listing.searched, ...(status && { status }) })}
          />
        </>
      }
      filter={{
        name: 'status',
        value: shelf,
        options: [
          ['pending', 'Pending'],
          ['approved', 'Approved'],
          ['denied', 'Denied'],
          ['over', 'Ended'],
        ],
      }}
      caption="Classes"
      columns={columns(setOpen, setDenied)}
      rows={classes.data?.outQueryResult}
      listing={listing}
      query={classes}
    >
      {open?.dialog === 'write' && <WriteToAll onClose={close} />}
      {denied && <DenyReason key={denied._id} item={denied} onClose={() => setDenied(null)} />}
      {open?.dialog === 'handOver' && <HandOver row={open.row} onClose={close} />}
      {open?.dialog === 'feedback' && <FeedbackDialog row={open.row} onClose={close} />}
    </ListPage>
  );
}

/** Seven columns must fit beside the menu: words break early. */
const Narrow = ({ children }: { children: ReactNode }) => (
  <span className="block min-w-22 whitespace-normal wrap-anywhere">{children}</span>
);

/** Two short lines: 'Mon, Wed · 16:00–17:30', then '5 Jan – 18 Mar 2027'. */
function Plan({ schedule }: { schedule: string }) {
  const cut = schedule.lastIndexOf(' · ');
  return (
    <span className="muted figures block text-xs font-normal wrap-normal">
      <span className="block">{schedule.slice(0, cut)}</span>
      <span className="block">{schedule.slice(cut + 3)}</span>
    </span>
  );
}

const columns = (
  open: (dialog: Open) => void,
  onDenied: (item: Decided) => void,
): readonly Column<Row>[] => [
  {
    title: 'Photo',
    part: 'picture',
    cell: (row) => (
      <Picture
        src={row.img}
        alt=""
        width={48}
        height={36}
        className="rounded-field h-9 w-12 object-cover @max-[60rem]:h-12 @max-[60rem]:w-16"
      />
    ),
  },
  {
    title: 'Name',
    part: 'lead',
    sort: ['name', '-name'],
    cell: (row) => (
      <div>
        <Link to={paths.dashboard.review(row._id)} className="link-hover link">
          {row.name}
        </Link>
        {row.firstDay && <Plan schedule={row.schedule} />}
        {'version' in row && <WhatChanged {...row} />}
      </div>
    ),
  },
  { title: 'Instructor', cell: (row) => <Narrow>{row.instructor}</Narrow> },
  {
    title: 'Seats',
    numeric: true,
    sort: ['seat', '-seat'],
    cell: (row) => ('capacity' in row ? `${row.seat} of ${row.capacity}` : row.seat),
  },
  { title: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
  {
    title: 'Actions',
    part: 'actions',
    cell: (row) => (
      <>
        <ApproveDeny item={row} onDenied={onDenied} />
        <Button
          size="small"
          look="plain"
          aria-label={`Feedback: ${row.name}`}
          onClick={() => open({ dialog: 'feedback', row })}
        >
          Feedback
        </Button>
        <LinkButton
          size="small"
          look="plain"
          className="btn-square"
          to={paths.updateClass}
          state={{ item: row }}
          title="Update"
          aria-label={`Update: ${row.name}`}
        >
          <Icon name={icons.pencil} className="size-4" />
        </LinkButton>
        <Button
          size="small"
          look="plain"
          className="btn-square"
          title="Hand over"
          aria-label={`Hand over: ${row.name}`}
          onClick={() => open({ dialog: 'handOver', row })}
        >
          <Icon name={icons.handOver} className="size-4" />
        </Button>
      </>
    ),
  },
];
