// The filters of /classes and /calendar. The URL is their only memory: every choice changes it at once.
import {
  type MouseEvent,
  type RefObject,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSettings } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { FilterFields } from './FilterSheet.tsx';
import {
  changed,
  type Chip,
  type Offered,
  type SheetName,
  sheetTitles,
  sorts,
  withoutFilters,
} from './filters.ts';
import { ForChildren } from './ForChildren.tsx';
import { SportIcon } from './SportIcon.tsx';

const FilterSheet = onDemand(() => import('./FilterSheet.tsx').then((m) => m.FilterSheet));

const typingPause = 300;

interface FiltersProps extends Offered {
  search: URLSearchParams;
  chips: readonly Chip[];
  /** How many were found. */
  children: ReactNode;
}

export function Filters({ children, ...props }: FiltersProps) {
  const { search } = props;
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, setSearch] = useSearchParams();
  useEffect(() => () => clearTimeout(timer.current), []);
  /** What is typed, and the order. */
  const apply = () => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const { search: typed, sort } = form.current.elements as unknown as Record<string, Typed>;
    const next = changed(search, 'search', typed?.value.trim() ?? '');
    const order = sort?.value === 'popular' ? '' : (sort?.value ?? '');
    const both = changed(next, 'sort', order);
    if (both.toString() !== search.toString()) setSearch(both, { replace: true });
  };
  useRestored(form, search, apply);
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
        <div className="flex flex-col gap-3 lg:flex-row">
          <label className="input w-full lg:max-w-md">
            <Icon name="search" className="muted size-4.5" />
            <span className="sr-only">Search</span>
            <input
              name="search"
              type="search"
              maxLength={100}
              placeholder="Saturday, 7 years"
              defaultValue={search.get('search') ?? ''}
              onChange={() => {
                clearTimeout(timer.current);
                timer.current = setTimeout(apply, typingPause);
              }}
            />
          </label>
          <Sheets {...props} />
        </div>
        <Sports search={search} />
        <WithoutScripts {...props} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {children}
          <Chips {...props} />
          <label className="select ml-auto w-52 max-w-[55%]">
            <span className="sr-only">Sort by</span>
            <select name="sort" defaultValue={search.get('sort') ?? 'popular'} onChange={apply}>
              {sorts.map(([sort, label]) => (
                <option key={sort} value={sort}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
      </form>
    </search>
  );
}

export type ChipsProps = Omit<FiltersProps, 'children'>;

/** Those of a calendar: it keeps the week, and has no search and no order. */
export const CalendarFilters = (props: ChipsProps) => (
  <search>
    <form action={paths.calendar} method="get" aria-label="Filters" className="mb-6 grid gap-3">
      {['sport', 'week', 'month', 'view'].map((name) => {
        const value = props.search.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      <Sheets {...props} />
      <Sports search={props.search} />
      <WithoutScripts {...props} />
      <Chips {...props} />
    </form>
  </search>
);

const allSheets = ['sport', 'day', 'time', 'age', 'more'] as const;
const inCalendarToo = ['sport', 'age', 'more'] as const;

/** A row of buttons; each opens the sheet of one filter. */
function Sheets({ search, chips, ...offered }: ChipsProps) {
  const { asked, inCalendar } = offered;
  const [, setSearch] = useSearchParams();
  const [open, setOpen] = useState<SheetName | null>(null);
  const change = (name: string, value: string) => {
    const next = changed(search, name, value);
    if (next.toString() !== search.toString())
      setSearch(next, { replace: true, preventScrollReset: true });
  };
  const set = chips.map(({ name }) => name);
  const isSet = (sheet: SheetName) =>
    sheet === 'more'
      ? set.some((name) => !(name in sheetTitles))
      : sheet === 'sport'
        ? Boolean(asked.sport)
        : set.includes(sheet);
  return (
    <>
      <ul aria-label="Filters" className="chips needs-script">
        <ForChildren age={asked.age} onChoose={(age) => change('age', age)} />
        {(inCalendar ? inCalendarToo : allSheets).map((sheet) => (
          <li key={sheet} className={sheet === 'sport' ? 'sm:hidden' : ''}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(sheet)}
              className={`chip ${isSet(sheet) ? 'chip-on' : ''}`}
            >
              {sheetTitles[sheet]} <Icon name="down" className="size-4" />
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <FilterSheet {...offered} sheet={open} onChange={change} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

/** Only the server draws it: the browser leaves out what is in it, and its fields. */
const WithoutScripts = (props: Offered) => (
  <noscript>
    {import.meta.env.SSR && (
      <>
        <details>
          <summary className="btn btn-outline">Filters</summary>
          <FilterFields {...props} />
        </details>
        <Button type="submit">Search</Button>
      </>
    )}
  </noscript>
);

/** A chip that is removed is gone: the focus goes to the sheets. */
const focusLast = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest('form')?.querySelector<HTMLElement>('.chips li:last-child button')?.focus();

function Chips({ chips, search }: ChipsProps) {
  if (chips.length === 0) return null;
  const look = { replace: true, preventScrollReset: true, onClick: focusLast } as const;
  return (
    <ul aria-label="Filters in use" className="chips-on">
      {chips.map(({ name, words }) => (
        <li key={name} className="max-w-full">
          <Link {...look} to={here(changed(search, name, ''))} className="chip chip-on">
            {words} <Icon name="x" className="size-4 shrink-0" />
            <span className="sr-only">: remove this filter</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link {...look} to={here(withoutFilters(search))} className="chip">
            Clear filters
          </Link>
        </li>
      )}
    </ul>
  );
}

/** The same page. */
const here = (search: URLSearchParams) => ({ search: search.toString() });

/** On a phone they are in a sheet. */
function Sports({ search }: { search: URLSearchParams }) {
  const chosen = search.get('sport') ?? '';
  const { sports } = useSettings();
  return (
    <ul aria-label="Sports" className="hidden flex-wrap gap-2 sm:flex">
      {[{ name: '', icon: undefined }, ...sports].map(({ name: sport, icon }) => (
        <li key={sport}>
          <Link
            to={here(changed(search, 'sport', sport))}
            preventScrollReset
            aria-current={sport === chosen || undefined}
            className={`chip ${sport === chosen ? 'chip-on' : ''}`}
          >
            {icon && <SportIcon name={icon} />}
            {sport || 'All sports'}
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Typed = HTMLInputElement | HTMLSelectElement | undefined;

// Going back changes the URL under the form: everything but the field being typed in follows. What
// was changed before the scripts arrived is applied instead.
function useRestored(
  form: RefObject<HTMLFormElement | null>,
  search: URLSearchParams,
  apply: () => void,
) {
  const first = useRef(true);
  const catchUp = useEffectEvent(apply);
  useEffect(() => {
    const shown = { search: search.get('search') ?? '', sort: search.get('sort') ?? 'popular' };
    const fields = Object.entries(shown).flatMap(([name, value]) => {
      const field = form.current?.elements.namedItem(name) as Typed | null;
      return field && field.value !== value ? [{ field, value }] : [];
    });
    if (first.current && fields.length > 0) catchUp();
    else
      for (const { field, value } of fields)
        if (field !== document.activeElement) field.value = value;
    first.current = false;
  }, [form, search]);
}
