// An address that is new to us: a slip such as gmial.com is said, and one press takes the right one.
import { type ComponentProps, useState } from 'react';
import { Field } from './Field.tsx';
import { meantBy } from './meant.ts';

interface EmailFieldProps extends ComponentProps<typeof Field> {
  /** Of the form: the address that was meant. */
  take: (email: string) => void;
}

export function EmailField({ take, onBlur, onChange, ...field }: EmailFieldProps) {
  const [meant, setMeant] = useState<string | null>(null);
  return (
    <div className="flex flex-col items-start gap-1.5 *:first:self-stretch">
      <Field
        type="email"
        inputMode="email"
        {...field}
        onBlur={(event) => {
          onBlur?.(event);
          setMeant(meantBy(event.target.value));
        }}
        onChange={(event) => {
          onChange?.(event);
          setMeant(null);
        }}
      />
      {meant && (
        <output className="block text-sm">
          Did you mean{' '}
          <button
            type="button"
            className="link link-primary font-medium"
            onClick={() => {
              setMeant(null);
              take(meant);
            }}
          >
            {meant.slice(meant.lastIndexOf('@') + 1)}
          </button>
          ?
        </output>
      )}
    </div>
  );
}
