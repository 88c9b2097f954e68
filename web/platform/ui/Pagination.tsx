// The pages of a long list: which rows are shown, and the way to the others.
import { around, rangeInWords } from './PageLinks.tsx';
import { Icon } from './Icon.tsx';
import { number } from './locale.ts';

interface PaginationProps {
  /** What is counted, for example "users". */
  of: string;
  page: number;
  size: number;
  total: number;
  /** Where more are found than counted, for example "10,000+". */
  totalInWords: string;
  onPage: (page: number) => void;
}

export function Pagination({ of, page, size, total, totalInWords, onPage }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1 && page === 1) return null;

  return (
    <nav
      aria-label={`Pages of ${of}`}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-4"
    >
      <p className="text-sm muted">{rangeInWords(page, size, total, totalInWords, of)}</p>
      <ul className="flex flex-wrap items-center gap-1">
        <li>
          <Step label="Previous page" to={Math.min(page - 1, last)} off={page <= 1} onPage={onPage}>
            <Icon name="left" className="size-4" />
          </Step>
        </li>
        {around(page, last).map((entry, index, all) => (
          <li key={entry} className="flex items-center">
            {index > 0 && entry - (all[index - 1] ?? 0) > 1 && (
              <span aria-hidden="true" className="px-1 muted">
                …
              </span>
            )}
            <Step
              label={`Page ${number(entry)}`}
              to={entry}
              current={entry === page}
              onPage={onPage}
            >
              {number(entry)}
            </Step>
          </li>
        ))}
        <li>
          <Step label="Next page" to={page + 1} off={page >= last} onPage={onPage}>
            <Icon name="right" className="size-4" />
          </Step>
        </li>
      </ul>
    </nav>
  );
}

interface StepProps {
  label: string;
  to: number;
  off?: boolean;
  current?: boolean;
  onPage: (page: number) => void;
  children: React.ReactNode;
}

function Step({ label, to, off = false, current = false, onPage, children }: StepProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      // Not `disabled`: Next keeps the focus on the last page.
      aria-disabled={off || undefined}
      onClick={off ? undefined : () => onPage(to)}
      className={`btn btn-square btn-sm min-w-9 max-sm:min-w-11 w-auto px-2 ${current ? 'btn-primary' : 'btn-ghost'}`}
    >
      {children}
    </button>
  );
}
