// The search on the home page. A form of the browser, so that it works without JavaScript.
import { Fragment, type SubmitEvent, useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSports } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Sheet } from '../platform/ui/Sheet.tsx';
import { dayWords } from './filters.ts';
import { addressOf, typedIn } from './search.ts';

/** On a phone one row, which opens the fields over the page. */
export function ClassSearch() {
  const [open, setOpen] = useState(false);
  return (
    <search className="lg:pointer-events-auto">
      <Link
        to={paths.classes}
        aria-haspopup="dialog"
        className="input text-base-content h-12 w-full sm:hidden"
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Icon name="search" /> Sport, age, day
      </Link>
      <div className="flex flex-col items-start gap-4 max-sm:hidden">
        <Fields className="bg-base-100 text-base-content border-base-300 rounded-box border p-2 shadow-lg" />
        <Link
          to={paths.classes}
          className="font-medium underline underline-offset-4 lg:focus-visible:outline-band-content"
        >
          See all classes
        </Link>
      </div>
      {open && (
        <Sheet title="Which class?" onClose={() => setOpen(false)}>
          <Fields className="text-base-content" />
        </Sheet>
      )}
    </search>
  );
}

function Fields({ className }: { className: string }) {
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
    <form
      action={paths.classes}
      onSubmit={search}
      className={`grid w-full grid-cols-2 gap-2 ${className}`}
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
        data-focus-first
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
  );
}
