// The filters of /classes. The URL is their only memory: a change writes it, going back restores them from it.
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { sports } from '../../contract/classes.ts';
import type { Instructor } from '../../contract/instructors.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';

export const sorts = [
  ['popular', 'Most popular'],
  ['new', 'Newest'],
  ['price', 'Price, low to high'],
  ['-price', 'Price, high to low'],
  ['-seat', 'Most free seats'],
  ['name', 'Name, A to Z'],
] as const;

/** How long after the last letter the search begins. */
const typingPause = 300;

export function Filters({ search, instructors }: { search: URLSearchParams; instructors: readonly Instructor[] }) {
  const form = useRef<HTMLFormElement>(null);
  const [, setSearch] = useSearchParams();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const value = (name: string) => search.get(name) ?? '';
  useRestored(form, search);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = () => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const next = new URLSearchParams();
    for (const [name, entry] of new FormData(form.current)) {
      if (typeof entry === 'string' && entry.trim() !== '') next.set(name, entry.trim());
    }
    if (next.get('sort') === 'popular') next.delete('sort');
    if (next.toString() !== search.toString()) setSearch(next, { replace: true });
  };
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, typingPause);
  };
  const unknownTeacher = value('instructor') !== '' && !instructors.some(({ id }) => id === value('instructor'));
  const used = ['sport', 'instructor', 'minPrice', 'maxPrice', 'free'].filter((name) => value(name) !== '').length;

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
        className="bg-base-100 border-base-300/70 rounded-box flex flex-col gap-4 border p-4 shadow-sm sm:p-5"
      >
        <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
          <Field
            label="Search"
            name="search"
            type="search"
            maxLength={100}
            placeholder="Tennis, swimming, Ana…"
            defaultValue={value('search')}
            onChange={soon}
          />
          <Select label="Sort by" name="sort" defaultValue={value('sort') || 'popular'} onChange={apply}>
            {sorts.map(([sort, label]) => (
              <option key={sort} value={sort}>
                {label}
              </option>
            ))}
          </Select>
        </div>
        <details open={used > 0} className="group">
          <summary className="link-hover cursor-pointer text-sm font-semibold">
            Filters{used > 0 && <span className="figures"> ({used})</span>}
          </summary>
          <div className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_0.6fr_0.6fr_auto]">
            <Select label="Sport" name="sport" defaultValue={value('sport')} onChange={apply}>
              <option value="">All sports</option>
              {sports.map((sport) => (
                <option key={sport}>{sport}</option>
              ))}
            </Select>
            <Select label="Instructor" name="instructor" defaultValue={value('instructor')} onChange={apply}>
              <option value="">All instructors</option>
              {unknownTeacher && <option value={value('instructor')}>This instructor</option>}
              {instructors.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
            <Field
              label="Price from"
              name="minPrice"
              inputMode="decimal"
              placeholder="$"
              pattern="\d{1,6}([.]\d{1,2})?"
              defaultValue={value('minPrice')}
              onChange={soon}
            />
            <Field
              label="Price to"
              name="maxPrice"
              inputMode="decimal"
              placeholder="$"
              pattern="\d{1,6}([.]\d{1,2})?"
              defaultValue={value('maxPrice')}
              onChange={soon}
            />
            <label className="flex min-h-11 cursor-pointer items-center gap-3 self-end font-medium">
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
        <noscript>
          <Button type="submit">Search</Button>
        </noscript>
      </form>
    </search>
  );
}

/** Going back changes the URL under the form: everything but the field being typed in follows. */
function useRestored(form: React.RefObject<HTMLFormElement | null>, search: URLSearchParams) {
  useEffect(() => {
    for (const field of form.current?.elements ?? []) if (field !== document.activeElement) restore(field, search);
  }, [form, search]);
}

function restore(field: Element, search: URLSearchParams) {
  if (field instanceof HTMLSelectElement)
    field.value = search.get(field.name) ?? (field.name === 'sort' ? 'popular' : '');
  if (!(field instanceof HTMLInputElement)) return;
  if (field.type === 'checkbox') field.checked = search.get(field.name) === 'true';
  else field.value = search.get(field.name) ?? '';
}
