// The head of every dashboard page: its title in the tab and on the page, one line on what it is
// for, and what can be done.
import type { ReactNode } from 'react';
import { usePageTitle } from './head.tsx';

interface PageHeadingProps {
  title: string;
  /** The words on the page when they say more than the title, such as a count. */
  shown?: ReactNode;
  /** How many rows the search or filter found, next to the total; null without one. */
  found?: string | null;
  children?: ReactNode;
  actions?: ReactNode;
}

export function PageHeading({ title, shown, found, children, actions }: PageHeadingProps) {
  usePageTitle(title);
  return (
    <div
      className={`mb-6 flex flex-wrap justify-between gap-x-6 gap-y-3 ${children ? 'items-end' : 'items-center'}`}
    >
      <div className="max-w-2xl">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h1 className="text-2xl sm:text-3xl">{shown ?? title}</h1>
          {found !== undefined && (
            <p aria-live="polite" className="muted figures">
              {found}
            </p>
          )}
        </div>
        {children && <p className="mt-1 muted">{children}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
