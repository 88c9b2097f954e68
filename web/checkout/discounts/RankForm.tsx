// Adds a rule for siblings or for several classes: percent by rank. It ends the one before.
import { useWatch } from 'react-hook-form';
import { addDiscount } from '../../../contract/checkout/discounts.ts';
import { limits } from '../../../contract/platform/limits.ts';
import type { Step } from '../../../contract/checkout/pricing.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { Example } from './Example.tsx';
import { classesExample, siblingsExample } from './examples.ts';

const words = {
  siblings: {
    title: 'Siblings',
    noun: 'child',
    name: 'Sibling discount',
    example: siblingsExample,
  },
  classes: {
    title: 'Several classes',
    noun: 'class',
    name: 'Second class',
    example: classesExample,
  },
};
const places = ['second', 'third', 'fourth'] as const;
type Values = { name: string } & Record<(typeof places)[number], string>;

const percentOf = (typed: string | undefined) => {
  const percent = Math.trunc(Number(typed));
  return percent >= 1 && percent <= 100 ? percent : 0;
};

const stepsOf = (values: Partial<Values>): Step[] =>
  places
    .map((place, index) => ({ rank: index + 2, percent: percentOf(values[place]) }))
    .filter(({ percent }) => percent > 0);

/** The first step that gives less than the one before: the server refuses it. */
function firstFall(steps: readonly Step[]): { rank: number; before: number } | null {
  for (const [index, { rank, percent }] of steps.entries()) {
    const before = steps[index - 1]?.percent ?? 0;
    if (percent < before) return { rank, before };
  }
  return null;
}

interface RankFormProps {
  kind: 'siblings' | 'classes';
  /** The name of the rule that this one ends. */
  replaces: string | undefined;
  onClose: () => void;
}

export function RankForm({ kind, replaces, onClose }: RankFormProps) {
  const { title, noun, name, example } = words[kind];
  const add = useCall(addDiscount);
  const form = useSendForm<Values>({
    defaultValues: { name, second: '10', third: '', fourth: '' },
    send: async (values, typed) => {
      const fall = firstFall(stepsOf(values));
      if (fall) {
        const wrong = places[fall.rank - 2] ?? 'second';
        const message = `Not less than ${fall.before}`;
        typed.setError(wrong, { message }, { shouldFocus: true });
        return;
      }
      await add.mutateAsync({ kind, name: values.name, steps: stepsOf(values) });
      onClose();
      toast('Discount added');
    },
    // A step is named by its place in the list: steps.1.percent.
    fieldOf: ({ field }) => (field?.startsWith('steps') ? 'second' : field),
  });
  const typed = useWatch({ control: form.form.control });
  return (
    <FormDialog title={title} form={form} submit="Add" onClose={onClose}>
      <p className="muted -mt-2 text-sm">
        {kind === 'siblings'
          ? 'The child who costs most pays in full. Children who are enrolled already come first.'
          : 'Of the classes of one child the most expensive is paid in full. Classes that the child has already come first.'}
      </p>
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Percent off for each {noun}</legend>
        <div className="grid grid-cols-3 gap-3">
          {places.map((place, index) => (
            <Field
              key={place}
              label={`${place[0]?.toUpperCase()}${place.slice(1)}`}
              type="number"
              inputMode="numeric"
              min={1}
              max={100}
              required={index === 0}
              data-focus-first={index === 0 || undefined}
              className="figures [appearance:textfield]"
              {...form.field(place)}
            />
          ))}
        </div>
        <p className="muted mt-1 text-sm">Empty: as the one before.</p>
      </fieldset>
      <Field label="Name" required maxLength={limits.name} {...form.field('name')} />
      <Example>{example(stepsOf(typed))}</Example>
      {replaces && (
        <p className="text-warning text-sm font-medium">It replaces “{replaces}” from now on.</p>
      )}
    </FormDialog>
  );
}
