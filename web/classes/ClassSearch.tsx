// The search on the home page. A form of the browser, so that it works without JavaScript.
import { type SubmitEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSports } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field, Select } from '../platform/ui/Field.tsx';
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
  const navigate = useNavigate();
  const sports = useSports().map((sport) => [sport, sport] as const);
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
      <Select quiet label="Sport" name="sport" options={[['', 'All sports'], ...sports]} />
      <Select
        quiet
        label="Day"
        name="day"
        options={[['', 'Any day'], ...Object.entries(dayWords)]}
      />
      <Field
        quiet
        label="Age"
        name="age"
        data-focus-first
        inputMode="numeric"
        maxLength={3}
        pattern="\d{1,3}"
        title="In years, such as 7"
        placeholder="Age"
      />
      <Field
        quiet
        label="Search"
        name="search"
        type="search"
        maxLength={100}
        placeholder="Class, coach"
      />
      <Button type="submit" className="col-span-2">
        <Icon name="search" /> Find classes
      </Button>
    </form>
  );
}
