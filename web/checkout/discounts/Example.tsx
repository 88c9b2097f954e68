// The live example of a discount's form.
import type { ReactNode } from 'react';

export function Example({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-field bg-base-200 px-4 py-3">
      <p className="muted text-sm">Example</p>
      <output className="figures font-medium wrap-anywhere">{children}</output>
    </div>
  );
}
