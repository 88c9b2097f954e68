// Lines of the audit log on another page, newest first.
import { Link } from 'react-router';
import type { AuditEntry } from '../../contract/people/users.ts';
import { momentOf } from '../platform/ui/dates.ts';
import { paths } from '../platform/paths.ts';

interface AuditLinesProps {
  lines: readonly AuditEntry[];
  /** Whose page it is: their own name and link say nothing there. */
  about: string;
}

export function AuditLines({ lines, about }: AuditLinesProps) {
  if (lines.length === 0) return <p className="muted">Nothing yet.</p>;
  return (
    <ul className="divide-base-300 divide-y">
      {lines.map((entry) => (
        <li key={entry._id} className="py-2 text-sm first:pt-0 last:pb-0">
          <p className="font-medium wrap-anywhere first-letter:uppercase">{entry.action}</p>
          <p className="muted wrap-anywhere">
            <time dateTime={entry.at}>{momentOf(entry.at)}</time> · {entry.actor}
            {entry.detail && ` · ${entry.detail}`}{' '}
            {entry.subject !== about && <AuditSubject entry={entry} />}
          </p>
        </li>
      ))}
    </ul>
  );
}

const places = {
  user: { word: 'User', to: paths.dashboard.user },
  class: { word: 'Class', to: paths.dashboard.review },
  payment: { word: 'Payment', to: paths.dashboard.paymentDetails },
} as const;

/** The link to the thing that a line is about. */
export function AuditSubject({ entry }: { entry: AuditEntry }) {
  if (!entry.about) return null;
  const { word, to } = places[entry.about];
  return (
    <Link to={to(entry.subject)} className="link" aria-label={`${word}: ${entry.action}`}>
      {word}
    </Link>
  );
}
