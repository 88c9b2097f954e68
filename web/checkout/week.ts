// The next seven days of a family, and the classes that meet after them.
import { useQuery } from '@tanstack/react-query';
import { myCalendar, type OwnMeeting } from '../../contract/classes/calendar.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import { addDays } from '../../contract/platform/days.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query, useSettings } from '../platform/api/query.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { type Placed, placed, useNow } from '../platform/ui/slots.ts';
import type { Person } from '../platform/ui/Who.tsx';

export interface Week {
  /** Of these people; empty where it is only about oneself. */
  people: readonly Person[];
  today: string;
  meetings: readonly Placed<OwnMeeting>[];
  later: readonly Later[];
}

export type Later = Enrolment & { next: NonNullable<Enrolment['next']> };

export const days = 7;

/** Of everyone in the family, or of one of them. */
export function useWeek(person = '') {
  const { user } = useSession();
  const { timeZone } = useSettings();
  const now = useNow();
  const today = todayIn(timeZone, new Date(now));
  const last = addDays(today, days - 1);
  const calendar = useQuery(query(myCalendar, { from: today, to: last }));
  const enrolments = useQuery(query(listEnrolments, { email: user?.email ?? '', limit: 100 }));
  const enrolled = enrolments.data?.items ?? [];
  const attended = calendar.data?.flatMap((meeting) => {
    const goes = meeting.for?.filter(({ id }) => !person || id === person) ?? [];
    return goes.length > 0 ? [{ ...meeting, for: goes }] : [];
  });
  const later = enrolled.flatMap((row) =>
    row.next && row.next.day > last && (!person || row.participantId === person)
      ? [{ ...row, next: row.next }]
      : [],
  );
  const error = calendar.error ?? enrolments.error;
  const week: Week | undefined =
    attended && enrolments.data
      ? { people: peopleOf(enrolled), today, meetings: placed(attended, now), later }
      : undefined;
  const refetch = () => Promise.all([calendar.refetch(), enrolments.refetch()]);
  return { data: week, error, refetch, enrolled };
}

function peopleOf(enrolled: readonly Enrolment[]): Person[] {
  const names = new Map(
    enrolled.map(({ participantId, participant }) => [participantId, participant ?? 'You']),
  );
  const people = [...names].map(([id, name]) => ({ id, name }));
  return enrolled.some(({ participant }) => participant) ? people : [];
}
