// /calendar: the meetings of all approved classes. Works without JavaScript.
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { listCalendar, nextMeeting } from '../../contract/classes/calendar.ts';
import type { Input } from '../../contract/platform/call.ts';
import { addDays } from '../../contract/platform/days.ts';
import { settings } from '../../contract/platform/settings.ts';
import { listClosures } from '../../contract/classes/places.ts';
import { useLiveSeats } from './live.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { Board } from './calendar/Board.tsx';
import { ListOrCalendar } from './calendar/ListOrCalendar.tsx';
import type { Item } from './calendar/MeetingItem.tsx';
import { addressWith, atDay, isAsked, type Shown, shownBy } from './calendar/shown.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { todayIn, zoneInWords } from '../platform/ui/dates.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { CalendarFilters } from './Filters.tsx';
import { chipsOf, filtersIn, inCalendar, withoutFilters } from './filters.ts';
import { readOffered, useOffered } from './offered.ts';
import { addressOf, searchWith } from './search.ts';

type Filters = Omit<Input<typeof nextMeeting>, 'after'>;

const filtersOf = (search: URLSearchParams): Filters => filtersIn(search, inCalendar);

const inputOf = ({ from, to }: Shown, filters: Filters) => ({ from, to, ...filters });

export const reads: Reads = ({ search }) => [
  reading(settings, {}, ({ timeZone }) => {
    const today = todayIn(timeZone);
    const filters = filtersOf(search);
    const days = (shown: Shown) => [
      reading(listCalendar, inputOf(shown, filters), (found) =>
        found.length > 0 ? [] : [reading(nextMeeting, { after: shown.to, ...filters })],
      ),
      ...(shown.view === 'month' ? [reading(listClosures, {})] : []),
    ];
    if (isAsked(search)) return days(shownBy(search, today));
    return [
      reading(nextMeeting, { after: addDays(today, -1), ...filters }, ({ day }) =>
        days(shownBy(search, today, day ?? today)),
      ),
    ];
  }),
  ...readOffered,
];

export function Calendar() {
  useLiveSeats();
  const { brand, timeZone } = useSettings();
  const [search] = useSearchParams();
  const today = todayIn(timeZone);
  const filters = filtersOf(search);
  const first = useQuery({
    ...query(nextMeeting, { after: addDays(today, -1), ...filters }),
    enabled: !isAsked(search),
    staleTime: 30_000,
  });
  const shown = shownBy(search, today, first.data?.day ?? today);
  const found = useQuery({
    ...query(listCalendar, inputOf(shown, filters)),
    enabled: !first.isLoading,
    staleTime: 30_000,
  });
  const { offered, names } = useOffered(filters);
  usePageTitle('Calendar', {
    description: `When and where the classes of ${brand} meet, week by week, with free seats.`,
    canonical: paths.calendar,
    // Every week and every mixture of filters is another address of the same calendar.
    hidden: search.size > 0,
  });
  const items = found.data?.map((meeting): Item => ({
    meeting,
    to: paths.class(meeting.classId),
    tone: 'tone-none',
    seats: true,
  }));
  return (
    <div className="measure py-6 [--bar:4rem] sm:py-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:mb-6">
        <h1 className="text-3xl sm:text-5xl">Calendar</h1>
        <ListOrCalendar here="calendar" search={search} />
      </div>
      <CalendarFilters
        inCalendar
        search={search}
        asked={filters}
        chips={chipsOf(filters, names)}
        {...offered}
      />
      <Board
        path={paths.calendar}
        search={search}
        shown={shown}
        today={today}
        items={items}
        of={found}
        empty={<Nothing search={search} shown={shown} filters={filters} />}
      />
      <p className="muted mt-6 text-sm">Times are {zoneInWords(timeZone)}.</p>
    </div>
  );
}

interface NothingProps {
  search: URLSearchParams;
  shown: Shown;
  filters: Filters;
}

function Nothing({ search, shown, filters }: NothingProps) {
  const { data } = useQuery({
    ...query(nextMeeting, { after: shown.to, ...filters }),
    staleTime: 30_000,
  });
  const filtered = Object.keys(filters).length > 0;
  const { day = null } = data ?? {};
  return (
    <EmptyState
      drawing="nothing-scheduled"
      title={`Nothing is planned this ${shown.step}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {day !== null && (
            <LinkButton to={addressWith(paths.calendar, search, atDay(shown, day))}>
              Next {shown.step} with classes
            </LinkButton>
          )}
          {filtered && (
            <LinkButton
              look="outline"
              to={addressOf(paths.calendar, searchWith(withoutFilters(search), 'sport'))}
            >
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
