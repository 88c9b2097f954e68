// The filters of /classes. The URL is their only memory.
import { type FocusEvent, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router';
import { levels } from '../../contract/classes/classes.ts';
import { days, times } from '../../contract/classes/finding.ts';
import type { Instructor } from '../../contract/classes/instructors.ts';
import type { Place } from '../../contract/classes/places.ts';
import { useSettings } from '../platform/api/query.ts';
import {
  type Chip,
  dayWords,
  levelWords,
  sorts,
  timeWords,
  withFilter,
  withoutFilters,
} from './filters.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field, Select } from '../platform/ui/Field.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { currencyCode } from '../platform/ui/locale.ts';
import { SportIcon } from './SportIcon.tsx';
import { typedIn } from './search.ts';

const typingPause = 300;

interface FiltersProps {
  search: URLSearchParams;
  instructors: readonly Instructor[];
  teacher: string | undefined;
  places: readonly Place[];
  chips: readonly Chip[];
}

export function Filters({
  search,
  instructors,
  teacher = 'This instructor',
  places,
  chips,
}: FiltersProps) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLElement>(null);
  const wide = useWideScreen();
  const [, setSearch] = useSearchParams();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const value = (name: string) => search.get(name) ?? '';
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = () => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const next = typedIn(form.current);
    if (next.get('sort') === 'popular') next.delete('sort');
    if (next.toString() !== search.toString()) setSearch(next, { replace: true });
  };
  useRestored(form, search, apply);
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, typingPause);
  };
  const used = chips.length;
  const placeNames = places.map(({ _id, name }) => [_id, name] as const);
  const teacherNames = instructors.map(({ id, name }) => [id, name] as const);
  /** `unlisted`: the words of a chosen value that is not in the list, or not yet. */
  const choice = (name: string, label: string, any: string, of: Options, unlisted = '') => {
    const chosen = value(name);
    const isUnlisted = unlisted && chosen && !of.some(([listed]) => listed === chosen);
    return (
      // The key: when the list arrives, the chosen option is drawn anew, and a select would fall back to its first.
      <Select
        key={`${name} ${of.length > 0 ? 'listed' : 'loading'}`}
        label={label}
        name={name}
        defaultValue={chosen}
        onChange={apply}
        options={[['', any], ...(isUnlisted ? [[chosen, unlisted] as const] : []), ...of]}
      />
    );
  };

  return (
    <search>
      <form
        ref={form}
        action={paths.classes}
        method="get"
        aria-label="Classes"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
        className="flex flex-col gap-3"
      >
        <label className="input w-full lg:max-w-2xl">
          <Icon name="search" className="muted size-4.5" />
          <span className="sr-only">Search</span>
          <input
            name="search"
            type="search"
            maxLength={100}
            placeholder="Tennis, Saturday, Ana…"
            defaultValue={value('search')}
            onChange={soon}
          />
        </label>
        <Sports search={search} />
        <input type="hidden" name="sport" defaultValue={value('sport')} />
        <div className="relative">
          <details open={used > 0 && wide} className="group">
            <summary
              ref={summary}
              className="btn btn-outline border-base-content/30 list-none font-medium"
            >
              Filters{used > 0 && <span className="figures"> ({used})</span>}
              <Icon name="down" className="size-4 group-open:rotate-180" />
            </summary>
            <div className="bg-base-100 border-base-300/70 rounded-box mt-3 grid grid-cols-2 gap-x-3 gap-y-4 border p-4 sm:grid-cols-4 sm:gap-x-4">
              {choice('day', 'Day', 'Any day', choices(days, dayWords))}
              {choice('time', 'Time of day', 'Any time', choices(times, timeWords))}
              <Field
                label="Age"
                name="age"
                inputMode="numeric"
                placeholder="Years"
                maxLength={3}
                pattern="\d{1,3}"
                defaultValue={value('age')}
                onChange={soon}
              />
              {choice('level', 'Level', 'Any level', choices(levels.slice(1), levelWords))}
              {(places.length > 0 || value('place') !== '') && (
                <div className="max-sm:col-span-2">
                  {choice('place', 'Place', 'All places', placeNames, 'This place')}
                </div>
              )}
              <div className="max-sm:col-span-2">
                {choice('instructor', 'Instructor', 'All instructors', teacherNames, teacher)}
              </div>
              {(['minPrice', 'maxPrice'] as const).map((name) => (
                <Field
                  key={name}
                  label={name === 'minPrice' ? 'Price from' : 'Price to'}
                  name={name}
                  inputMode="decimal"
                  placeholder={currencyCode()}
                  pattern="\d{1,6}([.,]\d{1,2})?"
                  defaultValue={value(name)}
                  onChange={soon}
                />
              ))}
              <label className="flex min-h-11 cursor-pointer items-center gap-3 self-end font-medium max-sm:col-span-2">
                <input
                  type="checkbox"
                  name="free"
                  value="true"
                  className="checkbox checkbox-primary rounded-md"
                  defaultChecked={value('free') === 'true'}
                  onChange={apply}
                />
                Free seats only
              </label>
            </div>
          </details>
          <label className="select absolute top-0 right-0 w-52 max-w-[55%]">
            <span className="sr-only">Sort by</span>
            <select name="sort" defaultValue={value('sort') || 'popular'} onChange={apply}>
              {sorts.map(([sort, label]) => (
                <option key={sort} value={sort}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
        <Chips chips={chips} search={search} onRemove={() => summary.current?.focus()} />
        <noscript>
          <Button type="submit">Search</Button>
        </noscript>
      </form>
    </search>
  );
}

type Options = readonly (readonly [value: string, words: string])[];

const choices = <Value extends string>(of: readonly Value[], words: Record<Value, string>) =>
  of.map((value) => [value, words[value]] as const);

interface ChipsProps {
  chips: readonly Chip[];
  search: URLSearchParams;
  /** The link is gone then: the focus goes elsewhere. */
  onRemove: () => void;
}

function Chips({ chips, search, onRemove }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words }) => (
        <li key={name} className="max-w-full">
          <Link
            to={withFilter(search, name)}
            replace
            className="btn btn-sm btn-outline border-base-content/30 max-w-full rounded-full font-medium"
            onClick={onRemove}
          >
            <span className="truncate">{words}</span> <Icon name="x" className="size-4 shrink-0" />
            <span className="sr-only">: remove this filter</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            to={withoutFilters(search)}
            replace
            className="btn btn-sm btn-ghost font-medium"
            onClick={onRemove}
          >
            Clear filters
          </Link>
        </li>
      )}
    </ul>
  );
}

/** The sports as links, in one row that scrolls sideways on a phone. */
function Sports({ search }: { search: URLSearchParams }) {
  const chosen = search.get('sport') ?? '';
  const { sports } = useSettings();
  return (
    <ul
      aria-label="Sports"
      className="relative -mx-5 flex scroll-px-5 gap-2 overflow-x-auto px-5 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {[{ name: '', icon: undefined }, ...sports].map(({ name: sport, icon }) => (
        <li key={sport}>
          <Link
            ref={sport === chosen ? scrollToChip : null}
            onFocus={showAll}
            to={withFilter(search, 'sport', sport)}
            aria-current={sport === chosen || undefined}
            className={`btn btn-sm rounded-full px-4 font-medium whitespace-nowrap ${sport === chosen ? 'btn-primary' : 'bg-base-100 border-base-300'}`}
          >
            {icon && <SportIcon name={icon} />}
            {sport || 'All sports'}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Unless the user has scrolled already: nothing moves under a finger. */
function scrollToChip(chip: HTMLElement | null) {
  const row = chip?.closest('ul');
  if (chip && row?.scrollLeft === 0) row.scrollTo({ left: chip.offsetLeft - 48 });
}

// Tab leaves a link where it is of which a few pixels are seen. A pressed mouse must not move the
// link: its click would be lost.
function showAll({ target }: FocusEvent<HTMLElement>) {
  if (target.matches(':focus-visible'))
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

const wideScreen = '(min-width: 40rem)';

function watchWidth(onChange: () => void) {
  const media = matchMedia(wideScreen);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** On a phone open filters would push the first class off the screen. */
const useWideScreen = () =>
  useSyncExternalStore(
    watchWidth,
    () => matchMedia(wideScreen).matches,
    () => false,
  );

// Going back changes the URL under the form: everything but the field being typed in follows. What
// was changed before the scripts arrived is applied instead.
function useRestored(
  form: React.RefObject<HTMLFormElement | null>,
  search: URLSearchParams,
  apply: () => void,
) {
  const first = useRef(true);
  const catchUp = useEffectEvent(apply);
  useEffect(() => {
    const fields = [...(form.current?.elements ?? [])];
    if (first.current && fields.some(isChanged)) catchUp();
    else for (const field of fields) if (field !== document.activeElement) restore(field, search);
    first.current = false;
  }, [form, search]);
}

const isChanged = (field: Element) =>
  field instanceof HTMLInputElement
    ? field.value !== field.defaultValue || field.checked !== field.defaultChecked
    : field instanceof HTMLSelectElement &&
      [...field.options].some((option) => option.defaultSelected && !option.selected);

function restore(field: Element, search: URLSearchParams) {
  if (field instanceof HTMLSelectElement)
    field.value = search.get(field.name) ?? (field.name === 'sort' ? 'popular' : '');
  if (!(field instanceof HTMLInputElement)) return;
  if (field.type === 'checkbox') field.checked = search.get(field.name) === 'true';
  else field.value = search.get(field.name) ?? '';
}
