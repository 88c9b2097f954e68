// /dashboard/calendar: one's own meetings; for an admin everything that is planned.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import {
  calendarDays,
  myCalendar,
  type OwnMeeting,
  allMeetings,
  type PlannedMeeting,
} from '../../../../contract/classes/calendar.ts';
import { listFeeds } from '../../../../contract/classes/feeds.ts';
import { addDays } from '../../../../contract/platform/days.ts';
import { query, useSettings } from '../../../platform/api/query.ts';
import { Board } from '../Board.tsx';
import { FeedItem } from '../FeedItem.tsx';
import type { Item } from '../MeetingItem.tsx';
import { participants } from '../../participants.ts';
import { addressWith, atDay, isAsked, type Shown, shownBy } from '../shown.ts';
import { paths, isId } from '../../../platform/paths.ts';
import { useSession } from '../../../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../../../platform/ui/Button.tsx';
import { Icon } from '../../../platform/ui/Icon.tsx';
import { Modal } from '../../../platform/ui/Modal.tsx';
import { PageHeading } from '../../../platform/ui/PageHeading.tsx';
import { dayName, todayIn } from '../../../platform/ui/dates.ts';
import { EmptyState, NotYet, Skeleton } from '../../../platform/ui/States.tsx';
import { Tabs } from '../../../platform/ui/Tabs.tsx';
import { useNow } from '../../../platform/ui/slots.ts';
import { toneOf } from '../../../platform/ui/Who.tsx';
import { listInstructors } from '../../../../contract/classes/instructors.ts';
import { listPlaces } from '../../../../contract/classes/places.ts';
import { Select } from '../../../platform/ui/Field.tsx';
import { searchWith } from '../../search.ts';

export function Calendar() {
  const { role } = useSession();
  return role === 'admin' ? <Everything /> : <Own />;
}

function Own() {
  const { user, role } = useSession();
  const { timeZone } = useSettings();
  const [search, setSearch] = useSearchParams();
  const [subscribing, setSubscribing] = useState(false);
  const today = todayIn(timeZone);
  const soon = useQuery({
    ...query(myCalendar, { from: today, to: addDays(today, calendarDays - 1) }),
    enabled: !isAsked(search),
  });
  // Also those who have no meeting in the days that are shown.
  const { data: family = [] } = useQuery(participants);
  const people = family.map(({ _id, name }) => ({ id: _id, name }));
  const chosen = search.get('person') ?? '';
  const isWanted = ({ for: those = [] }: OwnMeeting) =>
    !chosen || those.some(({ id }) => id === chosen);
  const now = useNow();
  const first = soon.data?.find(
    (meeting) =>
      meeting.state !== 'cancelled' && Date.parse(meeting.endsAt) > now && isWanted(meeting),
  );
  const shown = shownBy(search, today, first?.day);
  const found = useQuery({
    ...query(myCalendar, { from: shown.from, to: shown.to }),
    enabled: !soon.isLoading,
  });
  const wanted = (found.data ?? []).filter(isWanted);
  const teaches = role === 'instructor';
  const names = (meeting: OwnMeeting) => namesOf(meeting, user?.id, people.length > 1);
  return (
    <div className="[--bar:3.75rem]">
      <PageHeading
        title="Calendar"
        actions={
          <Button look="outline" onClick={() => setSubscribing(true)}>
            <Icon name="calendar" /> Subscribe on your phone
          </Button>
        }
      >
        {teaches
          ? 'What you teach, and what you have booked.'
          : 'When and where your classes meet.'}
      </PageHeading>
      {people.length > 1 && (
        <Tabs
          label="Person"
          value={chosen}
          options={[['', 'Everyone'], ...people.map(({ id, name }) => [id, name] as const)]}
          onChange={(id) => setSearch(searchWith(search, 'person', id), { replace: true })}
        />
      )}
      <Board
        path={paths.dashboard.calendar}
        search={search}
        shown={shown}
        today={today}
        items={found.data && wanted.map((meeting) => itemOf(meeting, names(meeting)))}
        of={found}
        empty={<Nothing teaches={teaches} shown={shown} search={search} isWanted={isWanted} />}
      />
      {wanted.length > 0 && (
        <ComingUp
          names={names}
          shown={shown}
          search={search}
          isWanted={(later) =>
            isWanted(later) && !wanted.some(({ classId }) => classId === later.classId)
          }
        />
      )}
      {subscribing && (
        <Subscribe
          people={people.filter(({ id }) => id !== user?.id)}
          onClose={() => setSubscribing(false)}
        />
      )}
    </div>
  );
}

interface LaterProps {
  shown: Shown;
  search: URLSearchParams;
  isWanted: (meeting: OwnMeeting) => boolean;
}

/** The meetings of the weeks after the days that are shown, and where each is in the calendar. */
function useLater({ shown, search, isWanted }: LaterProps) {
  const from = addDays(shown.to, 1);
  const { data = [] } = useQuery(query(myCalendar, { from, to: addDays(from, calendarDays - 1) }));
  const later = data.filter((meeting) => meeting.state === 'on' && isWanted(meeting));
  const placeOf = ({ day }: OwnMeeting) =>
    addressWith(paths.dashboard.calendar, search, atDay(shown, day));
  return { later, placeOf };
}

/** Who sees one class this week shall not think that the others are lost: their next meetings. */
function ComingUp({ names, ...props }: LaterProps & { names: (meeting: OwnMeeting) => string }) {
  const { later, placeOf } = useLater(props);
  const isFirst = ({ classId }: OwnMeeting, nth: number) =>
    later.findIndex((meeting) => meeting.classId === classId) === nth;
  const next = later.filter(isFirst);
  if (next.length === 0) return null;
  return (
    <section aria-labelledby="coming-up" className="mt-8">
      <h2 id="coming-up" className="mb-3 text-lg">
        After this {props.shown.step}
      </h2>
      <ul className="flex max-w-3xl flex-col gap-3">
        {next.map((meeting) => (
          <li key={meeting._id}>
            <Link to={placeOf(meeting)} className="meeting-later">
              {meeting.name}
            </Link>
            <p className="muted text-sm wrap-anywhere">
              {[`${dayName(meeting.day)}, ${meeting.starts}`, names(meeting)]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nothing now is not nothing at all: what comes next is one press away. */
function Nothing({ teaches, ...props }: LaterProps & { teaches: boolean }) {
  const { shown } = props;
  const { later, placeOf } = useLater(props);
  const [next] = later;
  const title = `Nothing ${teaches ? 'planned' : 'booked'} this ${shown.step}`;
  if (next) {
    const { name, day, starts } = next;
    return (
      <EmptyState
        drawing="nothing-scheduled"
        title={title}
        action={<LinkButton to={placeOf(next)}>Go to that {shown.step}</LinkButton>}
      >
        Next: {name}, {dayName(day)}, {starts}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="nothing-scheduled"
      title={title}
      action={teaches ? undefined : <LinkButton to={paths.calendar}>See what is on</LinkButton>}
    >
      {teaches
        ? 'The dates of your classes appear here.'
        : 'Classes that you have paid for appear here, with times and places.'}
    </EmptyState>
  );
}

/** For whom it is. Without children nothing: it is the user. */
function namesOf(
  { for: people = [] }: OwnMeeting,
  ownId: string | undefined,
  hasChildren: boolean,
): string {
  if (!hasChildren && people.every(({ id }) => id === ownId)) return '';
  return people.map(({ id, name }) => (id === ownId ? 'You' : name)).join(', ');
}

/** A colour for each person; what one teaches by class. */
function itemOf(meeting: OwnMeeting, names: string): Item {
  const { for: people = [], clashes = [] } = meeting;
  return {
    meeting,
    // Proposed dates have no roll call yet.
    to:
      meeting.teaches && meeting.state !== 'proposed'
        ? paths.dashboard.rollCallOf(meeting.classId, meeting._id)
        : paths.class(meeting.classId),
    tone: toneOf(people[0]?.id ?? meeting.classId),
    note: (
      <>
        {names && <span className="font-medium">{names}</span>}
        {clashes.length > 0 && (
          <span className="text-error block font-medium">
            At the same time as {clashes.map((clash) => clash.with).join(', ')}
          </span>
        )}
      </>
    ),
  };
}

interface SubscribeProps {
  people: readonly { id: string; name: string }[];
  onClose: () => void;
}

function Subscribe({ people, onClose }: SubscribeProps) {
  const feeds = useQuery(query(listFeeds, {}));
  const known = (feeds.data ?? []).flatMap(({ participantId, name }) =>
    participantId && name ? [{ id: participantId, name }] : [],
  );
  const others = new Map([...people, ...known].map((person) => [person.id, person]));
  const kinds = [{ id: null, name: 'All my dates' }, ...others.values()];
  return (
    <Modal title="Subscribe on your phone" onClose={onClose}>
      <p>
        Your calendar app reads a link and stays up to date: new dates, other times and cancelled
        meetings appear by themselves, within a day at most.
      </p>
      <NotYet of={feeds}>
        <Skeleton className="h-24" />
      </NotYet>
      {feeds.data && (
        <ul className="flex flex-col gap-4">
          {kinds.map(({ id, name }) => (
            <li key={id}>
              <FeedItem
                participantId={id}
                name={name}
                feed={feeds.data.find(({ participantId }) => participantId === id)}
              />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function Everything() {
  const { timeZone } = useSettings();
  const [search, setSearch] = useSearchParams();
  const today = todayIn(timeZone);
  const shown = shownBy(search, today);
  const [place, instructor] = [search.get('place') ?? '', search.get('instructor') ?? ''];
  const byInstructor = search.get('colour') === 'instructor';
  const found = useQuery(
    query(allMeetings, {
      from: shown.from,
      to: shown.to,
      ...(isId(place) && { place }),
      ...(isId(instructor) && { instructor }),
    }),
  );
  const places = useQuery(query(listPlaces, {}));
  const instructors = useQuery(query(listInstructors, { sort: 'name', limit: 100 }));
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <Select
      label={label}
      value={search.get(name) ?? ''}
      onChange={({ target }) =>
        setSearch(searchWith(search, name, target.value), { replace: true })
      }
      options={options}
    />
  );
  return (
    <div className="[--bar:3.75rem]">
      <PageHeading title="Calendar">Every meeting. Proposed ones are in outline.</PageHeading>
      <div className="mb-6 grid gap-3 sm:grid-cols-3 lg:max-w-3xl">
        {choice('place', 'Place', [
          ['', 'All places'],
          ...(places.data ?? []).map(({ _id, name }) => [_id, name] as const),
        ])}
        {choice('instructor', 'Instructor', [
          ['', 'All instructors'],
          ...(instructors.data?.items ?? []).map(({ id, name }) => [id, name] as const),
        ])}
        {choice('colour', 'Colours', [
          ['', 'By place'],
          ['instructor', 'By instructor'],
        ])}
      </div>
      <Board
        path={paths.dashboard.calendar}
        search={search}
        shown={shown}
        today={today}
        items={found.data?.map((meeting) => plannedItem(meeting, byInstructor))}
        of={found}
        empty={
          <EmptyState
            drawing="nothing-scheduled"
            title={`Nothing is planned this ${shown.step}`}
            action={
              <LinkButton look="outline" to={paths.dashboard.manageClasses}>
                Manage classes
              </LinkButton>
            }
          />
        }
      />
    </div>
  );
}

const plannedItem = (meeting: PlannedMeeting, byInstructor: boolean): Item => ({
  meeting,
  to: paths.dashboard.review(meeting.classId),
  tone: toneOf(byInstructor ? meeting.instructorId : (meeting.placeId ?? '')),
  ...(meeting.status !== 'approved' && { note: `Class ${meeting.status}` }),
  ...(byInstructor && { note: meeting.instructor }),
});
