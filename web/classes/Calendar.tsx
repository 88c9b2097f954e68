// /calendar: the meetings of all approved classes, by week or month, with the filters of /classes
// that a meeting can have. Works without JavaScript.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { listCalendar, nextMeeting } from '../../contract/classes/calendar.ts';
import type { Input } from '../../contract/platform/call.ts';
import { settings } from '../../contract/platform/settings.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { listClosures, listPlaces } from '../../contract/classes/places.ts';
import { useLiveSeats } from './live.ts';
import { query, useSettings, useSports } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { Board } from './calendar/Board.tsx';
import { ListOrCalendar } from './calendar/ListOrCalendar.tsx';
import type { Item } from './calendar/MeetingItem.tsx';
import { addressWith, atWeekOf, type Shown, shownBy } from './calendar/shown.ts';
import { filtersIn } from './filters.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { todayIn, zoneInWords } from '../platform/ui/dates.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { CalendarFilters } from './CalendarFilters.tsx';

const allInstructors = { sort: 'name', limit: 100 } as const;

type Filters = Omit<Input<typeof nextMeeting>, 'after'>;

/** Whatever makes no sense is left out, as in the catalogue. */
function filtersOf(search: URLSearchParams): Filters {
  const { sport, place, instructor, age, level } = filtersIn(search);
  return {
    ...(sport && { sport }),
    ...(place && { place }),
    ...(instructor && { instructor }),
    ...(age !== undefined && { age }),
    ...(level && { level }),
  };
}

const inputOf = ({ from, to }: Shown, filters: Filters) => ({ from, to, ...filters });

export const reads: Reads = ({ search }) => [
  reading(settings, {}, ({ timeZone }) => {
    const shown = shownBy(search, todayIn(timeZone));
    const filters = filtersOf(search);
    return [
      reading(listCalendar, inputOf(shown, filters), (found) =>
        found.length > 0 ? [] : [reading(nextMeeting, { after: shown.to, ...filters })],
      ),
      ...(shown.view === 'month' ? [reading(listClosures, {})] : []),
    ];
  }),
  reading(listPlaces, {}),
  reading(listInstructors, allInstructors),
];

export function Calendar() {
  useLiveSeats();
  const { brand, timeZone } = useSettings();
  const sports = useSports();
  const [search] = useSearchParams();
  const today = todayIn(timeZone);
  const shown = shownBy(search, today);
  const filters = filtersOf(search);
  const input = inputOf(shown, filters);
  const found = useQuery({ ...query(listCalendar, input), staleTime: 30_000 });
  const places = useQuery({ ...query(listPlaces, {}), staleTime: 60_000 });
  const instructors = useQuery({ ...query(listInstructors, allInstructors), staleTime: 60_000 });
  usePageTitle('Calendar', {
    description: `When and where the classes of ${brand} meet, week by week, with free seats.`,
    canonical: paths.calendar,
    // Every week and every mixture of filters is another address of the same calendar.
    hidden: search.size > 0,
  });
  const items = found.data?.map((meeting): Item => ({
    meeting,
    to: paths.class(meeting.classId),
    tone: sports.indexOf(meeting.sport),
    seats: true,
  }));
  return (
    <div className="measure py-6 [--bar:4rem] sm:py-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:mb-6">
        <h1 className="text-3xl sm:text-5xl">Calendar</h1>
        <ListOrCalendar here="calendar" search={search} />
      </div>
      <CalendarFilters
        search={search}
        places={places.data ?? []}
        instructors={instructors.data?.items ?? []}
        used={Object.keys(filters).length}
      />
      <Board
        path={paths.calendar}
        search={search}
        shown={shown}
        today={today}
        items={items}
        error={found.error}
        onRetry={() => void found.refetch()}
        empty={<Nothing search={search} shown={shown} today={today} filters={filters} />}
      />
      <p className="muted mt-6 text-sm">Times are {zoneInWords(timeZone)}.</p>
    </div>
  );
}

interface NothingProps {
  search: URLSearchParams;
  shown: Shown;
  today: string;
  filters: Filters;
}

function Nothing({ search, shown, today, filters }: NothingProps) {
  const { data } = useQuery({
    ...query(nextMeeting, { after: shown.to, ...filters }),
    staleTime: 30_000,
  });
  const filtered = Object.keys(filters).length > 0;
  const { day = null } = data ?? {};
  const change =
    day === null
      ? {}
      : shown.month === null
        ? atWeekOf(day, today, shown.view)
        : { month: day.slice(0, 7), day };
  return (
    <EmptyState
      drawing="nothing-scheduled"
      title={`Nothing is planned this ${shown.step}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {day !== null && (
            <LinkButton to={addressWith(paths.calendar, search, change)}>
              Next {shown.step} with classes
            </LinkButton>
          )}
          {filtered && (
            <LinkButton look="outline" to={addressWith(paths.calendar, withoutFilters(search), {})}>
              Clear filters
            </LinkButton>
          )}
          {!filtered && day === null && data && (
            <LinkButton to={paths.classes}>See all classes</LinkButton>
          )}
        </div>
      }
    >
      {filtered ? 'Try another choice of filters.' : null}
    </EmptyState>
  );
}

const withoutFilters = (search: URLSearchParams) =>
  new URLSearchParams(
    [...search].filter(([name]) => ['week', 'month', 'view', 'day'].includes(name)),
  );
