// The search on the home page. A form of the browser, so that it works without JavaScript.
import { Fragment, type SubmitEvent, useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSports } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { dayWords } from './filters.ts';
import { addressOf, typedIn } from './search.ts';

export function ClassSearch() {
  const id = useId();
  const navigate = useNavigate();
  const choices = [
    ['sport', 'Sport', 'All sports', useSports().map((sport) => [sport, sport])],
    ['day', 'Day', 'Any day', Object.entries(dayWords)],
  ] as const;
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate(addressOf(paths.classes, typedIn(event.currentTarget)));
  };
  return (
    <search className="flex flex-col items-start gap-4 lg:pointer-events-auto">
      <form
        action={paths.classes}
        onSubmit={search}
        className="bg-base-100 text-base-content border-base-300 rounded-box grid w-full gap-2 border p-2 shadow-lg grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      >
        {choices.map(([name, label, any, options]) => (
          <Fragment key={name}>
            <label htmlFor={`${id}-${name}`} className="sr-only">
              {label}
            </label>
            <select id={`${id}-${name}`} name={name} className="select w-full">
              <option value="">{any}</option>
              {options.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </Fragment>
        ))}
        <label htmlFor={`${id}-age`} className="sr-only">
          Age
        </label>
        <input
          id={`${id}-age`}
          name="age"
          inputMode="numeric"
          maxLength={3}
          pattern="\d{1,3}"
          title="In years, such as 7"
          placeholder="Age"
          className="input w-full"
        />
        <label htmlFor={`${id}-word`} className="sr-only">
          Search
        </label>
        <input
          id={`${id}-word`}
          name="search"
          type="search"
          maxLength={100}
          placeholder="Class, coach"
          className="input w-full"
        />
        <Button type="submit" className="col-span-2">
          <Icon name="search" /> Find classes
        </Button>
      </form>
      <Link
        to={paths.classes}
        className="font-medium underline underline-offset-4 lg:focus-visible:outline-accent"
      >
        See all classes
      </Link>
    </search>
  );
}
