// The dates in the form of a class: a weekly pattern that fills the list in, and the list.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { checkDates } from '../../../contract/classes/meetings.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { query } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { plus } from '../../platform/ui/dashboardicons.ts';
import { ask } from '../../platform/ui/alert.ts';
import { DateItem } from './DateItem.tsx';
import { FillIn } from './FillIn.tsx';
import { Notes } from './Notes.tsx';
import { notesOn, smallPlaces } from './notes.ts';
import { fillIn, inputOf } from './rows.ts';
import { acts, addId, listId } from './state.ts';
import { type Dates, problemIn } from './useDates.ts';
import { useSettled } from './useSettled.ts';

interface DatesEditorProps {
  dates: Dates;
  /** How many seats are typed in the form. */
  seat: number | undefined;
}

export function DatesEditor({ dates, seat }: DatesEditorProps) {
  const checked = useCheck(dates, seat);
  const { rows, act, booked, said } = dates;
  const going = rows.filter((row) => !row.cancelled);
  const clashing = going.filter(
    (row) => !row.over && notesOn(row, checked.answer).some(({ kind }) => kind === 'clash'),
  ).length;
  const removable = rows.filter((row) => !row.over).length;
  const clear = async () => {
    const title = `Remove all ${removable} dates?`;
    if (await ask({ title, yes: 'Remove all', danger: true })) act(acts.removeAll());
  };

  return (
    <section aria-labelledby="dates" className="border-base-300 flex flex-col gap-4 border-t pt-5">
      <div>
        <h2 id="dates" className="text-lg">
          Dates
        </h2>
        {booked && (
          <p className="muted mt-1 text-sm">
            Families have booked this class. A date can be moved, added or cancelled; before it is
            saved you write to them.
          </p>
        )}
      </div>
      <FillIn
        places={dates.places}
        today={dates.today}
        onFill={(pattern) => act(acts.fill(fillIn(rows, pattern, dates.closures)))}
      />
      <output className="block text-sm font-medium empty:hidden">{said}</output>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={listId} tabIndex={-1} className="figures font-semibold">
          {rows.length === 0 ? 'No dates yet' : countInWords(going.length)}
          {clashing > 0 && <span className="text-error">, {clashing} with a clash</span>}
        </h3>
        {removable > 1 && !booked && (
          <Button look="plain" className="text-error -mr-3" onClick={() => void clear()}>
            Remove all
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="muted -mt-3 text-sm">Until then visitors will read “Dates will follow”.</p>
      ) : (
        <>
          <Notes notes={smallPlaces(checked.answer, seat)} className="-mt-2 mb-2" />
          <ul
            aria-labelledby={listId}
            className="divide-base-300 border-base-300 rounded-box -mt-2 divide-y border"
          >
            {rows.map((row) => (
              <DateItem key={row.key} row={row} dates={dates} checked={checked} />
            ))}
          </ul>
        </>
      )}
      {checked.failed && (
        <p className="muted text-sm">The dates could not be checked for clashes just now.</p>
      )}
      <div>
        <Button id={addId} look="outline" className="min-h-11" onClick={() => act(acts.add())}>
          <Icon name={plus} /> Add a date
        </Button>
      </div>
    </section>
  );
}

const countInWords = (count: number) => (count === 1 ? '1 date' : `${count} dates`);

/** What the server says about the rows, 500 ms after the last change of them. */
function useCheck({ rows, seen, refused, classId }: Dates, seat: number | undefined) {
  const wrong = new Set(seen.map(({ key }) => key));
  const right = rows.filter(({ key }) => !wrong.has(key));
  const fits = seat !== undefined && seat >= limits.seats.min && seat <= limits.seats.max;
  const { input, keys } = useSettled(
    {
      keys: right.map(({ key }) => key),
      input: { ...(classId && { classId }), ...(fits && { seat }), meetings: right.map(inputOf) },
    },
    500,
  );
  const isAsked = input.meetings.length > 0;
  const { data, error } = useQuery({
    ...query(checkDates, input),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const problem = problemIn(error, keys);
  return {
    answer: isAsked ? data : undefined,
    /** The first one of a row is shown. */
    problems: [...refused, ...seen, ...(problem ? [problem] : [])],
    /** They could not be checked: without a network, for instance. */
    failed: error !== null && problem === null,
  };
}
