// One part of the care form, with its title.
import type { ReactNode } from 'react';

export function Part({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="border-base-300 bg-base-100 rounded-box flex min-w-0 flex-col gap-4 border p-4 sm:p-5">
      <legend className="sr-only">{title}</legend>
      <div aria-hidden="true">
        <p className="font-semibold">{title}</p>
        {hint && <p className="muted text-sm">{hint}</p>}
      </div>
      {children}
    </fieldset>
  );
}
