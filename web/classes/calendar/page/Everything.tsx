// The admin's calendar: every meeting, proposed ones in outline, by place or by instructor.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { allMeetings, type PlannedMeeting } from '../../../../contract/classes/calendar.ts';
import { listInstructors } from '../../../../contract/classes/instructors.ts';
import { listPlaces } from '../../../../contract/classes/places.ts';
import { query, useSettings } from '../../../platform/api/query.ts';
import { Board } from '../Board.tsx';
import { type Item, toneFor } from '../MeetingItem.tsx';
import { searchWith, shownBy } from '../shown.ts';
import { isId, paths } from '../../../platform/paths.ts';
import { LinkButton } from '../../../platform/ui/Button.tsx';
import { Select } from '../../../platform/ui/Field.tsx';
import { PageHeading } from '../../../platform/ui/PageHeading.tsx';
import { todayIn } from '../../../platform/ui/dates.ts';
import { EmptyState } from '../../../platform/ui/States.tsx';

export function Everything() {
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
        items={found.data?.map((meeting) => itemOf(meeting, byInstructor))}
        error={found.error}
        onRetry={() => void found.refetch()}
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

const itemOf = (meeting: PlannedMeeting, byInstructor: boolean): Item => ({
  meeting,
  to: paths.dashboard.review(meeting.classId),
  tone: toneFor(byInstructor ? meeting.instructorId : (meeting.placeId ?? '')),
  ...(meeting.status !== 'approved' && { note: `Class ${meeting.status}` }),
  ...(byInstructor && { note: meeting.instructor }),
});
