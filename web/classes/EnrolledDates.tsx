// The next meeting of an enrolled class, and what families were told about changed ones.
import { useQuery } from '@tanstack/react-query';
import { calendarDays, myCalendar } from '../../contract/classes/calendar.ts';
import { addDays } from '../../contract/platform/days.ts';
import type { Enrolment } from '../../contract/checkout/payments.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { Icon } from '../platform/ui/Icon.tsx';
import { dayName, todayIn } from '../platform/ui/dates.ts';

/** The meetings of the next six weeks. Every row asks for the same, so it is read once. */
function useMeetings(classId: string) {
  const from = todayIn(useSettings().timeZone);
  const { data = [] } = useQuery(query(myCalendar, { from, to: addDays(from, calendarDays - 1) }));
  return data.filter((meeting) => meeting.classId === classId && meeting.for);
}

export function EnrolledDates({ row }: { row: Enrolment }) {
  const meetings = useMeetings(row.classId);
  const { next } = row;
  const told = meetings.filter((meeting) => meeting.told);
  return (
    <>
      {next && (
        <p className="figures flex items-start gap-1.5 text-sm font-medium">
          <Icon name="clock" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            Next: {dayName(next.day)}, {next.starts}
            {next.place && next.place !== row.place && `, ${next.place}`}
          </span>
        </p>
      )}
      {told.map(({ _id, day, starts, state, told: words }) => (
        <p key={_id} className="text-sm font-normal wrap-anywhere">
          {state === 'cancelled' ? (
            <>
              <s className="figures">
                {dayName(day)}, {starts}
              </s>{' '}
              <strong className="text-error font-medium">Cancelled</strong>
            </>
          ) : (
            <strong className="figures font-medium">
              New: {dayName(day)}, {starts}
            </strong>
          )}
          <span className="muted block">{words}</span>
        </p>
      ))}
    </>
  );
}
