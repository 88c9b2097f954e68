// Below Pay: the terms of the academy, once they are written, and what its class page says of money
// back. In a tab of their own, so that the payment goes on.
import { Link } from 'react-router';
import { useSettings } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';

export function TermsNote({ classId }: { classId?: string }) {
  const { pages } = useSettings();
  const links = [
    pages.includes('terms') && (['Terms', paths.page('terms')] as const),
    classId && (['Cancelling', `${paths.class(classId)}#good-to-know`] as const),
  ].filter((link) => !!link);
  if (links.length === 0) return null;
  return (
    <p className="muted text-sm">
      {links.map(([words, to], nth) => (
        <span key={words}>
          {nth > 0 && ' · '}
          <Link to={to} target="_blank" className="link">
            {words}
          </Link>
        </span>
      ))}
    </p>
  );
}
