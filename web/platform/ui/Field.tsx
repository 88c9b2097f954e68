// A labelled input, select or text area whose error is shown below it, announced, and linked to it
// for screen readers.
import { type ComponentProps, type ReactNode, useId } from 'react';

interface Frame {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
}

interface FramedProps extends Frame {
  id: string | undefined;
  /** The element, with what ties it to its label, hint and error. */
  children: (tied: object) => ReactNode;
}

function Framed({ label, error, hint, id: ownId, children }: FramedProps) {
  const made = useId();
  const id = ownId ?? made;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
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
  end,
  className = '',
  ...rest
}: Frame & { end?: ReactNode } & ComponentProps<'input'>) {
  const look = `input w-full ${error ? 'input-error' : ''} ${end ? 'pr-16' : ''} ${className}`;
  return (
    <Framed {...{ label, error, hint }} id={rest.id}>
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
  options,
  className = '',
  children,
  ...rest
}: Frame & { options?: readonly (readonly [string, string])[] } & ComponentProps<'select'>) {
  const look = `select w-full ${error ? 'select-error' : ''} ${className}`;
  return (
    <Framed {...{ label, error, hint }} id={rest.id}>
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
