// The sports of the academy. One with classes can be renamed, not removed.
import { useFieldArray, useWatch } from 'react-hook-form';
import type { Academy } from '../../../contract/academy/academy.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type SportIcon, sportIcons } from '../../../contract/platform/sporticons.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { SportIcon as SportsIcon } from '../../classes/SportIcon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { ListTools } from './ListTools.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

interface Values {
  /** `was` is the name that is stored; empty for a new one. */
  sports: { name: string; icon: SportIcon; was: string; used: boolean }[];
}

const valuesOf = ({ sports }: Academy): Values => ({
  sports: sports.map(({ name, icon, used }) => ({ name, icon, was: name, used })),
});

export function SportsSection({ id, title, academy }: SectionProps) {
  const section = useSection<Values>({
    academy,
    values: valuesOf,
    asSent: ({ sports }) =>
      sports
        ? {
            sports: sports.map(({ name, icon, was }) => ({
              name,
              icon,
              ...(was && was !== name && { was }),
            })),
          }
        : {},
  });
  const { field, form } = section;
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'sports' });
  const typed = useWatch({ control: form.control, name: 'sports' });
  return (
    <SectionCard
      id={id}
      title={title}
      lead="In the filters and in the form of a class, in this order. A new name reaches all classes."
      section={section}
    >
      <ol className="divide-base-300 flex flex-col divide-y">
        {fields.map((row, at) => (
          <li
            key={row.id}
            className="flex flex-wrap items-end gap-2 py-3 first:pt-0 sm:flex-nowrap"
          >
            <span className="bg-base-200 rounded-field flex size-11 shrink-0 items-center justify-center">
              <SportsIcon name={typed[at]?.icon ?? 'ball'} className="size-5" />
            </span>
            <div className="min-w-40 flex-1">
              <Field
                label="Sport"
                {...field(`sports.${at}.name`)}
                maxLength={limits.academy.sport}
                className="min-h-11"
              />
            </div>
            <div className="w-32">
              <Select label="Icon" {...field(`sports.${at}.icon`)} className="min-h-11">
                {sportIcons.map((icon) => (
                  <option key={icon} value={icon}>
                    {icon[0]?.toUpperCase() + icon.slice(1)}
                  </option>
                ))}
              </Select>
            </div>
            <ListTools
              what={row.was || `sport ${at + 1}`}
              at={at}
              last={fields.length - 1}
              move={move}
              remove={remove}
              stays={row.used ? 'it has classes' : undefined}
            />
          </li>
        ))}
      </ol>
      {fields.length < limits.academy.sports && (
        <Button
          look="outline"
          className="self-start max-sm:w-full"
          onClick={() => append({ name: '', icon: 'ball', was: '', used: false })}
        >
          <Icon name={icons.plus} /> Add a sport
        </Button>
      )}
    </SectionCard>
  );
}
