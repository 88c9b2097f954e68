// Adds an early bird: a percentage until a day, for all classes, one sport or one class.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { Answer } from '../../../contract/platform/call.ts';
import { listClasses } from '../../../contract/classes/classes.ts';
import { addDiscount } from '../../../contract/checkout/discounts.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type SendForm, useSendForm } from '../../platform/api/form.ts';
import { query, useCall, useSettings, useSports } from '../../platform/api/query.ts';
import { todayIn } from '../../platform/ui/dates.ts';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { Example } from './Example.tsx';
import { earlyExample } from './examples.ts';

interface Values {
  name: string;
  percent: string;
  until: string;
  /** '' is all classes, 'one' one class, otherwise a sport. */
  scope: string;
  /** Finds the class. */
  search: string;
  classId: string;
}

export function EarlyForm({ onClose }: { onClose: () => void }) {
  const add = useCall(addDiscount);
  const today = todayIn(useSettings().timeZone);
  const sports = useSports();
  const form = useSendForm<Values>({
    defaultValues: {
      name: 'Early bird',
      percent: '10',
      until: '',
      scope: '',
      search: '',
      classId: '',
    },
    send: ({ name, percent, until, scope, classId }) =>
      add.mutateAsync({
        kind: 'early',
        name,
        percent,
        until,
        ...(scope === 'one' ? { classId } : scope && { sport: scope }),
      }),
    onClose,
    sent: 'Discount added',
  });
  const { percent = '', until = '', scope = '' } = useWatch({ control: form.form.control });
  return (
    <FormDialog title="Early bird" form={form} submit="Add" onClose={onClose}>
      <div className="grid items-start gap-4 min-[22rem]:grid-cols-2">
        <Field
          label="Percent off"
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          required
          data-focus-first
          end={<span className="muted pr-2">%</span>}
          className="figures"
          {...form.field('percent')}
        />
        <Field
          label="Last day"
          type="date"
          required
          min={today}
          className="min-h-11"
          {...form.field('until')}
        />
      </div>
      <Select label="For" {...form.field('scope')}>
        <option value="">All classes</option>
        <option value="one">One class</option>
        <optgroup label="One sport">
          {sports.map((sport) => (
            <option key={sport} value={sport}>
              {sport}
            </option>
          ))}
        </optgroup>
      </Select>
      {scope === 'one' && <OneClass form={form} />}
      <Field label="Name" required maxLength={limits.name} {...form.field('name')} />
      <Example>{earlyExample(Math.min(100, Math.max(0, Number(percent) || 0)), until)}</Example>
    </FormDialog>
  );
}

/** An academy has more classes than a list shows: the admin types a part of the name. */
function OneClass({ form: { form, field } }: { form: SendForm<Values> }) {
  const [typed, classId] = useWatch({ control: form.control, name: ['search', 'classId'] });
  const search = typed.trim();
  const { data, error } = useQuery({
    ...query(listClasses, {
      status: 'approved',
      sort: 'name',
      limit: limits.pageSize,
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const found = data?.result ?? [];
  const [chosen, setChosen] = useState<{ _id: string; name: string } | null>(null);
  // What was chosen stays chosen, also when the next search does not find it.
  const isKept = chosen !== null && chosen._id === classId;
  const others = isKept ? found.filter(({ _id }) => _id !== classId) : found;
  const { onChange, ...select } = field('classId');
  return (
    <>
      <Field
        label="Find"
        type="search"
        hint="A part of the name."
        maxLength={100}
        {...field('search')}
      />
      <Select
        label="Class"
        required
        value={classId}
        hint={hintOf(data)}
        options={others.map(({ _id, name }) => [_id, name])}
        {...select}
        {...(error && { error: error.message })}
        onChange={(event) => {
          setChosen(found.find(({ _id }) => _id === event.target.value) ?? chosen);
          void onChange(event);
        }}
      >
        <option value="">Choose a class</option>
        {isKept && <option value={chosen._id}>{chosen.name}</option>}
      </Select>
    </>
  );
}

function hintOf(data: Answer<typeof listClasses> | undefined): string | undefined {
  if (!data) return undefined;
  const { result, total, alike } = data;
  if (result.length === 0) return 'No class is found.';
  if (alike) return 'No class has this name. These have a similar one.';
  return total > result.length ? `The first ${result.length} of ${total}.` : undefined;
}
