// Several things of which any number may be ticked.
import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Tick } from '../../platform/ui/Field.tsx';

interface ChoicesProps {
  legend: string;
  choices: readonly { value: string; label: string }[];
  error?: string | undefined;
  field: UseFormRegisterReturn;
}

export function Choices({ legend, choices, error, field }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error && id}>
      <legend className="text-sm font-semibold">{legend}</legend>
      <div className="mt-1 flex flex-col">
        {choices.map(({ value, label }) => (
          <Tick key={value} value={value} aria-invalid={error ? true : undefined} {...field}>
            {label}
          </Tick>
        ))}
      </div>
      {error && (
        <p id={id} role="alert" className="text-error text-sm font-medium">
          {error}
        </p>
      )}
    </fieldset>
  );
}
