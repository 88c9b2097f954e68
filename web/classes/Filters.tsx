// The filters of /classes. The URL is their only memory: every choice changes it at once.
import { type RefObject, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSettings } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import {
  FilterFields,
  FilterSheet,
  type Offered,
  type SheetName,
  sheetTitles,
} from './FilterSheet.tsx';
import { changed, type Chip, sorts, withFilter, withoutFilters } from './filters.ts';
import { ForChildren } from './ForChildren.tsx';
import { SportIcon } from './SportIcon.tsx';

const typingPause = 300;

interface FiltersProps extends Offered {
  search: URLSearchParams;
  chips: readonly Chip[];
  /** How many were found. */
  children: ReactNode;
}

export function Filters({ children, ...props }: FiltersProps) {
  const { search, asked, chips } = props;
  const form = useRef<HTMLFormElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, setSearch] = useSearchParams();
  const [open, setOpen] = useState<SheetName | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (name: string, value: string) => {
    const next = changed(search, name, value);
    if (next.toString() !== search.toString()) setSearch(next, { replace: true });
  };
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
  const set = chips.map(({ name }) => name);
  const isSet = (sheet: SheetName) =>
    sheet === 'more'
      ? set.some((name) => !(name in sheetTitles))
      : sheet === 'sport'
        ? Boolean(asked.sport)
        : set.includes(sheet);
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
          <ul ref={row} aria-label="Filters" className="chips needs-script">
            <ForChildren age={asked.age} onChoose={(age) => change('age', age)} />
            {(Object.keys(sheetTitles) as SheetName[]).map((sheet) => (
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
        </div>
        <Sports search={search} />
        <noscript>
          <details>
            <summary className="btn btn-outline">Filters</summary>
            <FilterFields {...props} />
          </details>
          <Button type="submit">Search</Button>
        </noscript>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {children}
          <Chips chips={chips} search={search} onRemove={() => focusLast(row.current)} />
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
      {open && (
        <FilterSheet {...props} sheet={open} onChange={change} onClose={() => setOpen(null)} />
      )}
    </search>
  );
}

const focusLast = (row: HTMLElement | null) =>
  row?.querySelector<HTMLElement>('li:last-child button')?.focus();

interface ChipsProps {
  chips: readonly Chip[];
  search: URLSearchParams;
  /** The link is gone then: the focus goes elsewhere. */
  onRemove: () => void;
}

function Chips({ chips, search, onRemove }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul
      aria-label="Filters in use"
      className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:w-full"
    >
      {chips.map(({ name, words }) => (
        <li key={name} className="max-w-full">
          <Link to={withFilter(search, name)} replace className="chip chip-on" onClick={onRemove}>
            {words} <Icon name="x" className="size-4 shrink-0" />
            <span className="sr-only">: remove this filter</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link to={withoutFilters(search)} replace className="chip" onClick={onRemove}>
            Clear filters
          </Link>
        </li>
      )}
    </ul>
  );
}

/** On a phone they are in a sheet. */
function Sports({ search }: { search: URLSearchParams }) {
  const chosen = search.get('sport') ?? '';
  const { sports } = useSettings();
  return (
    <ul aria-label="Sports" className="hidden flex-wrap gap-2 sm:flex">
      {[{ name: '', icon: undefined }, ...sports].map(({ name: sport, icon }) => (
        <li key={sport}>
          <Link
            to={withFilter(search, 'sport', sport)}
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
