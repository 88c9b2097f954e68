// The link from a line of the audit log to the thing it is about.
import { Link } from 'react-router';
import type { AuditEntry } from '../../contract/people/users.ts';
import { paths } from '../platform/paths.ts';

const places = {
  user: { word: 'User', to: paths.dashboard.user },
  class: { word: 'Class', to: paths.dashboard.review },
  payment: { word: 'Payment', to: paths.dashboard.paymentDetails },
} as const;

export function AuditSubject({ entry }: { entry: AuditEntry }) {
  if (!entry.about) return null;
  const { word, to } = places[entry.about];
  return (
    <Link to={to(entry.subject)} className="link" aria-label={`${word}: ${entry.action}`}>
      {word}
    </Link>
  );
}
