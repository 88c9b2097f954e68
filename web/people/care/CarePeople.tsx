// A list of people in the care form: whom to call, or who may pick up.
import { useRef } from 'react';
import { useFieldArray } from 'react-hook-form';
import type { Care } from '../../../contract/people/care.ts';
import { limits } from '../../../contract/platform/limits.ts';
import type { SendForm } from '../../platform/api/form.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface CarePeopleProps {
  form: SendForm<Care>;
  list: 'contacts' | 'pickup';
  /** What one of them is called. */
  one: 'contact' | 'person';
  most: number;
}

/** What is wrong with a field, said with its label. */
export const labelled = (
  label: string,
  { error, ...tied }: ReturnType<SendForm<Care>['field']>,
) => ({ label, ...tied, error: error?.startsWith('must') ? `${label} ${error}` : error });

export function CarePeople({ form, list, one, most }: CarePeopleProps) {
  const { fields, append, remove } = useFieldArray({ control: form.form.control, name: list });
  const adding = useRef<HTMLButtonElement>(null);
  const field = (at: number, name: 'name' | 'relation' | 'phone', label: string) => ({
    ...labelled(label, form.field(`${list}.${at}.${name}`)),
    className: 'min-h-11',
  });
  const take = (at: number) => {
    remove(at);
    adding.current?.focus();
  };
  return (
    <>
      {fields.length > 0 && (
        <ol className="divide-base-300 flex flex-col divide-y">
          {fields.map(({ id }, at) => (
            <li
              key={id}
              className="grid grid-cols-[1fr_auto] items-start gap-3 py-4 first:pt-0 last:pb-0 sm:grid-cols-2"
            >
              <div className="max-sm:col-span-2">
                <Field {...field(at, 'name', 'Name')} maxLength={limits.name} autoComplete="off" />
              </div>
              <div className="max-sm:col-span-2">
                <Field
                  {...field(at, 'relation', 'Relation')}
                  maxLength={limits.care.relation}
                  placeholder="Grandmother"
                  autoComplete="off"
                />
              </div>
              <Field
                {...field(at, 'phone', 'Phone')}
                type="tel"
                maxLength={30}
                autoComplete="off"
              />
              <button
                type="button"
                className="btn btn-ghost btn-square mt-6.5 size-11"
                aria-label={`Remove ${one} ${at + 1}`}
                onClick={() => take(at)}
              >
                <Icon name="x" className="size-5" />
              </button>
            </li>
          ))}
        </ol>
      )}
      {fields.length < most ? (
        <Button
          ref={adding}
          look="outline"
          className="self-start max-sm:w-full"
          onClick={() => append({ name: '', relation: '', phone: '' })}
        >
          <Icon name={icons.plus} /> Add a {one}
        </Button>
      ) : (
        <p className="muted text-sm">At most {most}.</p>
      )}
    </>
  );
}
