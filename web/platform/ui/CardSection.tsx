// A part of a dashboard page in a card of its own, with its heading.
import { type ReactNode, useId } from 'react';

interface CardSectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function CardSection({ title, actions, children }: CardSectionProps) {
  const heading = useId();
  return (
    <section className="card border-base-300 bg-base-100 border" aria-labelledby={heading}>
      <div className="card-body gap-4 p-5 sm:p-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={heading} tabIndex={-1} className="text-lg outline-none">
            {title}
          </h2>
          {actions}
        </div>
        {children}
      </div>
    </section>
  );
}

/** Inside a `dl`. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="muted text-sm">{term}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}
