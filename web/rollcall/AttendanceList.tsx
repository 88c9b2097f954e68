// /dashboard/attendance: the roll calls of all meetings, and whom to follow up.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getClass, listClasses } from '../../contract/classes/classes.ts';
import { isDay } from '../../contract/platform/days.ts';
import {
  exportAttendance,
  listRollCalls,
  type RollCall,
} from '../../contract/rollcall/rollcall.ts';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { ListPage } from '../platform/lists/ListPage.tsx';
import { type Listing, useListing } from '../platform/lists/listing.ts';
import { isId, paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Field, Select } from '../platform/ui/Field.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import type { Column } from '../platform/ui/Table.tsx';
import { Tabs } from '../platform/ui/Tabs.tsx';
import { dayName } from '../platform/ui/dates.ts';

function filtersOf({ filter }: Listing<never>) {
  const [from = '', to = '', classId = ''] = ['from', 'to', 'class'].map(
    (name) => filter(name) ?? '',
  );
  const isReversed = isDay(from) && isDay(to) && from > to;
  return {
    isReversed,
    isMissing: filter('missing') === 'true',
    chosen: {
      ...(isId(classId) && { class: classId }),
      ...(isDay(from) && { from }),
      ...(isDay(to) && !isReversed && { to }),
    },
  };
}

export function AttendanceList() {
  const listing = useListing();
  const { chosen, isMissing } = filtersOf(listing);
  const { page, limit } = listing.input;
  const meetings = useQuery({
    ...query(listRollCalls, { ...chosen, ...(isMissing && { missing: 'true' }), page, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListPage
      title="Attendance"
      lead="Who came to each meeting, and whom to follow up."
      actions={<ExportButton file="attendance.csv" fetch={() => send(exportAttendance, chosen)} />}
      above={
        <>
          <Tabs
            label="Roll calls"
            value={isMissing ? 'true' : ''}
            options={[
              ['', 'All meetings'],
              ['true', 'No roll call'],
            ]}
            onChange={(value) => listing.onFilter('missing', value)}
          />
          <Filters listing={listing} />
        </>
      }
      caption="Meetings"
      columns={columns}
      rows={meetings.data?.items}
      rowKey={({ meetingId }) => meetingId}
      listing={listing}
      query={meetings}
      empty={
        isMissing ? (
          <EmptyState title="No roll call is missing">
            Every meeting that has ended, with people enrolled, has its roll call.
          </EmptyState>
        ) : Object.keys(chosen).length > 0 ? (
          <EmptyState title="Nothing found" drawing="no-results">
            No meetings match. Try another class or other days.
          </EmptyState>
        ) : (
          <EmptyState title="No meeting yet" drawing="nothing-scheduled">
            Meetings are here from the day on which they take place.
          </EmptyState>
        )
      }
    />
  );
}

function Filters({ listing }: { listing: Listing<never> }) {
  const { chosen, isReversed } = filtersOf(listing);
  const classes = useQuery(query(listClasses, { sort: 'name', limit: 100 })).data?.outQueryResult;
  // A class past the first hundred is chosen in the table.
  const isListed = classes?.some(({ _id }) => _id === chosen.class) ?? true;
  const other = useQuery({
    ...query(getClass, { id: chosen.class ?? '' }),
    enabled: chosen.class !== undefined && !isListed,
  }).data;
  const options = [...(other && !isListed ? [other] : []), ...(classes ?? [])];
  const day = (name: 'from' | 'to') => ({
    type: 'date',
    value: listing.filter(name) ?? '',
    onChange: ({ target }: { target: HTMLInputElement }) => listing.onFilter(name, target.value),
  });
  return (
    <div className="mb-6 grid grid-cols-2 gap-3 lg:max-w-3xl lg:grid-cols-[2fr_1fr_1fr]">
      <div className="max-lg:col-span-2">
        <Select
          label="Class"
          value={chosen.class ?? ''}
          onChange={({ target }) => listing.onFilter('class', target.value)}
          options={[['', 'All classes'], ...options.map(({ _id, name }) => [_id, name] as const)]}
        />
      </div>
      <Field label="From" {...day('from')} />
      <Field
        label="To"
        {...day('to')}
        error={isReversed ? 'This is before the first day.' : undefined}
      />
    </div>
  );
}

const columns: readonly Column<RollCall>[] = [
  {
    title: 'Class',
    part: 'lead',
    cell: ({ classId, className, instructor }) => (
      <>
        <Link to={`${paths.dashboard.attendance}?class=${classId}`} className="link link-hover">
          {className}
        </Link>
        <span className="muted block text-xs font-normal">{instructor}</span>
      </>
    ),
  },
  {
    title: 'Meeting',
    cell: ({ day, starts, ends }) => (
      <span className="figures">
        {dayName(day)}
        <span className="muted block text-xs">
          {starts}–{ends}
        </span>
      </span>
    ),
  },
  { title: 'Here', cell: (row) => <Here row={row} /> },
  { title: 'Follow up', long: true, cell: (row) => <FollowUp row={row} /> },
  {
    title: 'Actions',
    part: 'actions',
    cell: ({ classId, meetingId, className, day }) => (
      <LinkButton
        size="small"
        look="outline"
        to={paths.dashboard.rollCallOf(classId, meetingId)}
        of={`${className}, ${dayName(day)}`}
      >
        Roll call
      </LinkButton>
    ),
  },
];

function Here({ row }: { row: RollCall }) {
  const { expected, present, late, absent, excused, over, taken } = row;
  const others = [
    late > 0 && `${late} late`,
    absent > 0 && `${absent} absent`,
    excused > 0 && `${excused} excused`,
  ].filter(Boolean);
  if (taken)
    return (
      <span className="figures">
        {present + late} <span className="muted">of {expected}</span>
        {others.length > 0 && <span className="muted block text-xs">{others.join(' · ')}</span>}
      </span>
    );
  if (expected === 0) return <span className="muted">Nobody enrolled</span>;
  if (!over) return <span className="muted">{expected} expected</span>;
  return (
    <span className="badge badge-error">
      <Icon name="alert" className="size-3.5" stroke={2} />
      No roll call
    </span>
  );
}

function FollowUp({ row }: { row: RollCall }) {
  const { walkIns = [], missedThree = [] } = row;
  if (walkIns.length + missedThree.length === 0) return <span className="muted">–</span>;
  return (
    <ul className="flex flex-col gap-1">
      {missedThree.map(({ participantId, name }) => (
        <li key={participantId}>
          <strong className="font-medium">{name}</strong>{' '}
          <span className="text-warning whitespace-nowrap">3 absences in a row</span>
        </li>
      ))}
      {walkIns.map(({ guest, note }) => (
        <li key={guest}>
          <strong className="font-medium">{guest}</strong>{' '}
          <span className="muted">
            <span className="whitespace-nowrap">walk-in</span>
            {note && <span className="figures"> · {note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
