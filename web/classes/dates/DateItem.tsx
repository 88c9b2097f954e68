// One date of a class: as a line to be read, and opened with its fields.
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { listInstructors } from '../../../contract/classes/instructors.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { query } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { unit } from './FillIn.tsx';
import { Notes } from './Notes.tsx';
import { PlaceSelect } from './PlaceSelect.tsx';
import { type Check, notesOn } from './notes.ts';
import {
  type Cell,
  type DateRow,
  dayOf,
  placeNameOf,
  type Problem,
  type Teacher,
  timeOf,
  whenOf,
} from './rows.ts';
import { acts, buttonId, cellId } from './state.ts';
import type { Dates } from './useDates.ts';

interface DateItemProps {
  row: DateRow;
  dates: Dates;
  checked: { answer: Check | undefined; problems: readonly Problem[] };
}

export function DateItem({ row, dates, checked }: DateItemProps) {
  const problem = checked.problems.find(({ key }) => key === row.key);
  const place = placeNameOf(dates.places, row.placeId);
  const isOpen = dates.open === row.key;
  // A date that is being typed for the first time is not wrong yet.
  const isShown = problem && (!isOpen || dates.refused.includes(problem) || row.day !== '');
  const notes = row.cancelled || row.over ? [] : notesOn(row, checked.answer);
  const small = checked.answer?.tooSmall.find((found) => found.place === place)?.capacity;
  return (
    <li className={`flex flex-col ${row.over ? 'opacity-70' : ''}`}>
      <Line row={row} place={place} small={small} dates={dates} />
      {!isOpen && isShown && (
        <p role="alert" className="text-error px-3 pb-3 text-sm font-medium sm:px-4">
          {problem.words}
        </p>
      )}
      <Notes notes={notes} className="px-3 pb-3 sm:px-4" />
      {isOpen && <Fields row={row} dates={dates} problem={isShown ? problem : undefined} />}
    </li>
  );
}

interface LineProps {
  row: DateRow;
  place: string;
  /** How many the place takes, when that is too few. */
  small: number | undefined;
  dates: Dates;
}

function Line({ row, place, small, dates }: LineProps) {
  const { act, open, isSubstitute } = dates;
  const struck = row.cancelled ? 'line-through decoration-2' : '';
  return (
    <div className="flex items-center gap-1 py-1 pr-1 pl-3 sm:pl-4">
      <p className="figures flex min-w-0 flex-1 flex-wrap gap-x-3 py-1.5 text-sm">
        <strong className={`font-semibold whitespace-nowrap sm:min-w-30 ${struck}`}>
          {dayOf(row)}
        </strong>
        <span className={`whitespace-nowrap sm:min-w-24 ${struck}`}>{timeOf(row)}</span>
        <span className={`min-w-0 wrap-anywhere ${place ? struck : 'muted'}`}>
          {place || 'Place not decided'}
          {small !== undefined && <em className="text-warning not-italic"> (takes {small})</em>}
        </span>
        {isSubstitute(row) && <span>with {row.teacher?.name}</span>}
        {row.cancelled && <span className="text-error font-medium">Cancelled</span>}
        {row.over && <span className="muted">Over</span>}
      </p>
      {!row.over && !row.cancelled && (
        <Button
          id={buttonId(row.key)}
          look="plain"
          className="min-h-11 min-w-11 px-2"
          aria-expanded={open === row.key}
          aria-label={`Change ${whenOf(row)}`}
          onClick={() => act(open === row.key ? acts.close() : acts.open(row.key))}
        >
          <Icon name={icons.pencil} className="size-4.5" />
        </Button>
      )}
      {!row.over && <TakeAway row={row} dates={dates} />}
    </div>
  );
}

/** A date that families have booked is cancelled, not removed: they still read of it. */
function TakeAway({ row, dates: { booked, act } }: { row: DateRow; dates: Dates }) {
  const { key, cancelled } = row;
  const isKept = cancelled || (booked && row._id);
  const word = cancelled ? 'Reinstate' : isKept ? 'Cancel' : 'Remove';
  return (
    <Button
      {...(cancelled && { id: buttonId(key) })}
      look="plain"
      className={`min-h-11 ${cancelled ? '' : 'text-error'} ${isKept ? 'px-3' : 'min-w-11 px-2'}`}
      aria-label={`${word} ${whenOf(row)}`}
      onClick={() => act(isKept ? acts.cancel(key, !cancelled) : acts.remove(key))}
    >
      {isKept ? word : <Icon name="x" />}
    </Button>
  );
}

interface FieldsProps {
  row: DateRow;
  dates: Dates;
  problem: Problem | undefined;
}

function Fields({ row, dates, problem }: FieldsProps) {
  const { act, places, today } = dates;
  // Enter and Escape close the row; they neither send nor leave the form.
  const onKey = (event: KeyboardEvent) => {
    const closes = event.key === 'Escape' || event.key === 'Enter';
    if (!closes) return;
    event.preventDefault();
    act(acts.close());
  };
  const field = (cell: Cell) => ({
    id: cellId(row.key, cell),
    value: row[cell],
    error: problem?.cell === cell ? problem.words : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      act(acts.change(row.key, cell, target.value)),
    onKeyDown: onKey,
    className: 'min-h-11',
  });
  return (
    <fieldset
      aria-label={whenOf(row)}
      className="bg-base-200/60 grid grid-cols-2 gap-3 p-3 sm:grid-cols-[1.3fr_1fr_1fr] sm:p-4"
    >
      <div className="col-span-2 sm:col-span-1">
        <Field label="Day" type="date" min={today} {...field('day')} />
      </div>
      <Field label="Time" type="time" {...field('starts')} />
      <Field label="Length" inputMode="numeric" end={unit} {...field('minutes')} />
      <div className="col-span-2">
        <PlaceSelect label="Where" places={places} {...field('placeId')} />
      </div>
      {dates.isAdmin && row.teacher && (
        <div className="col-span-2 sm:col-span-3">
          <TeacherSelect
            teacher={row.teacher}
            onChoose={(teacher) => act(acts.teach(row.key, teacher))}
            onKeyDown={onKey}
          />
        </div>
      )}
      <Button
        look="outline"
        className="col-span-2 min-h-11 self-end sm:col-span-1"
        onClick={() => act(acts.close())}
      >
        Done
      </Button>
    </fieldset>
  );
}

interface TeacherSelectProps {
  teacher: Teacher;
  onChoose: (teacher: Teacher) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Who teaches one meeting: the instructor of the class, or a substitute. */
function TeacherSelect({ teacher, onChoose, onKeyDown }: TeacherSelectProps) {
  const { data } = useQuery(query(listInstructors, { limit: limits.pageSize }));
  const others = (data?.items ?? []).filter(({ id }) => id !== teacher.id);
  const offered: Teacher[] = [teacher, ...others];
  return (
    <Select
      label="Taught by"
      className="min-h-11"
      value={teacher.id}
      onChange={({ target }) => onChoose(offered.find(({ id }) => id === target.value) ?? teacher)}
      onKeyDown={onKeyDown}
      options={offered.map(({ id, name }) => [id, name])}
    />
  );
}
