// The dates in the form of a class: a weekly pattern that fills the list in, and the list.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { checkDates } from '../../../contract/classes/meetings.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { query } from '../../platform/api/query.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { ask } from '../../platform/ui/alert.ts';
import { FillIn, unit, PlaceSelect } from './FillIn.tsx';
import { MeetingLine, Notes, notesOn, smallPlaces, type Check } from './Notes.tsx';
import {
  fillIn,
  inputOf,
  type Cell,
  type DateRow,
  datesInWords,
  dayOf,
  placeNameOf,
  type Problem,
  type Teacher,
  timeOf,
  whenOf,
  type Change,
} from './rows.ts';
import { acts, addId, listId, buttonId, cellId } from './state.ts';
import { type Dates, problemIn, type Question } from './useDates.ts';
import { useSettled } from './useSettled.ts';
import { Becomes } from '../WhatChanged.tsx';
import { listInstructors } from '../../../contract/classes/instructors.ts';
import { Field, Select, Tick } from '../../platform/ui/Field.tsx';
import { price } from '../../platform/ui/money.ts';
import { TextDialog } from '../../platform/ui/TextDialog.tsx';

export function DatesEditor({ dates, seat }: { dates: Dates; seat: number | undefined }) {
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
          {rows.length === 0 ? 'No dates yet' : datesInWords(going.length)}
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
          <ul aria-labelledby={listId} className="ruled -mt-2">
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
          <Icon name={icons.plus} /> Add a date
        </Button>
      </div>
    </section>
  );
}

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
    failed: error !== null && problem === null,
  };
}

interface Shown {
  row: DateRow;
  dates: Dates;
}

interface DateItemProps extends Shown {
  checked: { answer: Check | undefined; problems: readonly Problem[] };
}

function DateItem({ row, dates, checked }: DateItemProps) {
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

interface LineProps extends Shown {
  place: string;
  small: number | undefined;
}

function Line({ row, place, small, dates }: LineProps) {
  const { act, open, isSubstitute } = dates;
  return (
    <div className="flex min-h-13 items-center gap-1 py-1 pr-1 pl-3 sm:pl-4">
      <MeetingLine day={dayOf(row)} time={timeOf(row)} place={place} isCancelled={row.cancelled}>
        {small !== undefined && <em className="text-warning not-italic">(takes {small})</em>}
        {isSubstitute(row) && <span>with {row.teacher?.name}</span>}
        {row.over && <span className="muted">Over</span>}
      </MeetingLine>
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
function TakeAway({ row, dates: { booked, act } }: Shown) {
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

function Fields({ row, dates, problem }: Shown & { problem: Problem | undefined }) {
  const { act, places, today } = dates;
  // Enter and Escape close the row; they neither send nor leave the form.
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
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
      className="bg-base-200 grid grid-cols-2 gap-3 p-3 sm:grid-cols-[1.3fr_1fr_1fr] sm:p-4"
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
        Keep (not saved yet)
      </Button>
    </fieldset>
  );
}

interface TeacherSelectProps extends Pick<ComponentProps<typeof Select>, 'onKeyDown'> {
  teacher: Teacher;
  onChoose: (teacher: Teacher) => void;
}

function TeacherSelect({ teacher, onChoose, ...rest }: TeacherSelectProps) {
  const { data } = useQuery(query(listInstructors, { limit: limits.pageSize }));
  const others = (data?.items ?? []).filter(({ id }) => id !== teacher.id);
  const offered: Teacher[] = [teacher, ...others];
  return (
    <Select
      label="Taught by"
      className="min-h-11"
      value={teacher.id}
      onChange={({ target }) => onChoose(offered.find(({ id }) => id === target.value) ?? teacher)}
      {...rest}
      options={offered.map(({ id, name }) => [id, name])}
    />
  );
}

/** Outside of the form of the class, because it has a form of its own. */
export function TellFamilies({ dates }: { dates: Dates }) {
  return dates.question && <Tell dates={dates} question={dates.question} />;
}

function Tell({ dates: { tell, isAdmin }, question }: { dates: Dates; question: Question }) {
  const [gives, setGives] = useState(false);
  const { impact, changes, answer } = question;
  return (
    <TextDialog
      title="Tell the families"
      label="What should they know?"
      hint="They read this with the old and the new dates."
      initial={tell}
      maxLength={limits.meeting.tell}
      submit="Save and send"
      send={(words) => Promise.resolve(answer(words.trim(), gives))}
      onClose={() => answer(null)}
    >
      <p>{impact.lines.join(' ') || 'Nobody will be mailed: a seat is only being paid for.'}</p>
      <ul
        aria-label="What changes"
        className="flex max-h-60 flex-col gap-2 overflow-y-auto text-sm"
      >
        {changes.map((change) => (
          <li key={change.key} className="figures">
            <ChangeInWords before={change.before} after={change.after} />
          </li>
        ))}
      </ul>
      {isAdmin && impact.meetingsCents > 0 && (
        <Tick checked={gives} onChange={({ target }) => setGives(target.checked)}>
          <span className="figures">
            Give credit for what is cancelled: up to {price(impact.perMeetingCents)} a seat and
            date, {price(impact.meetingsCents)} in all
          </span>
        </Tick>
      )}
    </TextDialog>
  );
}

function ChangeInWords({ before, after }: Omit<Change, 'key'>) {
  if (!after || !before)
    return (
      <>
        {before && <s>{before}</s>}{' '}
        <strong className={`font-medium ${after ? '' : 'text-error'}`}>
          {after ? 'New:' : 'Cancelled'}
        </strong>{' '}
        {after}
      </>
    );
  return <Becomes before={before} after={after} />;
}
