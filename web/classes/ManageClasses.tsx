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
import { Thumb } from '../platform/ui/Picture.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { onDemand } from '../platform/ui/onDemand.tsx';

const WriteToAll = onDemand(() => import('./WriteDialog.tsx').then((m) => m.WriteToAll));

type Row = Class | ManagedClass;

const shelves = [...statuses, 'over'] as const;
const sorts = ['new', ...classSorts.filter((sort) => sort !== 'new')] as const;

export function ManageClasses() {
  const listing = useListing(sorts);
  const shelf = shelves.find((known) => known === listing.filter('status'));
  // The spreadsheet has no file of the ended ones.
  const status = statuses.find((known) => known === shelf);
  const [writes, setWrites] = useState(false);
  const [about, setAbout] = useState<Row | null>(null);
  const [denied, setDenied] = useState<Decided | null>(null);
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
          <Button look="outline" onClick={() => setWrites(true)}>
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
          ['cancelled', 'Cancelled'],
          ['over', 'Ended'],
        ],
      }}
      caption="Classes"
      columns={columns(setAbout, setDenied)}
      rows={classes.data?.outQueryResult}
      listing={listing}
      query={classes}
    >
      {writes && <WriteToAll onClose={() => setWrites(false)} />}
      {denied && <DenyReason key={denied._id} item={denied} onClose={() => setDenied(null)} />}
      {about && <FeedbackDialog row={about} onClose={() => setAbout(null)} />}
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
  writeAbout: (row: Row) => void,
  onDenied: (item: Decided) => void,
): readonly Column<Row>[] => [
  {
    title: 'Photo',
    part: 'picture',
    cell: (row) => <Thumb src={row.img} className="h-12 w-16 lg:h-9 lg:w-12" />,
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
        <Button size="small" look="plain" of={row.name} onClick={() => writeAbout(row)}>
          Feedback
        </Button>
        {row.status !== 'cancelled' && (
          <LinkButton
            size="small"
            look="plain"
            to={paths.updateClass}
            state={{ item: row }}
            of={row.name}
          >
            Update
          </LinkButton>
        )}
      </>
    ),
  },
];
