// What comes next for who is signed in, in one line.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { calendarDays, myCalendar } from '../../contract/classes/calendar.ts';
import { addDays } from '../../contract/platform/days.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query, useSettings } from '../platform/api/query.ts';
import { dashboardOf, paths } from '../platform/paths.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { nearName } from '../platform/ui/Line.tsx';
import { Ball } from '../platform/ui/Logo.tsx';
import { placed, useNow } from '../platform/ui/slots.ts';

export function NextMeeting() {
  const { user, role } = useSession();
  const now = useNow();
  const today = todayIn(useSettings().timeZone);
  const found = useQuery({
    ...query(myCalendar, { from: today, to: addDays(today, calendarDays - 1) }),
    staleTime: 60_000,
  });
  const next = placed(found.data ?? [], now).find(({ ball }) => ball)?.row;
  if (!found.data && !found.error) return null;
  if (!next)
    return (
      <Link to={dashboardOf(role)} className="touch font-medium">
        Your dashboard →
      </Link>
    );
  const { _id, classId, name, day, starts, teaches, for: people = [] } = next;
  const others = people
    .filter(({ id }) => id !== user?.id)
    .map((person) => person.name.split(' ')[0]);
  return (
    <Link
      to={teaches ? paths.dashboard.rollCallOf(classId, _id) : paths.dashboard.userHome}
      className="figures touch flex items-center gap-3 py-1 leading-snug font-medium max-sm:text-sm"
    >
      <Ball className="size-4 shrink-0" />
      <span className="wrap-anywhere">
        <span className="sr-only">Next: </span>
        {[`${nearName(day, today)} ${starts}`, name, others.join(', ')].filter(Boolean).join(' · ')}
        {'\u00A0→'}
      </span>
    </Link>
  );
}
