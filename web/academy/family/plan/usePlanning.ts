// What the planner needs to know: the people, the classes, and what each person goes to already.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  calendarDays,
  myCalendar,
  type OwnMeeting,
} from '../../../../contract/classes/calendar.ts';
import { type CartItem, getCart } from '../../../../contract/checkout/cart.ts';
import { addDays } from '../../../../contract/platform/days.ts';
import { listParticipants, type Participant } from '../../../../contract/people/family.ts';
import { type Enrolment, listEnrolments } from '../../../../contract/checkout/payments.ts';
import { listPlans, type PlannedClass } from '../../../../contract/classes/plans.ts';
import { query, useSettings } from '../../../platform/api/query.ts';
import { todayIn } from '../../../platform/ui/dates.ts';
import { type Interval, type PlannedChild, spanOf } from './search.ts';
import { useSession } from '../../../people/session/SessionProvider.tsx';

/** A term is shorter. Past that a clash is only shown in the cart. */
const mostWindows = 9;

function windowsOf(today: string, classes: readonly PlannedClass[]) {
  const ends = classes.flatMap(({ meetings }) => meetings.at(-1)?.startsAt ?? []);
  const last = addDays(ends.toSorted().at(-1)?.slice(0, 10) ?? today, 1);
  const windows = Array.from({ length: mostWindows }, (_, nth) => {
    const from = addDays(today, nth * calendarDays);
    return { from, to: addDays(from, calendarDays - 1) };
  });
  return windows.filter(({ from }) => from <= last);
}

export function usePlanning() {
  const { user } = useSession();
  const email = user?.email ?? '';
  const today = todayIn(useSettings().timeZone);
  const people = useQuery(query(listParticipants, {}));
  const classes = useQuery(query(listPlans, {}));
  const cart = useQuery(query(getCart, {}));
  const enrolments = useQuery(query(listEnrolments, { email, limit: 100 }));
  const windows = useMemo(() => windowsOf(today, classes.data ?? []), [today, classes.data]);
  const calendars = useQueries({
    queries: windows.map((days) => query(myCalendar, days)),
    combine: (all) => ({
      error: all.find(({ error }) => error)?.error ?? null,
      data: all.every(({ data }) => data) ? all.flatMap(({ data }) => data ?? []) : null,
    }),
  });
  const reads = [people, classes, cart, enrolments];
  const error = reads.find((read) => read.error && !read.data)?.error ?? calendars.error;
  const retry = () => reads.forEach((read) => void (read.error && read.refetch()));
  const [plans, inCart, meetings] = [classes.data, cart.data, calendars.data];
  const booked = enrolments.data?.items;
  const own = plans && inCart && booked && meetings && { plans, inCart, booked, meetings };
  const known = people.data &&
    own && { classes: own.plans, people: people.data.map((person) => asChild(person, own)) };
  return { known, participants: people.data, error, retry };
}

interface Own {
  plans: readonly PlannedClass[];
  inCart: readonly CartItem[];
  booked: readonly Enrolment[];
  meetings: readonly OwnMeeting[];
}

function asChild({ _id, self, name, born }: Participant, own: Own): PlannedChild {
  const theirs = (rows: readonly { participantId: string; classId: string }[]) =>
    rows.filter(({ participantId }) => participantId === _id).map(({ classId }) => classId);
  const inCart = theirs(own.inCart);
  const busy: Interval[] = [
    ...own.meetings
      .filter((meeting) => meeting.state === 'on' && goes(meeting, { _id, self }))
      .map(({ startsAt, endsAt }): Interval => [Date.parse(startsAt), Date.parse(endsAt)]),
    ...own.plans
      .filter((item) => inCart.includes(item._id))
      .flatMap((item) => item.meetings.map(spanOf)),
  ];
  return {
    id: _id,
    name: self ? 'You' : (name.trim().split(/\s+/)[0] ?? name),
    born,
    busy,
    has: new Set([...inCart, ...theirs(own.booked)]),
  };
}

const goes = (meeting: OwnMeeting, { _id, self }: { _id: string; self: boolean }) =>
  meeting.for ? meeting.for.some(({ id }) => id === _id) || (self && !!meeting.teaches) : self;
