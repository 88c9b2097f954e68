// The form of a class, for adding and for updating, with the contract's rules.
import { useEffect } from 'react';
import type { Resolver, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  type ClassDetail,
  type ClassForm,
  type Fact,
  facts,
  levels,
} from '../../contract/classes/classes.ts';
import { type SendForm, useSendForm } from '../platform/api/form.ts';
import { uploadAs, usePhoto } from '../platform/api/photo.ts';
import { useSports } from '../platform/api/query.ts';
import { Field, Select, TextArea } from '../platform/ui/Field.tsx';
import { currencyName } from '../platform/ui/locale.ts';
import { asTyped, decimal } from '../platform/ui/money.ts';
import { PhotoField } from '../platform/ui/PhotoField.tsx';
import { levelWords } from './filters.ts';

/** As typed: price in dollars, not in the cents that the rules make of it. */
export type ClassValues = z.input<typeof ClassForm>;

export const emptyClass: ClassValues = {
  ...(Object.fromEntries(facts.map((fact) => [fact, ''])) as Record<Fact, string>),
  price: '',
  seat: '',
  sport: 'Other',
  minAge: null,
  maxAge: null,
  level: 'all',
};

export const factsIn = (item: Pick<ClassDetail, Fact>) =>
  Object.fromEntries(facts.map((fact) => [fact, item[fact]])) as Pick<ClassDetail, Fact>;

export function useClassForm(
  defaultValues: ClassValues,
  send: (values: ClassValues, form: UseFormReturn<ClassValues>) => Promise<unknown>,
): SendForm<ClassValues> {
  useEffect(() => void loadRules(), []);
  return useSendForm<ClassValues>({
    defaultValues,
    resolver: resolverOf(defaultValues),
    send,
    fieldOf: ({ code, field }) => (code === 'SEATS_BELOW_SOLD' ? 'seat' : field),
  });
}

export const loadRules = () => import('./classRules.ts').catch(() => null);

// Without the rules at hand the form is sent as it is: the server has the same rules and names the
// field. Stored words of time and place are not judged: those made from dates may be longer than a
// user may type.
const resolverOf =
  (stored: ClassValues): Resolver<ClassValues> =>
  async (values, ...rest) => {
    const typed = {
      ...values,
      price: decimal(values.price),
      schedule: values.schedule === stored.schedule ? '' : values.schedule,
      place: values.place === stored.place ? '' : values.place,
    };
    const judged = await (await loadRules())?.classRules(typed, ...rest);
    return judged && Object.keys(judged.errors).length > 0 ? judged : { values, errors: {} };
  };

export const asSent = (values: ClassValues) => ({
  ...values,
  price: Number(decimal(values.price)),
  seat: Number(values.seat),
});

/** Null: no bound. Anything that is no number is left to the rules. */
const ageTyped = (typed: string | number | null) =>
  typed === null || typed === '' ? null : Number(typed);

const uploadPhoto = uploadAs('class');

interface ClassFieldsProps {
  form: SendForm<ClassValues>;
  /** Of a new class, which has the specified order of Add a Class, not of Update Class. */
  adding?: { instructor: string; email: string };
  /** Time and place as its dates say them; empty or absent while they are words of their own. */
  fromDates?: { schedule: string; place: string };
  /** What the price and the seats that are typed would do. */
  impact?: readonly string[];
}

export function ClassFields({ form, adding, fromDates, impact }: ClassFieldsProps) {
  const sports = useSports();
  /** The contract's rules begin with "must": the label in front makes a sentence. */
  const plain = (name: keyof ClassValues, label: string) => {
    const { error, ...field } = form.field(name);
    return { label, error: error?.startsWith('must') ? `${label} ${error}` : error, ...field };
  };
  const age = (name: 'minAge' | 'maxAge', label: string) => {
    const { error, ...field } = plain(name, label);
    return {
      ...field,
      ...form.form.register(name, { setValueAs: ageTyped }),
      error: error?.replace(/\b(maxAge )?(must not be less than )minAge/, `${label} $2Age from`),
    };
  };
  const made = (name: 'schedule' | 'place', label: string, placeholder: string) =>
    fromDates?.[name] ? (
      <div className="sm:col-span-2">
        <Field
          label={label}
          readOnly
          value={fromDates[name]}
          hint="Made from the dates below."
          className="bg-base-200"
        />
      </div>
    ) : (
      <Field {...plain(name, label)} placeholder={placeholder} />
    );
  const agesInWords = form.form.getValues('ages');
  const hasWordsOnly = agesInWords && form.form.formState.defaultValues?.minAge === null;

  const photo = (
    <PhotoField
      {...plain('img', 'Photo URL')}
      {...usePhoto(form, 'img', uploadPhoto)}
      type="text"
      inputMode="url"
      required
      placeholder="https://…"
      hint="Link to a picture (https://…), best in landscape format, or upload one."
    />
  );
  // `seat` of a new class is its seats; of one that is being sold it is all seats, the sold ones
  // included.
  const seat = adding
    ? { label: 'Available Seats', hint: 'How many can take part.' }
    : { label: 'Seat', hint: 'Seats in all, those already sold included.' };
  const priceAndSeats = (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        {...plain('price', 'Price')}
        required
        inputMode="decimal"
        placeholder={asTyped('49.00')}
        hint={`In ${currencyName()}.`}
      />
      <Field
        {...plain('seat', seat.label)}
        required
        inputMode="numeric"
        placeholder="20"
        hint={seat.hint}
      />
      <output className="figures text-sm font-medium empty:hidden sm:col-span-2">
        {impact?.join(' ')}
      </output>
    </div>
  );

  return (
    <>
      <Field
        {...plain('name', 'Class Name')}
        required
        aria-required
        placeholder="Tennis for beginners"
      />
      {adding ? (
        <>
          {photo}
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Instructor Name"
              readOnly
              value={adding.instructor}
              className="bg-base-200"
            />
            <Field label="Email" readOnly value={adding.email} className="bg-base-200" />
          </div>
          {priceAndSeats}
        </>
      ) : (
        <>
          {priceAndSeats}
          {photo}
        </>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select {...plain('sport', 'Sport')} options={sports.map((sport) => [sport, sport])} />
        <Select
          {...plain('level', 'Level')}
          options={levels.map((level) => [level, levelWords[level]])}
        />
        <Field
          {...age('minAge', 'Age from')}
          inputMode="numeric"
          placeholder="8"
          hint={hasWordsOnly ? `Now: ${agesInWords}. A number replaces it.` : undefined}
        />
        <Field {...age('maxAge', 'Age to')} inputMode="numeric" placeholder="12" />
        {made('schedule', 'Schedule', 'Mon and Wed, 16:00 to 17:30')}
        {made('place', 'Place', 'Court 3')}
      </div>
      <TextArea
        {...plain('description', 'Description')}
        rows={5}
        placeholder="What will they learn?"
      />
      <TextArea
        {...plain('bring', 'What to bring')}
        rows={3}
        hint="One thing per line."
        placeholder={'Trainers\nA bottle of water'}
      />
    </>
  );
}
