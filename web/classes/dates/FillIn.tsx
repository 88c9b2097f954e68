// A weekly pattern: weekdays, from, until, time, length and place. *Fill in* makes dates of it.
import { type KeyboardEvent, useId, useRef, useState, type ComponentProps } from 'react';
import { weekdays } from '../../../contract/platform/days.ts';
import type { Place } from '../../../contract/classes/places.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { type Pattern, problemOf } from './rows.ts';

const empty: Pattern = {
  weekdays: [],
  from: '',
  until: '',
  starts: '',
  minutes: '60',
  placeId: '',
};

interface FillInProps {
  places: readonly Place[];
  today: string;
  onFill: (pattern: Pattern) => void;
}

export function FillIn({ places, today, onFill }: FillInProps) {
  const [pattern, setPattern] = useState(empty);
  const [problem, setProblem] = useState<ReturnType<typeof problemOf>>(null);
  const box = useRef<HTMLFieldSetElement>(null);
  const change = (part: Partial<Pattern>) => {
    setPattern({ ...pattern, ...part });
    setProblem(null);
  };
  const fill = () => {
    const found = problemOf(pattern, today);
    setProblem(found);
    if (found) box.current?.querySelector<HTMLElement>(`[data-field="${found.field}"]`)?.focus();
    else onFill(pattern);
  };
  // Enter in a field of the pattern means the pattern, not the whole form.
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    fill();
  };
  const field = (name: Exclude<keyof Pattern, 'weekdays'>) => ({
    'data-field': name,
    value: pattern[name],
    error: problem?.field === name ? problem.words : undefined,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
    onKeyDown: onEnter,
    className: 'min-h-11',
  });

  return (
    <fieldset ref={box} className="bg-base-200 rounded-box flex flex-col gap-4 p-4">
      <legend className="sr-only">Every week</legend>
      <Weekdays
        chosen={pattern.weekdays}
        error={problem?.field === 'weekdays' ? problem.words : undefined}
        onChange={(chosen) => change({ weekdays: chosen })}
      />
      <div className="grid grid-cols-1 gap-4 min-[22rem]:grid-cols-2 lg:grid-cols-[repeat(2,minmax(0,1.2fr))_repeat(2,minmax(0,1fr))]">
        <Field label="From" type="date" min={today} {...field('from')} />
        <Field label="Until" type="date" min={pattern.from || today} {...field('until')} />
        <Field label="Time" type="time" {...field('starts')} />
        <Field label="Length" inputMode="numeric" end={unit} {...field('minutes')} />
      </div>
      <div className="flex flex-wrap items-end gap-4">
        <div className="min-w-40 flex-1">
          <PlaceSelect label="Where" places={places} {...field('placeId')} />
        </div>
        <Button look="outline" className="min-h-11 max-[28rem]:w-full" onClick={fill}>
          Fill in
        </Button>
      </div>
    </fieldset>
  );
}

export const unit = <span className="muted pr-2 text-sm">min</span>;

interface WeekdaysProps {
  chosen: readonly number[];
  error: string | undefined;
  onChange: (chosen: number[]) => void;
}

function Weekdays({ chosen, error, onChange }: WeekdaysProps) {
  const id = useId();
  const toggle = (day: number) =>
    onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day]);
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend className="mb-1.5 text-sm font-semibold">Weekdays</legend>
      <div className="grid grid-cols-4 gap-1.5 min-[30rem]:grid-cols-7">
        {weekdays.map((name, index) => {
          const on = chosen.includes(index + 1);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={on}
              {...(index === 0 && { 'data-field': 'weekdays' })}
              className={`btn min-h-11 px-0 font-medium ${on ? 'btn-neutral' : 'border-edge bg-base-100'}`}
              onClick={() => toggle(index + 1)}
            >
              {name}
            </button>
          );
        })}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-error mt-1.5 text-sm font-medium">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export function PlaceSelect({
  places,
  value,
  ...rest
}: ComponentProps<typeof Select> & { places: readonly Place[] }) {
  const options = places
    .filter(({ _id, closed }) => !closed || _id === value)
    .map(({ _id, name, capacity, closed }) => {
      const words = `${name} (${closed ? 'closed' : `takes ${capacity}`})`;
      return [_id, words] as const;
    });
  return <Select value={value} options={[['', 'Not decided'], ...options]} {...rest} />;
}
