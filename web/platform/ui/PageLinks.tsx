// The way through a long public list, as links: they can be shared, opened in a tab, followed by
// search engines and without JavaScript.
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { number } from './locale.ts';

export function PageLinks({
  label,
  page,
  pages,
  range,
  to,
}: {
  label: string;
  page: number;
  pages: number;
  range: string;
  to: (page: number) => string;
}) {
  if (pages <= 1) return null;
  return (
    <nav aria-label={label} className="figures page-links">
      <p className="muted w-full text-center text-sm">{range}</p>
      <Step to={page > 1 ? to(page - 1) : null} rel="prev">
        ← Previous
      </Step>
      <p className="sm:hidden">
        Page {page} of {pages}
      </p>
      <ul className="flex items-center gap-1 max-sm:hidden">
        {around(page, pages).map((entry, index, all) => (
          <li key={entry}>
            {index > 0 && entry - (all[index - 1] ?? 0) > 1 && (
              <span aria-hidden="true" className="muted px-1">
                …
              </span>
            )}
            <Link
              to={to(entry)}
              aria-label={`Page ${entry}`}
              aria-current={entry === page ? 'page' : undefined}
              className={`btn px-3 ${entry === page ? 'btn-neutral' : 'btn-ghost'}`}
              onClick={beginAtTop}
            >
              {entry}
            </Link>
          </li>
        ))}
      </ul>
      <Step to={page < pages ? to(page + 1) : null} rel="next">
        Next →
      </Step>
    </nav>
  );
}

/** Eyes and keyboard start at the new content: the link that was followed may be gone there. */
function beginAtTop({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
  if (ctrlKey || metaKey || shiftKey) return;
  scrollTo(0, 0);
  document.getElementById('content')?.focus({ preventScroll: true });
}

function Step({ to, rel, children }: { to: string | null; rel: string; children: string }) {
  if (to === null) {
    // Keeps its place, so that the numbers do not move.
    return (
      <span aria-hidden="true" className="btn invisible">
        {children}
      </span>
    );
  }
  return (
    <Link to={to} rel={rel} className="btn btn-outline border-edge" onClick={beginAtTop}>
      {children}
    </Link>
  );
}

/** Which rows of how many a page shows: "1–25 of 137 classes". `totalInWords` may be "10,000+". */
export function rangeInWords(
  page: number,
  size: number,
  total: number,
  totalInWords: string,
  noun: string,
): string {
  const from = (page - 1) * size + 1;
  const to = Math.min(page * size, total);
  if (from > total) return `No ${noun}`;
  return `${from === to ? number(to) : `${number(from)}–${number(to)}`} of ${totalInWords} ${noun}`;
}

/** The first, the last, this one and its neighbours: few enough for a phone. */
export function around(page: number, last: number): number[] {
  const wanted = new Set([1, page - 1, page, page + 1, last]);
  return [...wanted].filter((entry) => entry >= 1 && entry <= last).toSorted((a, b) => a - b);
}
