// The meetings that are planned on days on which the academy is closed, with links to their classes.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  allMeetings,
  calendarDays,
  type PlannedMeeting,
} from '../../../contract/classes/calendar.ts';
import { addDays, isDay } from '../../../contract/platform/days.ts';
import { query } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Icon } from '../../platform/ui/Icon.tsx';
import { dayName } from '../../platform/ui/dates.ts';

/** A longer holiday is looked at for its first 42 days. */
const cut = (from: string, to: string) => {
  const last = addDays(from, calendarDays - 1);
  return to < last ? to : last;
};

export function MeetingsOn({ from, to }: { from: string; to: string }) {
  const isRange = isDay(from) && isDay(to) && from <= to;
  const { data } = useQuery({
    ...query(allMeetings, { from, to: isRange ? cut(from, to) : to }),
    enabled: isRange,
  });
  const planned = isRange ? (data ?? []).filter(({ state }) => state !== 'cancelled') : [];
  if (planned.length === 0) return null;
  const count = planned.length === 1 ? '1 meeting is' : `${planned.length} meetings are`;
  return (
    <details className="mt-1 text-sm">
      <summary className="text-warning flex min-h-8 w-fit cursor-pointer items-center gap-2 font-medium">
        <Icon name="alert" className="size-4 shrink-0" />
        {count} planned on these days
      </summary>
      <MeetingList meetings={planned} />
    </details>
  );
}

type Listed = Pick<PlannedMeeting, 'classId' | 'name' | 'day' | 'starts'> & { place?: string };

export const MeetingList = ({ meetings }: { meetings: readonly Listed[] }) => (
  <ul className="mt-1 flex max-h-72 flex-col gap-1 overflow-y-auto">
    {meetings.map(({ classId, name, day, starts, place }) => (
      <li key={`${classId} ${day} ${starts}`} className="figures flex flex-wrap gap-x-3">
        <span className="whitespace-nowrap">
          {dayName(day)}, {starts}
        </span>
        <Link to={paths.dashboard.review(classId)} className="link wrap-anywhere">
          {name}
        </Link>
        {place && <span className="muted">{place}</span>}
      </li>
    ))}
  </ul>
);
