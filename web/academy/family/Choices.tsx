// Several things of which any number may be ticked.
import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';

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
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              value={value}
              className="checkbox checkbox-primary rounded-md"
              aria-invalid={error ? true : undefined}
              {...field}
            />
            <span className="min-w-0 wrap-anywhere">{label}</span>
          </label>
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
