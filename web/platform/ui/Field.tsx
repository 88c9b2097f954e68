// A labelled input, select or text area whose error is shown below it, announced, and linked to it
// for screen readers.
import { type ComponentProps, type InvalidEvent, type ReactNode, useId, useState } from 'react';
import { dayName } from './dates.ts';

interface Frame {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** The label is only spoken: the field says itself what it is. */
  quiet?: boolean;
}

interface FramedProps extends Frame {
  id: string | undefined;
  /** The element, with what ties it to its label, hint and error. */
  children: (tied: object) => ReactNode;
}

type Filled = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What the browser finds wrong, in our words. */
function wrongWith(field: Filled, label: string): string {
  const { validity, validationMessage } = field;
  const { type = '', min = '', max = '' } = field as Partial<HTMLInputElement>;
  const bound = (value: string) => (type === 'date' ? dayName(value) : value);
  if (validity.badInput)
    return type === 'number' ? `${label} must be a number` : 'There is no such day';
  if (validity.valueMissing) return `${label} is required`;
  if (validity.typeMismatch && type === 'email')
    return 'Please type an address such as name@example.com';
  if (validity.rangeOverflow)
    return `${label} must not be ${type === 'number' ? 'more than' : 'after'} ${bound(max)}`;
  if (validity.rangeUnderflow)
    return `${label} must not be ${type === 'number' ? 'less than' : 'before'} ${bound(min)}`;
  return validationMessage;
}

/** The browser's own bubble is not shown: the words stand at the field until it is changed. */
function useWrong(label: string) {
  const [wrong, setWrong] = useState('');
  const onInvalid = (event: InvalidEvent<Filled>) => {
    event.preventDefault();
    const field = event.currentTarget;
    setWrong(wrongWith(field, label));
    field.addEventListener('input', () => setWrong(''), { once: true });
    if (field.form?.querySelector(':is(input, select, textarea):invalid') === field) field.focus();
  };
  return { wrong, onInvalid };
}

function Framed({ label, error: refused, hint, quiet, id: ownId, children }: FramedProps) {
  const { wrong, onInvalid } = useWrong(label);
  const error = refused ?? (wrong || undefined);
  const made = useId();
  const id = ownId ?? made;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={quiet ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
      </label>
      {children({
        id,
        onInvalid,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="muted text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-error text-sm font-medium">
          {error}
        </p>
      )}
    </div>
  );
}

/** `end` is shown inside the field at its end: a unit, a button that shows the password. */
export function Field({
  label,
  error,
  hint,
  quiet = false,
  end,
  className = '',
  ...rest
}: Frame & { end?: ReactNode } & ComponentProps<'input'>) {
  const look = `input w-full ${error ? 'input-error' : ''} ${end ? 'pr-16' : ''} ${className}`;
  return (
    <Framed {...{ label, error, hint, quiet }} id={rest.id}>
      {(tied) =>
        end ? (
          <div className="relative">
            <input {...rest} {...tied} className={look} />
            <div className="absolute inset-y-0 right-1.5 z-10 flex items-center">{end}</div>
          </div>
        ) : (
          <input {...rest} {...tied} className={look} />
        )
      }
    </Framed>
  );
}

/** `options` come after the children. */
export function Select({
  label,
  error,
  hint,
  quiet = false,
  options,
  className = '',
  children,
  ...rest
}: Frame & { options?: readonly (readonly [string, string])[] } & ComponentProps<'select'>) {
  const look = `select w-full ${error ? 'select-error' : ''} ${className}`;
  return (
    <Framed {...{ label, error, hint, quiet }} id={rest.id}>
      {(tied) => (
        <select {...rest} {...tied} className={look}>
          {children}
          {options?.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

export function TextArea({
  label,
  error,
  hint,
  className = '',
  ...rest
}: Frame & ComponentProps<'textarea'>) {
  const look = `textarea w-full ${error ? 'textarea-error' : ''} ${className}`;
  return (
    <Framed {...{ label, error, hint }} id={rest.id}>
      {(tied) => <textarea {...rest} {...tied} className={look} />}
    </Framed>
  );
}

/** A box and its words. */
export const Tick = ({ children, ...rest }: ComponentProps<'input'>) => (
  <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
    <input type="checkbox" className="checkbox checkbox-primary rounded-md" {...rest} />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
);
