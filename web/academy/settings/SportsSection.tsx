// The sports of the academy. One with classes can be renamed, not removed.
import { useFieldArray, useWatch } from 'react-hook-form';
import type { Academy } from '../../../contract/academy/academy.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { sportIcons } from '../../../contract/platform/sporticons.ts';
import { Field, Select } from '../../platform/ui/Field.tsx';
import { SportIcon as SportsIcon } from '../../classes/SportIcon.tsx';
import { AddRow, ListTools } from './RowList.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

const valuesOf = ({ sports }: Academy) => ({
  // `was` is the name that is stored; empty for a new one.
  sports: sports.map((sport) => ({ ...sport, was: sport.name })),
});

export function SportsSection(props: SectionProps) {
  const section = useSection({
    ...props,
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
  const list = useFieldArray({ control: form.control, name: 'sports' });
  const typed = useWatch({ control: form.control, name: 'sports' });
  return (
    <SectionCard
      lead="In the filters and in the form of a class, in this order. A new name reaches all classes."
      section={section}
    >
      <ol className="divide-base-300 flex flex-col divide-y">
        {list.fields.map((row, at) => (
          <li
            key={row.id}
            className="flex flex-wrap items-end gap-2 py-3 first:pt-0 sm:flex-nowrap"
          >
            <span className="bg-base-200 rounded-field flex size-11 shrink-0 items-center justify-center">
              <SportsIcon name={typed[at]?.icon ?? 'ball'} className="size-5" />
            </span>
            <div className="min-w-40 flex-1">
              <Field
                {...field(`sports.${at}.name`)}
                label="Sport"
                maxLength={limits.academy.sport}
                className="min-h-11"
              />
            </div>
            <div className="w-32">
              <Select {...field(`sports.${at}.icon`)} label="Icon" className="min-h-11">
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
              list={list}
              stays={row.used ? 'it has classes' : undefined}
            />
          </li>
        ))}
      </ol>
      <AddRow
        one="sport"
        list={list}
        most={limits.academy.sports}
        onAdd={() => list.append({ name: '', icon: 'ball', was: '', used: false })}
      />
    </SectionCard>
  );
}
