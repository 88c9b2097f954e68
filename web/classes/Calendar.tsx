// /calendar: the meetings of all approved classes. Works without JavaScript.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { listCalendar, nextMeeting } from '../../contract/classes/calendar.ts';
import type { Input } from '../../contract/platform/call.ts';
import { addDays } from '../../contract/platform/days.ts';
import { settings } from '../../contract/platform/settings.ts';
import { type Instructor, listInstructors } from '../../contract/classes/instructors.ts';
import { levels } from '../../contract/classes/finding.ts';
import { listClosures, listPlaces, type Place } from '../../contract/classes/places.ts';
import { useLiveSeats } from './live.ts';
import { query, useSettings, useSports } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { Board } from './calendar/Board.tsx';
import { ListOrCalendar } from './calendar/ListOrCalendar.tsx';
import type { Item } from './calendar/MeetingItem.tsx';
import { addressWith, atDay, isAsked, type Shown, shownBy } from './calendar/shown.ts';
import { filtersIn, inCalendar, levelWords } from './filters.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Select } from '../platform/ui/Field.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { todayIn, zoneInWords } from '../platform/ui/dates.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { addressOf, typedIn } from './search.ts';

const allInstructors = { sort: 'name', limit: 100 } as const;

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
  reading(listPlaces, {}),
  reading(listInstructors, allInstructors),
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

const ages = [...Array.from({ length: 15 }, (_, nth) => String(nth + 3)), '18'];

interface CalendarFiltersProps {
  search: URLSearchParams;
  places: readonly Place[];
  instructors: readonly Instructor[];
  used: number;
}

/** The URL is their only memory. Without JavaScript the form is sent. */
function CalendarFilters({ search, places, instructors, used }: CalendarFiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const sports = useSports();
  const apply = () => {
    if (!form.current) return;
    const to = addressOf(paths.calendar, typedIn(form.current));
    void navigate(to, { replace: true, preventScrollReset: true });
  };
  const choices: [name: string, label: string, any: string, options: [string, string][]][] = [
    ['sport', 'Sport', 'All sports', sports.map((sport) => [sport, sport])],
    ['age', 'Age', 'Any age', ages.map((age) => [age, age === '18' ? '18 or older' : age])],
    ['level', 'Level', 'Any level', levels.slice(1).map((level) => [level, levelWords[level]])],
    ['place', 'Place', 'All places', places.map(({ _id, name }) => [_id, name])],
    ['instructor', 'Instructor', 'All instructors', instructors.map(({ id, name }) => [id, name])],
  ];
  return (
    <search>
      <form ref={form} action={paths.calendar} method="get" aria-label="Filters" className="mb-6">
        {['week', 'month', 'view'].map((name) => {
          const value = search.get(name);
          return value === null ? null : (
            <input key={name} type="hidden" name={name} value={value} />
          );
        })}
        <details className="group">
          <summary className="btn btn-outline border-base-content/30 list-none font-medium">
            Filters{used > 0 && <span className="figures"> ({used})</span>}
            <Icon name="down" className="size-4 group-open:rotate-180" />
          </summary>
          <div className="bg-base-100 border-base-300/70 rounded-box mt-3 grid grid-cols-2 gap-3 border p-4 sm:grid-cols-3 lg:grid-cols-5">
            {choices.map(([name, label, any, options]) => (
              <Select
                // Drawn anew when its options arrive, and when the URL changes under it.
                key={`${name} ${options.length} ${search.get(name) ?? ''}`}
                label={label}
                name={name}
                defaultValue={search.get(name) ?? ''}
                onChange={apply}
                options={[['', any], ...options]}
              />
            ))}
          </div>
        </details>
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      </form>
    </search>
  );
}
