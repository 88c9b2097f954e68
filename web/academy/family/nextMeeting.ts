// The next meeting of each person of the family, within the next six weeks.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calendarDays, myCalendar, type OwnMeeting } from '../../../contract/classes/calendar.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { todayIn } from '../../platform/ui/dates.ts';

/** By the id of the person; undefined while it loads or could not be read. */
export function useNextMeetings(): ReadonlyMap<string, OwnMeeting> | undefined {
  const from = todayIn(useSettings().timeZone);
  const { data } = useQuery(query(myCalendar, { from, to: addDays(from, calendarDays - 1) }));
  const [now] = useState(() => new Date().toISOString());
  if (!data) return undefined;
  const next = new Map<string, OwnMeeting>();
  for (const meeting of data)
    if (meeting.state === 'on' && meeting.startsAt > now)
      for (const { id } of meeting.for ?? []) if (!next.has(id)) next.set(id, meeting);
  return next;
}
