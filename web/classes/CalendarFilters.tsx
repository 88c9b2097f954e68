// The filters of /calendar. The URL is their only memory. Without JavaScript the form is sent.
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { levels } from '../../contract/classes/classes.ts';
import type { Instructor } from '../../contract/classes/instructors.ts';
import type { Place } from '../../contract/classes/places.ts';
import { useSports } from '../platform/api/query.ts';
import { levelWords } from './filters.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Select } from '../platform/ui/Field.tsx';

interface CalendarFiltersProps {
  search: URLSearchParams;
  places: readonly Place[];
  instructors: readonly Instructor[];
  /** How many filters are in use. */
  used: number;
}

/** Of children, then of everybody older. */
const ages = [...Array.from({ length: 15 }, (_, nth) => String(nth + 3)), '18'];

export function CalendarFilters({ search, places, instructors, used }: CalendarFiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const sports = useSports();
  const apply = () => {
    if (!form.current) return;
    const next = new URLSearchParams();
    for (const [name, value] of new FormData(form.current))
      if (typeof value === 'string' && value !== '') next.set(name, value);
    void navigate(next.size > 0 ? `${paths.calendar}?${next}` : paths.calendar, {
      replace: true,
      preventScrollReset: true,
    });
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
              >
                <option value="">{any}</option>
                {options.map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
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
