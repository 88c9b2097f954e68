// The attendance of one participant, for the page of a child: "9 of 10 · late once", by meeting.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cameTo, type MarkStatus } from '../../contract/rollcall/marks.ts';
import { type AttendanceRow, listAttendance } from '../../contract/rollcall/rollcall.ts';
import { query } from '../platform/api/query.ts';
import { Button } from '../platform/ui/Button.tsx';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { dayName } from '../platform/ui/dates.ts';
import { type AnyIcon, Icon } from '../platform/ui/Icon.tsx';
import * as icons from '../platform/ui/dashboardicons.ts';

const most = 100;
const few = 5;

export function Attendance({ participantId }: { participantId: string }) {
  const [whole, setWhole] = useState(false);
  const found = useQuery(query(listAttendance, { participant: participantId, limit: most }));
  if (found.error && !found.data)
    return <ErrorNote message={found.error.message} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Waiting />;
  const { items, total } = found.data;
  if (items.length === 0) return <p className="muted">No roll call yet.</p>;
  const shown = whole ? items : items.slice(0, few);
  return (
    <div>
      <p className="figures text-lg font-semibold">
        {inWords(items)}
        {total > items.length && (
          <span className="muted text-sm font-normal"> in the last {items.length} meetings</span>
        )}
      </p>
      <ul className="divide-base-300 mt-2 flex flex-col divide-y">
        {shown.map((row) => (
          <Line key={row.meetingId} row={row} />
        ))}
      </ul>
      {items.length > few && (
        <Button look="plain" size="small" className="mt-2" onClick={() => setWhole(!whole)}>
          {whole ? 'Show fewer' : `Show all ${items.length}`}
        </Button>
      )}
    </div>
  );
}

function Line({ row }: { row: AttendanceRow }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="figures w-36 shrink-0 whitespace-nowrap">
        {dayName(row.day)}, {row.starts}
      </span>
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        {row.className}
        {row.note && <span className="muted block text-sm">{row.note}</span>}
      </span>
      <MarkBadge status={row.status} />
    </li>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
  );
}

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

export function inWords(rows: readonly Pick<AttendanceRow, 'status'>[]): string {
  const came = rows.filter(({ status }) => cameTo(status)).length;
  const late = rows.filter(({ status }) => status === 'late').length;
  const excused = rows.filter(({ status }) => status === 'excused').length;
  return [
    `${came} of ${rows.length}`,
    late > 0 && `late ${times(late)}`,
    excused > 0 && `excused ${times(excused)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const looks: Record<MarkStatus, readonly [tone: string, icon: AnyIcon]> = {
  present: ['badge-success', icons.circleCheck],
  late: ['badge-warning', 'clock'],
  absent: ['badge-error', icons.circleX],
  excused: ['badge-neutral', icons.mail],
  left: ['badge-info', icons.logout],
};

function MarkBadge({ status }: { status: MarkStatus }) {
  const [tone, icon] = looks[status];
  return (
    <span className={`badge ${tone}`}>
      <Icon name={icon} className="size-3.5" stroke={2} />
      {status}
    </span>
  );
}
