// The terms of leaving, for families who buy from now on. What was sold keeps its own.
import { useQuery } from '@tanstack/react-query';
import { useFieldArray, useWatch } from 'react-hook-form';
import {
  changeLeavingTerms,
  getLeavingTerms,
  type LeavingTerms,
} from '../../../contract/checkout/leaving.ts';
import { type SendForm, useSendForm } from '../../platform/api/form.ts';
import { query, useCall } from '../../platform/api/query.ts';
import { toast } from '../../platform/ui/alert.ts';
import { Field, Tick } from '../../platform/ui/Field.tsx';
import { NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { RowList } from './RowList.tsx';
import { SectionCard } from './SectionCard.tsx';
import type { SectionProps } from './useSection.ts';

interface Values {
  terms: Omit<LeavingTerms, 'withdraw'> & { withdraw: boolean };
}

export function LeavingSection(props: Pick<SectionProps, 'id' | 'title'>) {
  const read = useQuery({ ...query(getLeavingTerms, {}), staleTime: 0 });
  return (
    <>
      <NotYet of={read}>
        <Skeleton className="h-64" />
      </NotYet>
      {read.data && <Terms {...props} terms={read.data.terms} />}
    </>
  );
}

function Terms({ terms, ...section }: Pick<SectionProps, 'id' | 'title'> & Terms) {
  const change = useCall(changeLeavingTerms);
  const form = useSendForm<Values>({
    defaultValues: { terms: { ...terms, withdraw: terms.withdraw > 0 } },
    send: async (typed, { reset }) => {
      const { withdraw, ...rest } = typed.terms;
      await change.mutateAsync({ terms: { ...rest, withdraw: withdraw ? 14 : 0 } });
      reset(typed);
      toast('Saved');
    },
  });
  const control = form.form.control;
  const list = useFieldArray({ control, name: 'terms.steps' });
  const { steps, withdraw } = useWatch({ control, name: 'terms' });
  const last = steps.at(-1);
  return (
    <SectionCard
      lead="What a family gets back when it leaves a class, of what it paid for the meetings to come. New for families who buy from now on: seats that are sold keep theirs."
      section={{ ...form, ...section, meanwhile: [] }}
    >
      <RowList
        one="step"
        list={list}
        most={6}
        onAdd={() =>
          list.append({ card: 0, credit: 0, ...last, days: Math.max(0, (last?.days ?? 2) - 1) })
        }
      >
        {(at) => (
          <div className="grid grid-cols-3 gap-3">
            <Percent form={form} name={`terms.steps.${at}.days`} label="Days before" />
            <Percent form={form} name={`terms.steps.${at}.card`} label="% to card" />
            <Percent form={form} name={`terms.steps.${at}.credit`} label="% as credit" />
          </div>
        )}
      </RowList>
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-2 font-semibold">Later, and once the class has begun</legend>
        <Percent form={form} name="terms.begun.card" label="% to card" />
        <Percent form={form} name="terms.begun.credit" label="% as credit" />
      </fieldset>
      <Percent
        form={form}
        name="terms.resold"
        label="% in all when the seat is sold again"
        hint="What is missing follows as credit. 0: nothing follows."
      />
      <Tick
        checked={withdraw}
        onChange={({ target }) =>
          form.form.setValue('terms.withdraw', target.checked, { shouldDirty: true })
        }
      >
        Families may withdraw within 14 days of buying (EU)
      </Tick>
    </SectionCard>
  );
}
interface Terms {
  terms: LeavingTerms;
}

interface PercentProps {
  form: SendForm<Values>;
  name: Parameters<SendForm<Values>['field']>[0];
  label: string;
  hint?: string;
}

function Percent({ form, name, label, hint }: PercentProps) {
  const { error } = form.field(name);
  return (
    <Field
      label={label}
      type="number"
      inputMode="numeric"
      required
      min={0}
      max={name.endsWith('days') ? 365 : 100}
      className="min-h-11"
      {...(hint && { hint })}
      {...form.form.register(name, { valueAsNumber: true })}
      error={error}
    />
  );
}
